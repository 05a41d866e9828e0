#include "call/wrappers.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "call/mention.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

/// There are four shapes of wrappers:
///
///   prefix    `sudo -u me cmd args`    the words behind the wrapper's own options are the command (table `kPrefixes`)
///   script    `bash -c 'text'`         a word, or standard input, is shell code
///   joining   `eval a b`, `ssh h a b`  the operands are joined with spaces, and the result is shell code
///   code      `python -c 'text'`       the code is not shell code: the unknown command (`code_flags.cc`)
///
/// One program may have several shapes (`env cmd`, `env -S 'text'`), so `unwrap` asks for all of them and collects the
/// results. When a wrapper's arguments are dynamic, the unknown command is added: finding too much only leads to a
/// question, finding too little leaves a guard out.
namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;
using shell::unknown_command;

/// A program whose operands are a command. Options listed in a row take the next word as their value, unless it is
/// attached.
struct PrefixRow {
  std::string_view name;
  std::string_view short_values = "";
  std::string_view long_values = "";  ///< names with a space around each
  int operands = 0;                   ///< how many operands precede the command: `timeout 5 cmd` has one
  bool assigns = false;               ///< NAME=value may precede the command
  bool is_open = false;               ///< it adds words to the command, as xargs does
  std::string_view subcommand = "";   ///< it is a wrapper only with this word: `uv run cmd`
};
constexpr auto kPrefixes = std::to_array<PrefixRow>({
    {"sudo", "ABCDghpRrtTUu", " user group host prompt chroot role type chdir other-user close-from ", 0, true},
    {"doas", "aCu"},
    {"env", "uC", " unset chdir ", 0, true},
    {"command"},
    {"builtin"},
    {"exec", "a"},
    {"nohup"},
    {"time", "fo", " format output "},
    {"gtime", "fo", " format output "},
    {"timeout", "ks", " signal kill-after ", 1},
    {"gtimeout", "ks", " signal kill-after ", 1},
    {"nice", "n", " adjustment "},
    {"ionice", "cn", " class classdata "},
    {"chrt", "TPD", "", 1},
    {"taskset", "", "", 1},
    {"setsid"},
    {"stdbuf", "ioe", " input output error "},
    {"unbuffer"},
    {"strace", "abeEIoOpPsSuUX"},
    {"ltrace", "aAeFlnopsuwxX"},
    {"fakeroot", "lsb"},
    {"chroot", "", "", 1},
    {"caffeinate", "tw"},
    {"unshare", "RwSG"},
    {"nsenter", "tSG", " target "},
    {"systemd-run", "pEMHtu", " unit property setenv machine host uid gid "},
    {"pkexec", "", " user "},
    {"runuser", "ugG", " user group "},
    {"setpriv", "", " reuid regid groups "},
    {"proxychains4", "f"},
    {"proxychains", "f"},
    {"torsocks"},
    {"coproc"},
    {"busybox"},
    {"toybox"},
    {"xvfb-run", "efnpsw"},
    {"dbus-run-session"},
    {"rlwrap"},
    {"faketime", "", "", 1},
    {"flock", "wE", " wait timeout conflict-exit-code ", 1},
    {"setarch"},
    {"linux64"},
    {"linux32"},
    {"valgrind"},
    {"entr"},
    {"noglob"},
    {"nocorrect"},
    {"winpty"},
    {"npx", "pc", " package call "},
    {"bunx"},
    {"dotenv", "ef"},
    {"xargs", "adEILnPs", " arg-file delimiter eof max-args max-procs max-chars process-slot-var ", 0, false, true},
    {"uv", "", " with python project directory ", 0, false, false, "run"},
    {"poetry", "", "", 0, false, false, "run"},
    {"pipenv", "", "", 0, false, false, "run"},
    {"conda", "np", " name prefix cwd ", 0, false, false, "run"},
    {"bundle", "", "", 0, false, false, "exec"},
    {"npm", "", " package ", 0, false, false, "exec"},
    {"pnpm", "", "", 0, false, false, "exec"},
    {"yarn", "", "", 0, false, false, "exec"},
    {"direnv", "", "", 1, false, false, "exec"},
    {"git", "", "", 1, false, false, "bisect"},
    {"docker", "euw", " env user workdir ", 1, false, false, "exec"},
    {"podman", "euw", " env user workdir ", 1, false, false, "exec"},
    {"kubectl", "cn", " container namespace ", 1, false, false, "exec"},
});

using Words = std::span<const Word>;

bool is_option(const Word& word) {
  return word.text.size() > 1 && word.text[0] == '-';
}

/// `command -v` prints where a program is and runs nothing.
bool is_query(std::string_view option) {
  return option == "-v" || option == "-V";
}

bool is_assignment(const Word& word) {
  const size_t equals = word.text.find('=');
  return equals != std::string::npos && equals > 0;
}

/// How many words this option takes, itself included. A letter that takes a value has it attached, unless it is the
/// last one of its bundle.
size_t option_width(const PrefixRow& row, const Word& word) {
  const std::string& text = word.text;
  if (text.starts_with("--")) {
    return row.long_values.contains(" " + text.substr(2) + " ") ? 2 : 1;
  }
  const size_t takes = text.find_first_of(row.short_values, 1);
  return takes == text.size() - 1 && !row.short_values.empty() && !word.is_dynamic() ? 2 : 1;
}

/// Skips a wrapper's own options, assignments and operands; the remaining words are the inner command. It inherits the
/// assignments that precede the wrapper, since they apply to both.
class PrefixReader {
 public:
  PrefixReader(const PrefixRow& row, const SimpleCommand& outer) : row_(row), words_(outer.words) {
    inner_.command.assignments = outer.assignments;
    inner_.command.is_open = outer.is_open || row.is_open;
    inner_.wrapper = row.name;
  }

  std::vector<Inner> read() {
    size_t at = 1;
    const bool only_asks = row_.name == "command" && words_.size() > 1 && is_query(words_[1].text);
    if (only_asks) return {};
    if (!row_.subcommand.empty()) {
      while (at < words_.size() && is_option(words_[at])) ++at;
      if (at >= words_.size() || words_[at].text != row_.subcommand) return {};
      ++at;
    }
    at = skip_options(at);
    for (int i = 0; i < row_.operands && at < words_.size(); ++i) ++at;
    if (row_.operands > 0) at = skip_options(at);
    if (at < words_.size()) {
      inner_.command.words.assign(words_.begin() + static_cast<ptrdiff_t>(at), words_.end());
      found_.push_back(std::move(inner_));
    } else if (inner_.command.is_open) {
      add_unknown(std::string(row_.name), found_);
    }
    return std::move(found_);
  }

 private:
  /// The index of the first word that is neither an option nor an assignment. An unquoted gap at the front of a word
  /// may expand to options and a whole command, so it adds the unknown command.
  size_t skip_options(size_t at) {
    while (at < words_.size()) {
      const Word& word = words_[at];
      if (!word.gaps.empty() && word.splits && word.gaps.front() == 0) {
        add_unknown(std::string(row_.name), found_);
        if (at + 1 == words_.size()) return at;
        ++at;
      } else if (word.text == "--") {
        return at + 1;
      } else if (is_option(word)) {
        at += option_width(row_, word);
      } else if (row_.assigns && is_assignment(word)) {
        const size_t equals = word.text.find('=');
        inner_.command.assignments.push_back({word.text.substr(0, equals), literal_word(word.text.substr(equals + 1))});
        ++at;
      } else {
        return at;
      }
    }
    return at;
  }

  const PrefixRow& row_;
  Words words_;
  Inner inner_;
  std::vector<Inner> found_;
};

/// The word with a gap in place of each `mark`, the placeholder (`{}`) that xargs, find or parallel replaces with an
/// argument. Gaps behind a removed mark move forward by its length.
Word replace_with_gaps(const Word& word, std::string_view mark) {
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

/// The placeholder of `xargs -I TEXT`; `{}` when none is given.
std::string replacement_of(Words words) {
  for (size_t i = 1; i < words.size() && is_option(words[i]); ++i) {
    const std::string& text = words[i].text;
    if (text == "-I" && i + 1 < words.size()) return words[i + 1].text;
    if (text.starts_with("-I")) return text.substr(2);
    if (text.starts_with("--replace=")) return text.substr(10);
  }
  return "{}";
}

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

/// The code of a shell is the operand behind `-c`, or a script file, or standard input. The content of a script file is
/// not read: running a file is visible as such. Standard input is read as far as the text shows it (`echo … | sh`, `sh
/// <<EOF`).
void unwrap_shell(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  const std::string name(base_name(command.words[0].text));
  const ShellArguments args = read_shell_arguments(command.words);
  if (args.only_informs) return;
  if (args.is_dynamic) add_unknown(name, found);
  const bool has_operand = args.operand < command.words.size();
  if (args.has_code) {
    if (has_operand) return add_script({command.words[args.operand]}, name + " -c", found);
    return add_unknown(name + " -c", found);
  }
  if (has_operand && !args.reads_input) {
    const Word& file = command.words[args.operand];
    const bool is_input = file.text == "-" || file.text.starts_with("/dev/") || file.text.starts_with("/proc/");
    if (!is_input && !file.is_dynamic()) return;
    if (file.is_dynamic()) return add_unknown(name, found);
  }
  if (!feed.text) return add_unknown(name, found);
  add_script({literal_word(*feed.text)}, name, found);
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

/// `-exec cmd {} ;` runs a command for each file. `-delete` is reported as `rm -rf` of the directories, or as `rm` of
/// some files in them, so that rules about `rm` apply to it.
void unwrap_find(const SimpleCommand& command, std::vector<Inner>& found) {
  const auto& words = command.words;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    Inner inner{.wrapper = "find " + text};
    if (text == "-delete") {
      inner.command.words = {literal_word("rm"), literal_word(narrows_find(words, i) ? "-f" : "-rf")};
      for (size_t k = 1; k < i && !is_option(words[k]); ++k) inner.command.words.push_back(words[k]);
      found.push_back(std::move(inner));
      continue;
    }
    if (text != "-exec" && text != "-execdir" && text != "-ok" && text != "-okdir") continue;
    for (++i; i < words.size() && words[i].text != ";" && words[i].text != "+"; ++i) {
      inner.command.words.push_back(words[i]);
    }
    replace_all_with_gaps(inner.command.words, "{}");
    inner.command.is_open = command.is_open;
    found.push_back(std::move(inner));
  }
}

/// The words from the first operand on, for programs that join them to a command line.
std::vector<Word> operands_of(Words words, std::string_view short_values) {
  const PrefixRow row{.name = "", .short_values = short_values};
  size_t at = 1;
  while (at < words.size() && is_option(words[at])) {
    if (words[at].text == "--") {
      ++at;
      break;
    }
    at += option_width(row, words[at]);
  }
  if (at >= words.size()) return {};
  return {words.begin() + static_cast<ptrdiff_t>(at), words.end()};
}

/// `ssh host cmd args` joins its operands and runs them on the other machine; without a command, the remote shell reads
/// standard input.
void unwrap_ssh(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  std::vector<Word> rest = operands_of(command.words, "BbcDEeFIiJLlmOopQRSWw");
  const size_t from = found.size();
  if (rest.size() > 1) {
    // ssh also accepts options behind the host.
    rest = operands_of(rest, "BbcDEeFIiJLlmOopQRSWw");
    add_script(rest, "ssh", found);
  } else if (feed.is_there) {
    if (feed.text) {
      add_script({literal_word(*feed.text)}, "ssh", found);
    } else {
      add_unknown("ssh", found);
    }
  }
  for (size_t i = from; i < found.size(); ++i) found[i].is_remote = true;
}

/// Everything in front of `:::` is the command; the arguments behind it are appended, so the command is open.
void unwrap_parallel(const SimpleCommand& command, std::vector<Inner>& found) {
  std::vector<Word> words = operands_of(command.words, "aCdEIjLlNnPSsT");
  const auto stop = std::ranges::find_if(words, [](const Word& w) { return w.text.starts_with(":::"); });
  words.erase(stop, words.end());
  if (words.empty()) return add_unknown("parallel", found);
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
  for (size_t i = 1; i < command.words.size() && (is_option(command.words[i]) || is_assignment(command.words[i]));
       ++i) {
    const std::string& text = command.words[i].text;
    const bool is_long = text.starts_with("--split-string");
    const size_t at = is_long ? std::string::npos : text.find('S');
    if (!is_long && (at == std::string::npos || text.starts_with("--") || !is_option(command.words[i]))) continue;
    std::vector<Word> words(command.words.begin() + static_cast<ptrdiff_t>(i), command.words.end());
    words.front() = drop_front(command.words[i], is_long ? 15 : at + 1);
    return add_script(words, "env", found);
  }
}

/// Wrappers whose operands are shell code, and those that fit none of the tables.
void unwrap_joining(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  if (name == "eval") return add_script({command.words.begin() + 1, command.words.end()}, "eval", found);
  if (name == "ssh") return unwrap_ssh(command, feed, found);
  if (name == "watch") return add_script(operands_of(command.words, "nq"), "watch", found);
  if (name == "parallel") return unwrap_parallel(command, found);
  if (name == "alias") return unwrap_alias(command, found);
  if (name == "find" || name == "gfind") return unwrap_find(command, found);
  if (name == "env") return unwrap_env_split(command, found);
  if (name == "trap" && command.words.size() > 2) return add_script({command.words[1]}, "trap", found);
  if (name == "hyperfine" || name == "concurrently") {
    for (const Word& word : operands_of(command.words, "")) add_script({word}, std::string(name), found);
  }
  const bool sources = name == "source" || name == ".";
  if (sources && command.words.size() > 1) {
    const Word& file = command.words[1];
    if (file.is_dynamic() || file.text.starts_with("/dev/")) add_unknown("source", found);
  }
}

}  // namespace

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
  if (shell::is_shell(name)) unwrap_shell(command, feed, found);
  if ((name == "at" || name == "batch") && feed.is_there) {
    if (feed.text) {
      add_script({literal_word(*feed.text)}, std::string(name), found);
    } else {
      add_unknown(std::string(name), found);
    }
  }
  unwrap_joining(name, command, feed, found);
  // A name may have several rows, one for each subcommand.
  for (const PrefixRow& row : kPrefixes) {
    if (row.name != name) continue;
    std::vector<Inner> inner = PrefixReader(row, command).read();
    if (name == "xargs") {
      for (Inner& one : inner) replace_all_with_gaps(one.command.words, replacement_of(command.words));
    }
    for (Inner& one : inner) one.is_remote = name == "docker" || name == "podman" || name == "kubectl";
    std::ranges::move(inner, std::back_inserter(found));
  }
  std::ranges::move(unwrap_code(command, feed), std::back_inserter(found));
  return found;
}

}  // namespace grapnel::call
