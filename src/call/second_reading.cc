#include "call/second_reading.h"

#include <algorithm>
#include <set>
#include <string>

#include "call/wrappers.h"

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

/// Whether a second reading can give other words than the first one.
bool changes_when_read(const std::string& text) {
  return text.size() <= kMaxTextSize && text.find_first_of("'\"\\{$`") != std::string::npos;
}

class SecondReading {
 public:
  void read(const std::vector<SimpleCommand>& commands, int depth) {
    if (depth > kMaxReadings) return;
    for (const SimpleCommand& command : commands) {
      for (const Word& word : command.words) read(word, depth);
      for (const Assignment& assignment : command.assignments) read(assignment.value, depth);
      for (const Redirection& redirection : command.redirections) read(redirection.target, depth);
    }
  }

  std::vector<SimpleCommand> take() { return std::move(found_); }

 private:
  void read(const Word& word, int depth) {
    if (!changes_when_read(word.text) || seen_.size() >= kMaxTexts || !seen_.insert(word.text).second) return;
    ParsedCommand parsed = shell::parse(word.text, unwrap);
    for (SimpleCommand& command : parsed.commands) {
      for (Word& one : command.words) one.begin = one.end = 0;
      command.begin = command.end = 0;
    }
    read(parsed.commands, depth + 1);
    std::ranges::move(parsed.commands, std::back_inserter(found_));
  }

  std::set<std::string> seen_;
  std::vector<SimpleCommand> found_;
};

}  // namespace

std::vector<SimpleCommand> read_again(const ParsedCommand& parsed) {
  if (!parsed.is_unclear && std::ranges::none_of(parsed.commands, is_unknown_program)) return {};
  SecondReading reading;
  reading.read(parsed.commands, 1);
  return reading.take();
}

}  // namespace grapnel::call
