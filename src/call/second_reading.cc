#include "call/second_reading.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "call/mention.h"
#include "call/wrappers.h"
#include "shell/shell_words.h"

namespace grapnel::call {

namespace {

/// Texts inside texts, and texts in all: more is not needed for what people write.
constexpr int kMaxReadings = 3;
constexpr size_t kMaxTexts = 64;
constexpr size_t kMaxTextSize = 4096;

/// Whether the command may be one that the text does not show.
bool is_unknown_program(const SimpleCommand& command) {
  return !command.words.empty() && command.words[0].is_dynamic();
}

/// Whether the text may be a command with words, or gives other words when it is read once more.
bool changes_when_read(std::string_view text) {
  return text.size() <= kMaxTextSize && text.find_first_of("'\"\\{$` \t\n<>*?[") != std::string_view::npos;
}

/// Whether the word of an interpreter's command is an option or the value of one: code of another language.
bool is_code(const std::vector<Word>& words, size_t at) {
  const auto is_option = [&](size_t i) { return i > 0 && words[i].text.starts_with('-'); };
  constexpr size_t kLongestBundle = 6;
  return is_option(at) || (at > 0 && is_option(at - 1) && words[at - 1].text.size() <= kLongestBundle);
}

/// The text without the words of the shell in front of a command: `{`, `!`, `then`.
std::string_view without_keywords(std::string_view text) {
  while (true) {
    text = text::trim(text);
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    if (word.empty() || !(shell::opens_block(word) || shell::frames_command(word))) return text;
    text.remove_prefix(blank);
  }
}

bool has_code(const SimpleCommand& command) {
  return !command.words.empty() && is_interpreter(base_name(command.words[0].text));
}

class Reader {
 public:
  /// Values that are handed to an interpreter as code, and to nothing else, are not shell: `x='…'; perl -ne "$x"`.
  void skip_code(const std::vector<SimpleCommand>& commands) {
    if (!std::ranges::all_of(commands, [](const SimpleCommand& one) { return !is_unknown_program(one) || one.code; }))
      return;
    for (const SimpleCommand& command : commands) {
      for (size_t i = 0; has_code(command) && i < command.words.size(); ++i) {
        if (is_code(command.words, i)) code_.insert(command.words[i].text);
      }
    }
  }

  void read(const std::vector<SimpleCommand>& commands, int depth) {
    if (depth > kMaxReadings) return;
    for (const SimpleCommand& command : commands) {
      const bool is_shell = !has_code(command);
      if (command.code) {
        for (const std::string& one : Mentions::shell_texts(*command.code)) read(one, depth);
      }
      for (size_t i = 0; i < command.words.size(); ++i) {
        if (is_shell || !is_code(command.words, i)) read(command.words[i].text, depth);
      }
      for (const Assignment& assignment : command.assignments) {
        if (!code_.contains(assignment.value.text)) read(assignment.value.text, depth);
      }
      for (const Redirection& redirection : command.redirections) read(redirection.target.text, depth);
    }
  }

  /// The pieces of a text that the grammar gave up on, each for itself.
  void read_pieces(std::string_view text) {
    for (size_t from = 0; from < text.size();) {
      const size_t end = std::min(text.find_first_of(";|&\n()`", from), text.size());
      read(without_keywords(text.substr(from, end - from)), 1);
      from = end + 1;
    }
  }

  std::optional<SecondReading> take() {
    if (found_.parsed.commands.empty()) return std::nullopt;
    return std::move(found_);
  }

 private:
  void read(std::string_view text, int depth) {
    // `export X='rm -r'` sets a value.
    const size_t equals = text.find('=');
    const auto is_name = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c | 32) >= 'a'; };
    if (equals != std::string_view::npos && equals > 0 && std::ranges::all_of(text.substr(0, equals), is_name)) {
      read(text.substr(equals + 1), depth);
    }
    if (!changes_when_read(text) || seen_.size() >= kMaxTexts || !seen_.emplace(text).second) return;
    ParsedCommand parsed = shell::parse(text, unwrap);
    for (SimpleCommand& command : parsed.commands) {
      for (Word& one : command.words) one.begin = one.end = 0;
      command.begin = command.end = 0;
    }
    read(parsed.commands, depth + 1);
    std::ranges::move(parsed.commands, std::back_inserter(found_.parsed.commands));
    (found_.text += text) += '\n';
  }

  std::set<std::string, std::less<>> code_;
  std::set<std::string, std::less<>> seen_;
  SecondReading found_;
};

}  // namespace

std::optional<SecondReading> read_again(std::string_view text, const ParsedCommand& parsed) {
  if (!parsed.is_unclear && std::ranges::none_of(parsed.commands, is_unknown_program)) return std::nullopt;
  Reader reader;
  reader.skip_code(parsed.commands);
  reader.read(parsed.commands, 1);
  if (parsed.is_unclear) reader.read_pieces(text);
  return reader.take();
}

}  // namespace grapnel::call
