#include "run/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "base/unique_fd.h"
#include "os/resolve.h"

namespace grapnel {

namespace {

constexpr auto kShellWords = std::to_array<std::string_view>({
    ".",       ":",        "[",        "alias",   "bg",    "break",    "builtin", "case",   "cd",
    "command", "continue", "coproc",   "declare", "do",    "done",     "echo",    "elif",   "else",
    "enable",  "esac",     "eval",     "exec",    "exit",  "export",   "false",   "fc",     "fg",
    "fi",      "for",      "function", "getopts", "hash",  "if",       "in",      "jobs",   "kill",
    "let",     "local",    "printf",   "pwd",     "read",  "readonly", "return",  "select", "set",
    "shift",   "source",   "test",     "then",    "time",  "times",    "trap",    "true",   "type",
    "typeset", "ulimit",   "umask",    "unalias", "unset", "until",    "wait",    "while",
});

bool is_plain(char c) {
  constexpr std::string_view kAlso = "_-./:@%+,";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kAlso.find(c) != std::string_view::npos;
}

/// Whether the kernel can start the file by itself: a binary, or a script that names its interpreter.
bool is_startable(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0) return false;
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

/// Which quotes surround a place. `$( )` and backticks start afresh inside double quotes, hence a stack.
class QuoteTracker {
 public:
  char current() const { return stack_.back(); }

  /// Moves over one character; returns true when the next one is escaped.
  bool step(std::string_view text, size_t at) {
    const char c = text[at];
    const char here = current();
    if (here == '\'') {
      if (c == '\'') stack_.pop_back();
      return false;
    }
    if (c == '\\') return true;
    if (c == '\'' && here != '"')
      stack_.push_back(c);
    else if (c == '"')
      toggle('"');
    else if (c == '`')
      toggle('`');
    else if (c == '(' && at > 0 && text[at - 1] == '$')
      stack_.push_back('(');
    else if (c == ')' && here == '(')
      stack_.pop_back();
    return false;
  }

 private:
  void toggle(char quote) {
    if (current() == quote) {
      stack_.pop_back();
    } else {
      stack_.push_back(quote);
    }
  }

  std::vector<char> stack_ = {' '};
};

}  // namespace

std::string quote_variables(std::string_view command, std::span<const VariableRow> variables) {
  std::string out;
  QuoteTracker quotes;
  for (size_t at = 0; at < command.size();) {
    if (const auto use = variable_at(command.substr(at), variables)) {
      const std::string reference = "${" + std::string(use->name) + "}";
      switch (quotes.current()) {
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

std::vector<std::string> plain_words(std::string_view command) {
  std::vector<std::string> words;
  for (const std::string_view word : text::split(command, ' ')) {
    if (word.empty()) continue;
    if (!std::ranges::all_of(word, is_plain)) return {};
    words.emplace_back(word);
  }
  if (words.empty() || std::ranges::find(kShellWords, words.front()) != kShellWords.end()) return {};
  return words;
}

CommandLine prepare_command(std::string_view command, const Dialect& dialect, const CommandContext& context) {
  if (std::vector<std::string> words = plain_words(command); !words.empty()) {
    const auto path = os::find_executable(words.front(), context.path_env, context.cwd);
    if (path && is_startable(*path)) return {*path, std::move(words)};
  }
  std::vector<std::string> argv(dialect.shell.begin(), dialect.shell.end());
  argv.push_back(quote_variables(command, dialect.variables));
  const auto shell = os::find_executable(argv.front(), context.path_env, context.cwd);
  return {shell.value_or("/bin/" + argv.front()), std::move(argv)};
}

}  // namespace grapnel
