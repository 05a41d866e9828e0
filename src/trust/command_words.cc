#include "trust/command_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace grapnel {

namespace {

constexpr std::string_view kOperators = ";|&()<>`\n";

/// Programs that neither run what they read nor hand it to something that does. A word is data only where all programs
/// of a command are among these.
constexpr auto kInert = std::to_array<std::string_view>({
    "[",     "[[",    "cat",   "cd",   "cmp",  "cut",  "date", "diff",  "echo",   "egrep", "exit",
    "false", "fgrep", "grep",  "head", "ls",   "pwd",  "rg",   "sleep", "sort",   "stat",  "tail",
    "tee",   "test",  "touch", "tr",   "true", "uniq", "wc",   ":",     "printf",
});

/// Words in front of a command that are none themselves.
constexpr auto kPrefixes = std::to_array<std::string_view>(
    {"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "time", "until", "while"});

bool lists(auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

struct Token {
  std::string text;
  bool is_operator = false;
};

/// Reads tokens one character at a time.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    end_word();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[at_++];
    if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else if (kOperators.find(c) != std::string_view::npos) {
      end_word();
      tokens_.push_back({std::string(1, c), true});
    } else if (c == '\\') {
      take_escaped();
    } else if (c == '\'') {
      take_quoted();
    } else if (c == '"') {
      take_double_quoted();
    } else {
      word_ += c;
    }
  }

  void end_word() {
    if (!word_.empty()) tokens_.push_back({std::exchange(word_, {}), false});
  }

  void take_escaped() {
    if (at_ < text_.size() && text_[at_] != '\n') word_ += text_[at_];
    ++at_;
  }

  void take_quoted() {
    const size_t end = std::min(text_.find('\'', at_), text_.size());
    word_ += text_.substr(at_, end - at_);
    at_ = end + 1;
  }

  void take_double_quoted() {
    while (at_ < text_.size() && text_[at_] != '"') {
      const bool is_escape = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                             std::string_view("$`\"\\").find(text_[at_ + 1]) != std::string_view::npos;
      if (is_escape) ++at_;
      word_ += text_[at_++];
    }
    ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string word_;
  std::vector<Token> tokens_;
};

bool is_assignment(std::string_view word) {
  const size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && word.substr(0, equals).find('/') == std::string_view::npos;
}

/// Tells programs, arguments and targets apart.
class WordReader {
 public:
  std::vector<CommandWord> read(const std::vector<Token>& tokens, bool has_substitution) {
    for (const Token& token : tokens) {
      if (token.is_operator) {
        read_operator(token.text.front());
      } else {
        read_word(token.text);
      }
    }
    const bool is_inert = all_inert_ && !has_substitution;
    for (const size_t argument : arguments_) words_[argument].is_read = is_inert;
    return std::move(words_);
  }

 private:
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
    } else if (!is_assignment(text) && !lists(kPrefixes, text)) {
      before_program_ = false;
      all_inert_ &= lists(kInert, text);
    }
  }

  std::vector<CommandWord> words_;
  std::vector<size_t> arguments_;
  bool before_target_ = false;
  bool before_program_ = true;
  bool all_inert_ = true;
};

}  // namespace

std::vector<CommandWord> words_of_command(std::string_view command) {
  const bool has_substitution =
      command.find('`') != std::string_view::npos || command.find("$(") != std::string_view::npos;
  return WordReader().read(Tokenizer(command).run(), has_substitution);
}

}  // namespace grapnel
