#include "call/reach.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "call/options.h"
#include "call/words.h"
#include "shell/word_scan.h"

namespace grapnel::call {

namespace {

/// Programs that use all files below a directory, or list them.
struct ReachRow {
  std::string_view program;
  std::string_view subcommand;  ///< "" for none
  std::string_view needs;       ///< options of which one is needed, separated by blanks; "" for none
  size_t operands = 0;          ///< words in front of the directories: a pattern, a name; git has paths behind `--`
  enum class Last : uint8_t { Source, Target } last = Last::Source;
  bool skips_hidden = false;
  bool is_list = false;
  Reach::Of of = Reach::Of::Disk;
};
using enum ReachRow::Last;
constexpr auto kReachRows = std::to_array<ReachRow>({
    {"grep", "", "-r -R --recursive --dereference-recursive", 1},
    {"egrep", "", "-r -R --recursive --dereference-recursive", 1},
    {"fgrep", "", "-r -R --recursive --dereference-recursive", 1},
    {"zgrep", "", "-r -R --recursive", 1},
    {"rgrep", "", "", 1},
    {"ugrep", "", "-r -R --recursive", 1},
    {"rg", "", "", 1, Source, true},
    {"ag", "", "", 1, Source, true},
    {"ack", "", "", 1},
    {"cp", "", "-r -R --recursive -a --archive", 0, Target},
    {"rsync", "", "-r --recursive -a --archive", 0, Target},
    {"scp", "", "-r", 0, Target},
    {"zip", "", "-r --recurse-paths", 1},
    {"7z", "", "", 2},
    {"docker", "build", "", 0},
    {"docker", "buildx", "", 1},
    {"docker", "cp", "", 0, Target},
    {"podman", "build", "", 0},
    {"podman", "cp", "", 0, Target},
    {"kubectl", "cp", "", 0, Target},
    {"oc", "cp", "", 0, Target},
    {"rclone", "copy", "", 0, Target},
    {"rclone", "sync", "", 0, Target},
    {"restic", "backup", "", 0},
    {"buildah", "bud", "", 0},
    {"git", "grep", "", 1, Source, false, false, Reach::Of::Tracked},
    {"git", "archive", "", 99, Source, false, false, Reach::Of::Tracked},
    {"git", "diff", "", 99, Source, false, false, Reach::Of::Changed},
    {"git", "ls-files", "", 0, Source, false, true, Reach::Of::Tracked},
    {"git", "status", "--ignored", 0, Source, false, true},
    {"git", "clean", "-x -X", 0, Source, false, true},
    {"diff", "", "-r --recursive", 0},
    {"pax", "", "-w", 0},
    {"mksquashfs", "", "", 0, Target},
    {"find", "", "", 0, Source, false, true},
    {"gfind", "", "", 0, Source, false, true},
    {"fd", "", "", 1, Source, true, true},
    {"fdfind", "", "", 1, Source, true, true},
    {"ls", "", "", 0, Source, true, true},
    {"tree", "", "", 0, Source, true, true},
    {"du", "", "", 0, Source, false, true},
});

/// Options that take hidden files in.
constexpr auto kHiddenOptions = std::to_array<std::string_view>(
    {"--hidden", "-.", "-H", "-uu", "-uuu", "--unrestricted", "-a", "-A", "--all", "--almost-all", "-u"});

/// Options whose value is a glob of names.
struct NameOption {
  std::string_view program;
  std::string_view option;
  bool is_except = false;
  bool is_always = false;  ///< wins over the globs of names that are left out
};
constexpr auto kNameOptions = std::to_array<NameOption>({
    {"grep", "--include"},
    {"grep", "--exclude", true},
    {"egrep", "--include"},
    {"egrep", "--exclude", true},
    {"rg", "-g"},
    {"rg", "--glob"},
    {"rg", "--iglob"},
    {"rsync", "--exclude", true},
    {"rsync", "--include", false, true},
    {"tar", "--exclude", true},
    {"zip", "-x", true},
    {"find", "-name"},
    {"find", "-iname"},
    {"gfind", "-name"},
    {"gfind", "-iname"},
    {"fd", "-g"},
});

bool has_any_flag(const SimpleCommand& command, std::string_view flags) {
  for (size_t at = 0; at < flags.size();) {
    const size_t end = std::min(flags.find(' ', at), flags.size());
    if (has_flag(command, flags.substr(at, end - at)) == Certainty::Yes) return true;
    at = end + 1;
  }
  return flags.empty();
}

/// tar's mode is a letter of its first word, with or without a dash, or a long option.
bool makes_archive(const SimpleCommand& command) {
  if (base_name(command.words[0].text) != "tar" || command.words.size() < 2) return false;
  const std::string& first = command.words[1].text;
  const bool is_bundle = !first.starts_with("--") && first.size() < 12 && !first.contains('/') && !first.contains('.');
  if (is_bundle && first.find_first_of("cru") != std::string::npos) return true;
  return std::ranges::any_of(command.words, [](const Word& word) {
    const bool is_short = word.text.starts_with('-') && !word.text.starts_with("--") && word.text.size() < 12;
    const bool has_mode = is_short && word.text.find_first_of("cru") != std::string::npos;
    return has_mode || word.text == "--create" || word.text == "--append" || word.text == "--update";
  });
}

/// Reads the words of one command of the table.
class ReachReader {
 public:
  ReachReader(const SimpleCommand& command, const ReachRow& row) : command_(command), row_(row) {
    out_.command = &command;
    out_.of = row.of;
    out_.is_list = row.is_list;
    out_.skips_hidden = row.skips_hidden;
    if (row.subcommand == "build" || row.program == "buildah") out_.ignore_file = ".dockerignore";
  }

  Reach read() {
    const auto& words = command_.words;
    const bool is_find = program() == "find" || program() == "gfind";
    size_t operands = row_.operands;
    bool has_options = true;
    for (size_t i = row_.subcommand.empty() ? 1 : find_subcommand(command_) + 1; i < words.size(); ++i) {
      const std::string& text = words[i].text;
      if (has_options && text == "--") {
        has_options = false;
        // What stands behind it in git's commands are paths.
        if (program() == "git") operands = 0;
        if (program() == "git") out_.from.clear();
        continue;
      }
      // What is behind it is the command that gets the names.
      if (is_fd() && (text == "-x" || text == "-X" || text.starts_with("--exec"))) break;
      const bool is_test = is_find && (text == "!" || text == "(");
      if (is_test || (has_options && text.size() > 1 && text[0] == '-')) {
        if (is_find) is_tested_ = true;
        i += read_option(i, operands);
        continue;
      }
      if (is_find && is_tested_) continue;
      if (operands > 0) {
        if (is_fd()) add_pattern(text);
        --operands;
      } else if (words[i].gaps.empty()) {
        out_.from.push_back(text);
      } else {
        is_elsewhere_ = true;
      }
    }
    if (row_.last == Target && !out_.from.empty()) out_.from.pop_back();
    // The directory of a build is its last word; the others are values of options.
    if (!out_.ignore_file.empty() && out_.from.size() > 1) out_.from = {out_.from.back()};
    split_globs();
    return std::move(out_);
  }

  /// Whether all directories are known only to the shell.
  bool is_elsewhere() const { return is_elsewhere_ && out_.from.empty(); }

 private:
  std::string_view program() const { return row_.program; }
  bool is_fd() const { return program() == "fd" || program() == "fdfind"; }

  /// fd's pattern is a regular expression, or a part of the name. What cannot be written as a glob may be any name.
  void add_pattern(std::string_view regex) {
    std::string glob = regex.starts_with('^') ? "" : "*";
    const bool ends = regex.ends_with('$');
    if (regex.starts_with('^')) regex.remove_prefix(1);
    if (ends) regex.remove_suffix(1);
    for (size_t i = 0; i < regex.size(); ++i) {
      const bool is_escaped = regex[i] == '\\' && i + 1 < regex.size();
      if (is_escaped) ++i;
      if (!is_escaped && std::string_view("*+?()[]{}|^$").contains(regex[i])) return;
      glob += !is_escaped && regex[i] == '.' ? '?' : regex[i];
    }
    if (!ends) glob += '*';
    if (glob.find_first_not_of("*?") == std::string::npos) return;
    out_.ignores_case = true;
    out_.only.push_back(std::move(glob));
  }

  /// Reads an option and returns how many words behind it belong to it.
  size_t read_option(size_t at, size_t& operands) {
    const auto& words = command_.words;
    const std::string& text = words[at].text;
    if (std::ranges::find(kHiddenOptions, text) != kHiddenOptions.end() || is_bundled_hidden(text)) {
      out_.skips_hidden = false;
    }
    // With `-e PATTERN`, or a list of files, no operand is the pattern.
    if (text == "-e" || text == "-f" || text == "--files" || text.starts_with("--regexp")) operands = 0;
    const bool lists_others = row_.subcommand == "ls-files" && text[1] != '-' && text.contains('o');
    if (text == "--no-index" || text == "--untracked" || text == "--others" || lists_others) out_.of = Reach::Of::Disk;
    for (const NameOption& option : kNameOptions) {
      if (option.program != program()) continue;
      const bool is_next = text == option.option && at + 1 < words.size();
      const bool is_attached = text.starts_with(std::string(option.option) + "=");
      if (!is_next && !is_attached) continue;
      add_name(is_next ? words[at + 1].text : text.substr(option.option.size() + 1), option, at);
      return is_next ? 1 : 0;
    }
    if (text == "-maxdepth" && at + 1 < words.size()) {
      const std::string& depth = words[at + 1].text;
      std::from_chars(depth.data(), depth.data() + depth.size(), out_.max_depth);
      return 1;
    }
    const bool takes_value = text.size() == 2 && call::read_option(find_options(program()), text).takes_next;
    return takes_value ? 1 : 0;
  }

  bool is_bundled_hidden(std::string_view text) const {
    return program() == "ls" && text.size() > 1 && text[1] != '-' && text.find_first_of("aAfR") != std::string::npos &&
           text.find_first_of("aA") != std::string::npos;
  }

  void add_name(std::string glob, const NameOption& option, size_t at) {
    const std::string before = at > 1 ? command_.words[at - 1].text : "";
    const bool is_negated = option.is_except || before == "!" || before == "-not" || glob.starts_with('!');
    if (glob.starts_with('!')) glob.erase(0, 1);
    const size_t slash = glob.rfind('/');
    if (slash != std::string::npos && slash + 1 < glob.size()) glob.erase(0, slash + 1);
    if (option.option == "-iname" || option.option == "--iglob") out_.ignores_case = true;
    if (option.is_always) return out_.always.push_back(std::move(glob));
    (is_negated ? out_.except : out_.only).push_back(std::move(glob));
  }

  /// For git, and where a shell expands the word, a glob among the directories is a set of names.
  void split_globs() {
    for (size_t i = 0; i < out_.from.size();) {
      const std::string& word = out_.from[i];
      const bool is_glob = word.find_first_of("*?[") != std::string::npos;
      if (!is_glob) {
        ++i;
        continue;
      }
      const size_t slash = word.rfind('/');
      out_.only.push_back(slash == std::string::npos ? word : word.substr(slash + 1));
      out_.from.erase(out_.from.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  const SimpleCommand& command_;
  const ReachRow& row_;
  Reach out_;
  bool is_tested_ = false;  ///< find's tests have begun; no directory follows
  bool is_elsewhere_ = false;
};

bool is_row_of(const ReachRow& row, const SimpleCommand& command) {
  if (base_name(command.words[0].text) != row.program) return false;
  if (!row.subcommand.empty()) {
    const size_t at = find_subcommand(command);
    if (at >= command.words.size() || command.words[at].text != row.subcommand) return false;
  }
  return has_any_flag(command, row.needs);
}

constexpr ReachRow kTar{.program = "tar", .subcommand = "", .needs = "", .operands = 0};

/// A bundle that ends with `f` takes the archive's name from the next word.
Reach read_tar(const SimpleCommand& command) {
  SimpleCommand plain = command;
  if (!plain.words[1].text.starts_with('-')) plain.words[1].text.insert(0, "-");
  for (size_t i = 1; i + 1 < plain.words.size(); ++i) {
    const std::string& text = plain.words[i].text;
    const bool is_bundled = text.starts_with('-') && !text.starts_with("--") && text.size() > 2 && text.ends_with('f');
    if (is_bundled) plain.words.erase(plain.words.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  std::string directory;
  for (size_t i = 1; i + 1 < plain.words.size(); ++i) {
    if (plain.words[i].text == "-C" || plain.words[i].text == "--directory") directory = plain.words[i + 1].text + "/";
  }
  Reach out = ReachReader(plain, kTar).read();
  for (std::string& from : out.from) from.insert(0, from.starts_with('/') ? "" : directory);
  out.command = &command;
  return out;
}

}  // namespace

bool Reach::takes(std::string_view name) const {
  const std::string text(name);
  const auto fits = [&](const std::string& glob) {
    return ::fnmatch(glob.c_str(), text.c_str(), ignores_case ? FNM_CASEFOLD : 0) == 0;
  };
  if (std::ranges::any_of(always, fits)) return true;
  if (std::ranges::any_of(except, fits)) return false;
  if (only.empty()) return !skips_hidden || !name.starts_with('.');
  return std::ranges::any_of(only, fits);
}

std::vector<Reach> reaches_of(const ParsedCommand& parsed) {
  std::vector<Reach> out;
  for (const SimpleCommand& command : parsed.commands) {
    // What works on the files of a list reaches nothing more.
    if (command.words.empty() || command.is_remote || command.code || !command.words[0].gaps.empty()) continue;
    if (makes_archive(command)) out.push_back(read_tar(command));
    if (command.is_open) continue;
    for (const ReachRow& row : kReachRows) {
      if (!is_row_of(row, command)) continue;
      ReachReader reader(command, row);
      Reach reach = reader.read();
      if (!reader.is_elsewhere()) out.push_back(std::move(reach));
      break;
    }
  }
  return out;
}

bool changes_globs(std::string_view text) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"dotglob", "nocaseglob", "extglob", "globstar", "GLOBIGNORE", "compgen"});
  return std::ranges::any_of(kWords, [&](std::string_view word) { return text.contains(word); });
}

/// Words with groups of patterns, `.+([a-z])v`, with a star in place of each group.
static void add_groups(std::string_view text, std::vector<std::string>& out) {
  if (!text.contains("extglob")) return;
  const bool takes_hidden = text.contains("dotglob") || text.contains("GLOBIGNORE");
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t\n;|&<>'\"", at);
    if (begin == std::string_view::npos) return;
    std::string glob;
    bool has_group = false;
    int depth = 0;
    for (at = begin; at < text.size() && (depth > 0 || !std::string_view(" \t\n;|&<>'\"").contains(text[at])); ++at) {
      const bool opens = at + 1 < text.size() && text[at + 1] == '(' && std::string_view("@+!?*").contains(text[at]);
      if (opens && depth == 0) glob += '*';
      if (opens || (depth > 0 && text[at] == '(' && !opens)) has_group = true;
      if (text[at] == '(') ++depth;
      if (depth == 0 && !opens) glob += text[at];
      if (text[at] == ')') --depth;
    }
    if (has_group && !glob.empty() && (takes_hidden || glob[0] != '*')) out.push_back(std::move(glob));
  }
}

std::vector<std::string> globs_in(std::string_view text) {
  std::vector<std::string> out;
  const bool is_odd = changes_globs(text);
  if (text.find_first_of("*?[@+!") == std::string_view::npos) return out;
  add_groups(text, out);
  for (shell::Token& token : shell::tokenize(text)) {
    const bool is_glob = token.has_glob || (is_odd && token.text.find_first_of("*?[@") != std::string::npos);
    if (!is_glob || token.text.contains('$')) continue;
    // The code of a shell that sets the option itself: `bash -O dotglob -c 'cat *'`.
    const size_t blank = is_odd ? token.text.rfind(' ') : std::string::npos;
    if (blank != std::string::npos) out.push_back(token.text.substr(blank + 1));
    out.push_back(std::move(token.text));
  }
  return out;
}

}  // namespace grapnel::call
