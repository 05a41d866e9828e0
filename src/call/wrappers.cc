#include "call/wrappers.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/row_index.h"
#include "call/mention.h"
#include "call/options.h"
#include "call/words.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

/// There are five shapes of wrappers:
///
///   prefix    `sudo -u me cmd args`    the words behind the wrapper's own options are the command (`prefixes.cc`)
///   script    `bash -c 'text'`         a word, or standard input, is shell code
///   joining   `eval a b`, `ssh h a b`  the operands are joined with spaces, and the result is shell code
///   code      `python -c 'text'`       the code is not shell code: the unknown command (`code_flags.cc`)
///   variable  `PAGER='text' git log`   a program runs the value of a variable (`executing.cc`)
///
/// One program may have several shapes (`env cmd`, `env -S 'text'`), so `unwrap` asks for all of them and collects the
/// results. When a wrapper's arguments are dynamic, the unknown command is added: finding too much only leads to a
/// question, finding too little leaves a guard out.
namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;
using shell::unknown_command;

using Words = std::span<const Word>;

/// The options of a shell up to its first operand.
struct ShellArguments {
  bool has_code = false;      ///< -c: the first operand is code
  bool reads_input = false;   ///< -s: the code comes from standard input
  bool only_informs = false;  ///< --version, --help: nothing runs
  bool is_dynamic = false;    ///< an option is not known, so there may be a -c
  size_t operand = 0;         ///< the index of the first operand; past the end when there is none
};

ShellArguments read_shell_arguments(Words words) {
  ShellArguments out;
  size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string& text = words[at].text;
    if (words[at].is_dynamic() && (text.empty() || text[0] == '-')) out.is_dynamic = true;
    if (text.size() < 2 || (text[0] != '-' && text[0] != '+')) break;
    if (text == "--version" || text == "--help") out.only_informs = true;
    if (text == "--rcfile" || text == "--init-file") ++at;
    if (text.starts_with("--")) continue;
    out.has_code = out.has_code || text.contains('c');
    out.reads_input = out.reads_input || text.contains('s');
    if (text.ends_with('o') || text.ends_with('O')) ++at;
  }
  out.operand = at;
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// `sh -c '"$@"' x rm -r y`: the operands behind the code are its parameters, so they are put in their places.
void add_with_parameters(const Word& code, Words parameters, const std::string& wrapper, std::vector<Inner>& found) {
  add_script({code}, wrapper, found);
  if (parameters.empty() || !code.text.contains('$')) return;
  std::string all;
  for (const Word& word : parameters.subspan(1)) (all += all.empty() ? "" : " ") += word.text;
  std::string text = code.text;
  for (const std::string_view list : {"\"$@\"", "\"$*\"", "$@", "$*", "${@}", "${*}"}) replace_all(text, list, all);
  for (size_t i = 0; i < std::min<size_t>(parameters.size(), 10); ++i) {
    replace_all(text, "\"$" + std::to_string(i) + "\"", parameters[i].text);
    replace_all(text, "$" + std::to_string(i), parameters[i].text);
    replace_all(text, "${" + std::to_string(i) + "}", parameters[i].text);
  }
  if (text != code.text) found.push_back({.wrapper = wrapper, .script = std::move(text)});
}

/// Whether the file is what the command reads anyway. `/dev/fd/3` may be something else.
bool is_standard_input(std::string_view file) {
  return file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" || file == "/proc/self/fd/0";
}

/// The code of a shell is the operand behind `-c`, or a script file, or standard input. The content of a script file is
/// not read, unless the same text wrote it: running a file is visible as such. Standard input is read as far as the
/// text shows it (`echo … | sh`, `sh <<EOF`).
void unwrap_shell(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  const std::string name(base_name(command.words[0].text));
  const ShellArguments args = read_shell_arguments(command.words);
  if (args.only_informs) return;
  unwrap_start_files(command, feed, found);
  for (size_t i = 1; i + 1 < command.words.size(); ++i) {
    const bool is_start = command.words[i].text == "--rcfile" || command.words[i].text == "--init-file";
    const std::string* const text = is_start ? written_to(feed, command.words[i + 1]) : nullptr;
    if (text != nullptr) add_written(*text, command, found);
  }
  if (args.is_dynamic) add_unknown(name, found);
  const bool has_operand = args.operand < command.words.size();
  if (args.has_code) {
    if (!has_operand) return add_unknown(name + " -c", found);
    return add_with_parameters(command.words[args.operand], Words(command.words).subspan(args.operand + 1),
                               name + " -c", found);
  }
  if (has_operand && !args.reads_input) {
    const Word& file = command.words[args.operand];
    if (const std::string* text = written_to(feed, file)) return add_written(*text, command, found);
    if (is_written_unseen(feed, file)) return add_unknown(name, found);
    const bool is_input = file.text == "-" || file.text.starts_with("/dev/") || file.text.starts_with("/proc/");
    if (!is_input && !file.is_dynamic()) return;
    if (file.is_dynamic()) return add_unknown(name, found);
    if (!is_standard_input(file.text)) add_unknown(name, found);
  }
  add_feed(name, feed, found);
}

/// Whether a test in front of find's `-delete` leaves only some files over, so that it deletes no whole directory.
bool narrows_find(Words words, size_t delete_at) {
  constexpr auto kTests = std::to_array<std::string_view>(
      {"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-empty", "-inum", "-samefile"});
  const auto is_or = [](const Word& word) { return word.text == "-o" || word.text == "-or" || word.text == ","; };
  if (std::ranges::any_of(words, is_or)) return false;
  for (size_t i = 1; i < delete_at; ++i) {
    const std::string& value = words[i + 1].text;
    const bool is_any = value.find_first_not_of("*./") == std::string::npos || words[i + 1].is_dynamic();
    const bool is_negated = words[i - 1].text == "!" || words[i - 1].text == "-not";
    const bool has_value = words[i].text != "-empty";
    if (std::ranges::find(kTests, words[i].text) != kTests.end() && !is_negated && !(has_value && is_any)) return true;
  }
  return false;
}

/// Whether no test of find leaves a file out.
bool takes_all_files(Words words) {
  constexpr auto kNoTests =
      std::to_array<std::string_view>({"-type", "-depth", "-d", "-mindepth", "-xdev", "-mount", "-print", "-print0",
                                       "-exec", "-execdir", "-ok", "-okdir", "-follow", "-L", "-H", "-P"});
  bool is_command = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    const bool begins = text.starts_with("-exec") || text.starts_with("-ok");
    if (is_command && (text == ";" || text == "+")) is_command = false;
    if (!is_command && (text == "!" || (is_option(text) && !is_one_of(text, kNoTests)))) return false;
    if (!is_command && text == "-type" && i + 1 < words.size() && words[i + 1].text == "l") return false;
    is_command = is_command || begins;
  }
  return true;
}

/// `-exec cmd {} ;` runs a command for each file. `-delete` is reported as `rm -rf` of the directories, or as `rm` of
/// some files in them, so that rules about `rm` apply to it.
void unwrap_find(const SimpleCommand& command, std::vector<Inner>& found) {
  const auto& words = command.words;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    Inner inner{.wrapper = "find " + text};
    if (text == "-delete") {
      inner.command.words = {literal_word("rm"), literal_word(narrows_find(words, i) ? "-f" : "-rf")};
      for (size_t k = 1; k < i && !is_option(words[k].text); ++k) inner.command.words.push_back(words[k]);
      found.push_back(std::move(inner));
      continue;
    }
    if (text != "-exec" && text != "-execdir" && text != "-ok" && text != "-okdir") continue;
    for (++i; i < words.size() && words[i].text != ";" && words[i].text != "+"; ++i) {
      inner.command.words.push_back(words[i]);
    }
    replace_all_with_gaps(inner.command.words, "{}");
    inner.command.is_open = command.is_open;
    // Every file below a directory: as if the directory was deleted.
    const std::string_view program = inner.command.words.empty() ? "" : base_name(inner.command.words[0].text);
    if ((program == "rm" || program == "unlink") && takes_all_files(command.words)) {
      inner.command.words[0] = literal_word("rm");
      inner.command.words.insert(inner.command.words.begin() + 1, literal_word("-r"));
    }
    found.push_back(std::move(inner));
  }
}

/// `ssh host cmd args` joins its operands and runs them on the other machine; without a command, the remote shell reads
/// standard input.
void unwrap_ssh(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  const OptionRow* const options = find_options("ssh");
  std::vector<Word> rest = operands_of(command.words, options);
  if (rest.empty()) return;
  const std::string& host = rest[0].text;
  const bool is_here = host.ends_with("localhost") || host.ends_with("127.0.0.1") || host.ends_with("::1");
  const size_t from = found.size();
  if (rest.size() > 1) {
    // ssh also accepts options behind the host.
    rest = operands_of(rest, options);
    add_script(rest, "ssh", found);
  } else if (feed.is_there) {
    add_feed("ssh", feed, found);
  }
  for (size_t i = from; i < found.size(); ++i) found[i].is_remote = !is_here;
}

/// Everything in front of `:::` is the command; the arguments behind it are appended, so the command is open. Without a
/// command, the arguments are the commands.
void unwrap_parallel(const SimpleCommand& command, std::vector<Inner>& found) {
  std::vector<Word> words = operands_of(command.words, find_options("parallel"));
  const auto stop = std::ranges::find_if(words, [](const Word& w) { return w.text.starts_with(":::"); });
  const std::vector<Word> arguments(stop == words.end() ? stop : stop + 1, words.end());
  words.erase(stop, words.end());
  if (words.empty() && arguments.empty()) return add_unknown("parallel", found);
  if (words.empty()) {
    for (const Word& word : arguments) add_script({word}, "parallel", found);
    return;
  }
  std::string joined;
  for (const Word& word : words) (joined += word.text) += ' ';
  for (const Word& argument : arguments) {
    std::string one = joined + (joined.contains("{}") ? "" : argument.text);
    replace_all(one, "{}", argument.text);
    found.push_back({.wrapper = "parallel", .script = std::move(one)});
  }
  replace_all_with_gaps(words, "{}");
  add_script(words, "parallel", found);
  found.back().is_open = true;
}

/// The value of an alias counts as if it ran here. Whoever uses it later adds words, so it is open.
void unwrap_alias(const SimpleCommand& command, std::vector<Inner>& found) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const size_t equals = word.text.find('=');
    if (word.is_dynamic()) add_unknown("alias", found);
    if (equals == std::string::npos) continue;
    found.push_back({.wrapper = "alias", .script = word.text.substr(equals + 1), .is_open = true});
  }
}

/// `env -S 'cmd args'` splits the text into words itself. The text, together with the words behind it, is read as a
/// script.
void unwrap_env_split(const SimpleCommand& command, std::vector<Inner>& found) {
  for (size_t i = 1; i < command.words.size() && (is_option(command.words[i].text) || is_assignment(command.words[i]));
       ++i) {
    const std::string& text = command.words[i].text;
    const bool is_long = text.starts_with("--split-string");
    const size_t at = is_long ? std::string::npos : text.find('S');
    if (!is_long && (at == std::string::npos || text.starts_with("--") || !is_option(text))) continue;
    std::vector<Word> words(command.words.begin() + static_cast<ptrdiff_t>(i), command.words.end());
    words.front() = drop_front(command.words[i], is_long ? 15 : at + 1);
    return add_script(words, "env", found);
  }
}

/// tmux takes several commands, separated by `;`. Those that run something get it as their operands.
void unwrap_tmux(const SimpleCommand& command, std::vector<Inner>& found) {
  constexpr auto kRunning = std::to_array<std::string_view>(
      {"new-session",    "new",      "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp",
       "respawn-window", "respawnw", "run-shell",  "run",  "if-shell",     "if",     "pipe-pane",    "pipep",
       "display-popup",  "popup",    "send-keys",  "send"});
  static constexpr OptionRow kTmuxOptions{.program = "", .letters = "bcdeFfhLlnNSstTxyw"};
  const Words words = command.words;
  for (size_t at = 1; at < words.size(); ++at) {
    const bool runs = std::ranges::find(kRunning, words[at].text) != kRunning.end();
    if (!runs) continue;
    size_t end = at + 1;
    while (end < words.size() && words[end].text != ";") ++end;
    // `-d` and `-b` take no value for most commands; both readings do no harm.
    std::vector<Word> rest(words.begin() + static_cast<ptrdiff_t>(at) + 1, words.begin() + static_cast<ptrdiff_t>(end));
    std::erase_if(rest, [](const Word& w) { return w.text == "-d" || w.text == "-b" || w.text == "-h"; });
    std::vector<Word> operands = operands_of(rest, &kTmuxOptions, 0);
    std::erase_if(operands, [](const Word& w) { return w.text == "Enter" || w.text == "C-m" || w.text == "KPEnter"; });
    const bool is_conditional = words[at].text.starts_with("if");
    for (const Word& word : is_conditional ? operands : std::vector<Word>{}) add_script({word}, "tmux", found);
    if (!is_conditional && !operands.empty()) add_script(operands, "tmux", found);
    at = end;
  }
}

/// Builtins that compute with their operands or take them for names of variables. Both may contain an index, and a
/// shell expands it: `test -v 'a[$(rm x)]'` runs rm.
bool evaluates_operands(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>({"let", "test", "[", "[[", "printf", "read", "unset",
                                                                  "declare", "typeset", "local", "export", "readonly",
                                                                  "wait", "mapfile", "readarray", "getopts", "exec"});
  static constexpr RowIndex kIndex(kNames);
  return kIndex.contains(name);
}

void unwrap_operands(const SimpleCommand& command, std::vector<Inner>& found) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    // What is left of an expansion behind quote removal has been quoted.
    if (!word.text.contains("$(") && !word.text.contains('`')) continue;
    const bool is_printed = command.words[0].text == "printf" && (i < 2 || command.words[i - 1].text != "-v");
    if (!is_printed) found.push_back({.wrapper = command.words[0].text, .script = ": " + word.text});
  }
}

/// The words behind an option that runs them: `jobs -x cmd`, `fd -x cmd`.
void unwrap_behind(std::string_view options, const SimpleCommand& command, std::vector<Inner>& found) {
  for (size_t i = 1; i + 1 < command.words.size(); ++i) {
    if (!has_name(options, command.words[i].text)) continue;
    Inner inner{.wrapper = std::string(base_name(command.words[0].text))};
    for (size_t k = i + 1; k < command.words.size() && command.words[k].text != ";"; ++k) {
      inner.command.words.push_back(command.words[k]);
    }
    replace_all_with_gaps(inner.command.words, "{}");
    inner.command.is_open = inner.wrapper != "jobs";
    found.push_back(std::move(inner));
    return;
  }
}

/// The operand of `trap` in front of the signals; nothing for `trap -p`, and for one operand, which is a signal.
void unwrap_trap(const SimpleCommand& command, std::vector<Inner>& found) {
  size_t at = 1;
  while (at < command.words.size() && is_option(command.words[at].text)) ++at;
  if (at + 1 < command.words.size()) add_script({command.words[at]}, "trap", found);
}

/// The program that `start-stop-daemon` starts, with the words behind `--`.
void unwrap_daemon(const SimpleCommand& command, std::vector<Inner>& found) {
  const OptionRow* const options = find_options("start-stop-daemon");
  Inner inner{.wrapper = "start-stop-daemon"};
  for (size_t i = 1; i < command.words.size(); ++i) {
    const OptionUse use = read_option(options, command.words[i].text);
    const bool is_program = use.name == "-x" || use.name == "--exec" || use.name == "-a" || use.name == "--startas";
    if (is_program && use.takes_next && i + 1 < command.words.size()) inner.command.words = {command.words[i + 1]};
    if (is_program && !use.takes_next) inner.command.words = {drop_front(command.words[i], use.value_at)};
    if (use.takes_next) ++i;
    if (command.words[i].text != "--" || inner.command.words.empty()) continue;
    inner.command.words.insert(inner.command.words.end(), command.words.begin() + static_cast<ptrdiff_t>(i) + 1,
                               command.words.end());
    break;
  }
  if (!inner.command.words.empty()) found.push_back(std::move(inner));
}

/// `npm pkg set scripts.x='…'`: the value counts as if it ran here.
void unwrap_npm(const SimpleCommand& command, std::vector<Inner>& found) {
  for (const Word& word : command.words) {
    const size_t equals = word.text.find('=');
    if (word.text.starts_with("scripts.") && equals != std::string::npos) {
      add_script({drop_front(word, equals + 1)}, "npm pkg set", found);
    }
  }
}

/// Options with which a program deletes what it has packed, or what is in the way of what it unpacks.
struct DeletingRow {
  std::string_view program;
  std::string_view option;
  std::string_view needs = "";  ///< it deletes directories only with this one
};
constexpr auto kDeleting = std::to_array<DeletingRow>({
    {"tar", "--remove-files"},
    {"tar", "--recursive-unlink"},
    {"7z", "-sdel"},
    {"7za", "-sdel"},
    {"7zz", "-sdel"},
    {"zip", "-m", "-r"},
    {"zip", "--move", "-r"},
});

constexpr RowIndex kDeletingIndex(kDeleting, &DeletingRow::program);

void unwrap_deleting(std::string_view name, const SimpleCommand& command, std::vector<Inner>& found) {
  kDeletingIndex.each(name, [&](const DeletingRow& row) {
    const bool is_word = row.option.size() > 2;
    const bool is_there = is_word ? std::ranges::find(command.words, row.option, &Word::text) != command.words.end()
                                  : has_flag(command, row.option) == Certainty::Yes;
    if (!is_there || (!row.needs.empty() && has_flag(command, row.needs) != Certainty::Yes)) return;
    Inner inner{.wrapper = std::string(name)};
    inner.command.words = {literal_word("rm"), literal_word("-r")};
    for (const Word& word : operands_of(command.words, find_options(name))) inner.command.words.push_back(word);
    found.push_back(std::move(inner));
  });
}

/// `gh api -X PATCH repos/o/r/git/refs/heads/main -F force=true` is a forced push without git.
void unwrap_forge(std::string_view name, const SimpleCommand& command, std::vector<Inner>& found) {
  constexpr auto kClients = std::to_array<std::string_view>({"gh", "glab", "curl", "wget", "http", "xh"});
  if (!is_one_of(name, kClients)) return;
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(command.words, [&](const Word& word) { return word.text.contains(part); }) ||
           std::ranges::any_of(command.redirections, [&](const auto& one) { return one.target.text.contains(part); });
  };
  if (!has("/git/refs") || !has("force")) return;
  Inner inner{.wrapper = std::string(name)};
  inner.command.words = {literal_word("git"), literal_word("push"), literal_word("--force")};
  found.push_back(std::move(inner));
}

/// Programs that delete directories without being told to.
void unwrap_deleter(const SimpleCommand& command, std::vector<Inner>& found) {
  Inner inner{.wrapper = std::string(base_name(command.words[0].text)), .command = command};
  inner.command.words[0] = literal_word("rm");
  inner.command.words.insert(inner.command.words.begin() + 1, literal_word("-r"));
  found.push_back(std::move(inner));
}

/// `cmake -E` has programs of its own; one of them deletes directories.
void unwrap_cmake(const SimpleCommand& command, std::vector<Inner>& found) {
  unwrap_behind(" -E ", command, found);
  if (command.words.size() < 4 || command.words[2].text != "remove_directory") return;
  Inner inner{.wrapper = "cmake", .command = command};
  inner.command.words.erase(inner.command.words.begin(), inner.command.words.begin() + 3);
  inner.command.words.insert(inner.command.words.begin(), {literal_word("rm"), literal_word("-r")});
  found.push_back(std::move(inner));
}

/// `coreutils --coreutils-prog=rm -r x`
void unwrap_coreutils(const SimpleCommand& command, std::vector<Inner>& found) {
  if (command.words.size() < 2) return;
  Inner inner{.wrapper = "coreutils", .command = command};
  inner.command.words.erase(inner.command.words.begin());
  const size_t equals = inner.command.words[0].text.find('=');
  if (equals != std::string::npos) inner.command.words[0] = drop_front(inner.command.words[0], equals + 1);
  found.push_back(std::move(inner));
}

/// Wrappers whose operands are shell code, and those that fit none of the tables.
void unwrap_joining(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  if (name == "eval") return add_script(operands_of(command.words, nullptr), "eval", found);
  if (name == "ssh") return unwrap_ssh(command, feed, found);
  if (name == "watch") return add_script(operands_of(command.words, find_options("watch")), "watch", found);
  if (name == "parallel" || name == "sem") return unwrap_parallel(command, found);
  if (name == "alias") return unwrap_alias(command, found);
  if (name == "find" || name == "gfind") return unwrap_find(command, found);
  if (name == "fd" || name == "fdfind") return unwrap_behind(" -x -X --exec --exec-batch ", command, found);
  if (name == "cmake") unwrap_cmake(command, found);
  unwrap_deleting(name, command, found);
  unwrap_forge(name, command, found);
  if (name == "coreutils") return unwrap_coreutils(command, found);
  if (name == "npm") unwrap_npm(command, found);
  if (name == "rimraf" || name == "del-cli") return unwrap_deleter(command, found);
  if (name == "jobs") return unwrap_behind(" -x ", command, found);
  if (name == "hash") return unwrap_behind(" -p ", command, found);
  if (name == "nix" || name == "vagrant") unwrap_behind(" -c --command ", command, found);
  if (name == "env") return unwrap_env_split(command, found);
  if (name == "trap") return unwrap_trap(command, found);
  if (name == "tmux") return unwrap_tmux(command, found);
  if (name == "start-stop-daemon") return unwrap_daemon(command, found);
  if (evaluates_operands(name)) unwrap_operands(command, found);
  if (name == "hyperfine" || name == "concurrently" || name == "pee") {
    for (const Word& word : operands_of(command.words, nullptr)) add_script({word}, std::string(name), found);
  }
  const bool sources = name == "source" || name == ".";
  if (!sources) return;
  const std::vector<Word> files = operands_of(command.words, nullptr);
  if (files.empty()) return;
  if (const std::string* text = written_to(feed, files[0])) return add_written(*text, command, found);
  if (is_written_unseen(feed, files[0])) return add_unknown("source", found);
  if (files[0].is_dynamic()) return add_unknown("source", found);
  const bool is_input = files[0].text.starts_with("/dev/") || files[0].text.starts_with("/proc/");
  if (!is_input) return;
  if (!is_standard_input(files[0].text)) add_unknown("source", found);
  add_feed("source", feed, found);
}

}  // namespace

std::vector<Word> operands_of(std::span<const Word> words, const OptionRow* row, size_t at) {
  while (at < words.size() && is_option(words[at].text)) {
    if (words[at].text == "--") {
      ++at;
      break;
    }
    at += read_option(row, words[at].text).takes_next ? 2 : 1;
  }
  if (at >= words.size()) return {};
  return {words.begin() + static_cast<ptrdiff_t>(at), words.end()};
}

/// The word with a gap in place of each `mark`, the placeholder (`{}`) that xargs, find or parallel replaces with an
/// argument. Gaps behind a removed mark move forward by its length.
static Word replace_with_gaps(const Word& word, std::string_view mark) {
  Word out = word;
  for (size_t at; !mark.empty() && (at = out.text.find(mark)) != std::string::npos;) {
    out.text.erase(at, mark.size());
    for (size_t& gap : out.gaps) gap = gap <= at ? gap : std::max(at, gap - std::min(gap, mark.size()));
    out.gaps.push_back(at);
  }
  std::ranges::sort(out.gaps);
  out.gaps.erase(std::ranges::unique(out.gaps).begin(), out.gaps.end());
  return out;
}

void replace_all_with_gaps(std::vector<Word>& words, std::string_view mark) {
  for (Word& word : words) word = replace_with_gaps(word, mark);
}

void add_feed(const std::string& wrapper, const Feed& feed, std::vector<Inner>& found) {
  if (!feed.text) return add_unknown(wrapper, found);
  add_script({literal_word(*feed.text)}, wrapper, found);
}

void add_unknown(const std::string& wrapper, std::vector<Inner>& found) {
  found.push_back({.wrapper = wrapper, .command = unknown_command()});
}

void add_unread(const std::string& wrapper, const SimpleCommand& command, const Word* code, const Feed& feed,
                std::vector<Inner>& found) {
  const bool is_there = code != nullptr ? !code->text.empty() : feed.text.has_value();
  if (!is_there) return add_unknown(wrapper, found);
  if (code != nullptr && code->gaps.empty() && Mentions::only_prints(code->text)) return;
  std::string text;
  for (const Word& word : command.words) (text += word.text) += '\n';
  for (const Assignment& assignment : command.assignments) (text += assignment.value.text) += '\n';
  text += feed.text.value_or("");
  // Code of a shell that other code hands on: `system("git pus\\h")`.
  if (text.contains('\\')) {
    std::string plain = text;
    std::erase(plain, '\\');
    text += plain;
  }
  found.push_back({.wrapper = wrapper, .command = unknown_command(std::move(text))});
}

void add_script(const std::vector<Word>& words, const std::string& wrapper, std::vector<Inner>& found) {
  std::string text;
  bool is_dynamic = false;
  for (const Word& word : words) {
    if (!text.empty()) text += ' ';
    is_dynamic = is_dynamic || !word.gaps.empty();
    size_t from = 0;
    for (const size_t gap : word.gaps) {
      text += word.text.substr(from, gap - from) + "${_}";
      from = gap;
    }
    text += word.text.substr(from);
  }
  if (is_dynamic) {
    // A gap at the front may be any command. Further back, the text around it tells what it may be about.
    const bool is_seen = !text.starts_with("${_}");
    found.push_back({.wrapper = wrapper, .command = unknown_command(is_seen ? std::optional(text) : std::nullopt)});
  }
  found.push_back({.wrapper = wrapper, .script = std::move(text)});
}

std::vector<Inner> unwrap(const SimpleCommand& command, const Feed& feed) {
  std::vector<Inner> found;
  unwrap_variables(command, feed, found);
  if (feed.written != nullptr && empties_git_hook(command)) (*feed.written)["git core.hookspath"] = "";
  if (command.words.empty()) return found;
  const Word& program = command.words[0];
  // A program that starts with an unquoted gap may be any command already; there is nothing to add.
  if (program.splits && program.gaps.front() == 0) return found;
  const std::string_view name = base_name(program.text);
  // A program whose base name is not fully known may be a wrapper. `"$DIR"/ls` is known: the gap is in the directory,
  // and the quotes keep it in one word.
  const bool is_known =
      program.gaps.empty() || (!program.splits && program.gaps.back() + name.size() < program.text.size());
  if (!is_known || program.is_odd) {
    add_unknown("", found);
    return found;
  }
  note_written(name, command, feed);
  if (shell::is_shell(name)) unwrap_shell(command, feed, found);
  unwrap_files(name, command, feed, found);
  unwrap_joining(name, command, feed, found);
  unwrap_prefix(name, command, feed, found);
  std::ranges::move(unwrap_code(command, feed), std::back_inserter(found));
  // GNU's programs have a `g` in front where others have the plain name.
  static constexpr auto kGnu = std::to_array<std::string_view>(
      {"grm",    "gcp",    "gmv",       "gln",    "gtee",    "gtouch",  "gdd",   "ginstall",
       "gchmod", "gchown", "gtruncate", "gmkdir", "gcat",    "ghead",   "gtail", "gtar",
       "gxargs", "genv",   "gnice",     "gnohup", "gstdbuf", "gmktemp", "gshred"});
  static constexpr RowIndex kGnuIndex(kGnu);
  if (kGnuIndex.contains(name)) {
    Inner inner{.wrapper = std::string(name), .command = command};
    inner.command.words[0] = literal_word(name.substr(1));
    found.push_back(std::move(inner));
  }
  if (is_git(name)) unwrap_git(command, feed, found);
  return found;
}

}  // namespace grapnel::call
