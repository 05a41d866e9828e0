#include "run/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "base/unique_fd.h"
#include "call/hook_command.h"
#include "shell/parse.h"
#include "shell/shell_words.h"

namespace grapnel {

namespace {

/// Whether the kernel can start the file by itself: a binary, or a script that names its interpreter.
bool is_startable(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0) return false;
  // Non-blocking, because opening a FIFO would otherwise wait for a writer.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 4> magic{};
  const ssize_t got = file ? ::read(file.get(), magic.data(), magic.size()) : -1;
  if (got < 0) return errno == EACCES;  // executable but unreadable: the kernel can still start it
  const std::string_view head(magic.data(), static_cast<size_t>(got));
  return head.starts_with("#!") || head ==
                                       "\x7f"
                                       "ELF";
}

bool is_name_char(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The command variable that starts at the front of `text` (`$NAME` or `${NAME}`), and how long its spelling is.
struct VariableUse {
  std::string_view name;
  size_t length = 0;
};
std::optional<VariableUse> variable_at(std::string_view text, std::span<const VariableRow> variables) {
  if (!text.starts_with('$')) return std::nullopt;
  const bool braced = text.substr(1).starts_with('{');
  const size_t start = braced ? 2 : 1;
  size_t end = start;
  while (end < text.size() && is_name_char(text[end])) ++end;
  if (braced && (end >= text.size() || text[end] != '}')) return std::nullopt;
  const std::string_view name = text.substr(start, end - start);
  const bool known =
      std::ranges::any_of(variables, [&](const VariableRow& row) { return row.in_command && row.name == name; });
  if (!known) return std::nullopt;
  return VariableUse{name, braced ? end + 1 : end};
}

/// Whether the quotes that open behind this text contain a program for another shell: `sh -c '…'`, `eval "…"`. That
/// shell expands the variable itself, so quoting it for the outer shell would be wrong there.
bool introduces_program(std::string_view before) {
  if (!before.ends_with(' ')) return false;
  std::vector<std::string_view> words = text::split(text::trim(before), ' ');
  std::erase(words, "");
  if (words.empty()) return false;
  if (words.back() == "eval") return true;
  // The option may be combined (`-lc`), and more options may stand between it and the shell.
  if (!words.back().starts_with('-') || !words.back().ends_with('c')) return false;
  while (!words.empty() && words.back().starts_with('-')) words.pop_back();
  if (words.empty()) return false;
  return shell::is_posix_shell(shell::base_name(words.back()));
}

/// Tells which quotes surround the current position. It is a stack, because `$( )` and backticks begin a new level
/// inside double quotes: in `"$(echo 'x')"` the single quotes are real quotes again. The bottom of the stack is a
/// blank, which means "no quotes".
class QuoteTracker {
 public:
  char current() const { return stack_.back(); }

  /// Whether the innermost quotes contain a program for another shell.
  bool holds_program() const { return stack_.size() == program_level_; }

  /// Moves over one character. Returns true if the next character is escaped and must be copied unseen.
  bool step(std::string_view text, size_t at) {
    const char c = text[at];
    const char here = current();
    if (here == '\'') {
      if (c == '\'') close();
      return false;
    }
    if (c == '\\') return true;
    if ((c == '\'' || c == '"') && here != '"')
      open(c, text.substr(0, at));
    else if (c == '"' || (c == ')' && here == '('))
      close();
    else if (c == '`')
      toggle('`');
    else if (c == '(' && at > 0 && text[at - 1] == '$')
      stack_.push_back('(');
    return false;
  }

 private:
  /// Backticks open and close with the same character, and may stand inside double quotes.
  void toggle(char quote) {
    if (current() == quote) {
      close();
    } else {
      stack_.push_back(quote);
    }
  }

  /// Opens quotes, and remembers the level if they contain a program for another shell.
  void open(char quote, std::string_view before) {
    stack_.push_back(quote);
    if (introduces_program(before)) program_level_ = stack_.size();
  }

  void close() {
    if (holds_program()) program_level_ = 0;
    stack_.pop_back();
  }

  std::vector<char> stack_ = {' '};
  size_t program_level_ = 0;  ///< size of the stack inside the program's quotes, 0 when there is none
};

}  // namespace

std::string quote_variables(std::string_view command, std::span<const VariableRow> variables) {
  std::string out;
  QuoteTracker quotes;
  for (size_t at = 0; at < command.size();) {
    if (const auto use = variable_at(command.substr(at), variables)) {
      const std::string reference = "${" + std::string(use->name) + "}";
      // In `sh -c "…"` the outer shell must not expand the reference, so its dollar sign is escaped. In `sh -c '…'` the
      // single quotes already see to that.
      if (quotes.holds_program()) {
        out += (quotes.current() == '"' ? "\\" : "") + reference;
        at += use->length;
        continue;
      }
      switch (quotes.current()) {
        // Single quotes expand nothing: close them, add the reference in double quotes, and open them again.
        case '\'':
          out += "'\"" + reference + "\"'";
          break;
        case '"':
          out += reference;
          break;
        default:
          out += "\"" + reference + "\"";
      }
      at += use->length;
      continue;
    }
    const bool escapes_next = quotes.step(command, at);
    out += command[at++];
    if (escapes_next && at < command.size()) out += command[at++];
  }
  return out;
}

bool is_for_shell(int error) {
  // ENOEXEC: a script without `#!`, which only a shell runs. The others: the program is not, or no longer, at the path
  // that was remembered, or may not be executed. A new search may find it elsewhere; if not, the shell reports the
  // error.
  return error == ENOEXEC || error == ENOENT || error == ENOTDIR || error == EACCES;
}

CommandLine prepare_command(std::string_view command, const Dialect& dialect, const CommandContext& context,
                            Check check) {
  if (std::vector<std::string> words = call::plain_words(command); !words.empty()) {
    // An absolute path needs no search. If it cannot be started, the caller tries again with `BeforeStart`.
    if (check == Check::ByStarting && words.front().starts_with('/')) return {words.front(), std::move(words)};
    const auto path = context.programs.find(words.front(), context.path_env, context.cwd);
    if (path && (check == Check::ByStarting || is_startable(*path))) return {*path, std::move(words)};
  }
  std::vector<std::string> argv(dialect.process.shell.begin(), dialect.process.shell.end());
  argv.push_back(quote_variables(command, dialect.process.variables));
  if (argv.front() == "sh" && context.small_shell.starts_with('/')) {
    std::string path(context.small_shell);
    if (check == Check::ByStarting || is_startable(path)) return {std::move(path), std::move(argv)};
  }
  // Even if PATH is broken, the system shell most likely exists in /bin.
  const auto shell = context.programs.find(argv.front(), context.path_env, context.cwd);
  return {shell.value_or("/bin/" + argv.front()), std::move(argv)};
}

}  // namespace grapnel
