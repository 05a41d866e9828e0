#include "call/hook_command.h"

#include <algorithm>
#include <array>
#include <utility>

#include "shell/fast_path.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

namespace grapnel::call {

namespace {

/// Programs that neither run what they read nor pass it to something that does. A word counts as data only when every
/// program of the command is in this list; otherwise the file that it names may be run.
constexpr auto kInert = std::to_array<std::string_view>({
    "[",     "[[",    "cat",   "cd",   "cmp",  "cut",  "date", "diff",  "echo",   "egrep", "exit",
    "false", "fgrep", "grep",  "head", "ls",   "pwd",  "rg",   "sleep", "sort",   "stat",  "tail",
    "tee",   "test",  "touch", "tr",   "true", "uniq", "wc",   ":",     "printf",
});

/// `NAME=value` in front of a program. A slash in front of the `=` makes it a path.
bool sets_variable(std::string_view word) {
  const size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && word.substr(0, equals).find('/') == std::string_view::npos;
}

/// Distinguishes programs, arguments and targets of redirections in a list of tokens. Two flags are its state: the next
/// word is the target of a redirection, or the next word is a program.
class WordReader {
 public:
  std::vector<CommandWord> read(const std::vector<shell::Token>& tokens, bool has_substitution) {
    for (const shell::Token& token : tokens) {
      if (token.is_operator) {
        read_operator(token.text.front());
      } else if (!token.text.empty()) {
        read_word(token.text);
      }
    }
    const bool is_inert = all_inert_ && !has_substitution;
    for (const size_t argument : arguments_) words_[argument].is_read = is_inert;
    return std::move(words_);
  }

 private:
  /// `>` announces a target, and so does the `&` of `>&`. `<` announces an argument. Every other operator starts a
  /// command.
  void read_operator(char c) {
    if (c == '>' || (c == '&' && before_target_)) {
      before_target_ = true;
    } else if (c == '<') {
      before_target_ = false;
    } else {
      before_target_ = false;
      before_program_ = true;
    }
  }

  void read_word(const std::string& text) {
    words_.push_back({text, before_target_, false});
    if (before_target_) {
      before_target_ = false;
    } else if (!before_program_) {
      arguments_.push_back(words_.size() - 1);
    } else if (!sets_variable(text) && !shell::frames_command(text)) {
      before_program_ = false;
      all_inert_ &= std::ranges::find(kInert, text) != kInert.end();
    }
  }

  std::vector<CommandWord> words_;
  std::vector<size_t> arguments_;
  bool before_target_ = false;
  bool before_program_ = true;
  bool all_inert_ = true;
};

}  // namespace

/// A substitution may run anything with the words of the command, so no word is mere data then.
std::vector<CommandWord> words_of_command(std::string_view command) {
  const bool has_substitution =
      command.find('`') != std::string_view::npos || command.find("$(") != std::string_view::npos;
  return WordReader().read(shell::tokenize(command), has_substitution);
}

std::vector<std::string> plain_words(std::string_view command) {
  std::vector<std::string> words;
  for (size_t at = 0; at < command.size();) {
    const auto word = shell::next_plain_word(command, at);
    if (!word) return {};
    if (!word->empty()) words.emplace_back(*word);
  }
  if (words.empty() || words.front().contains('=') || shell::is_shell_word(words.front())) return {};
  return words;
}

}  // namespace grapnel::call
