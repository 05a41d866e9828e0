#include "match/command_rule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace grapnel::match {

namespace {

constexpr size_t kMaxDepth = 16;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_assignment(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  return std::ranges::all_of(word.substr(0, equals), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

std::string_view first_word(std::string_view text) {
  char quote = '\0';
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ' && quote == '\0') return text.substr(0, at);
    if (c == '\\' && quote != '\'') {
      ++at;
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    }
  }
  return text;
}

/// Words that stand in front of a command without being one.
bool introduces_command(std::string_view word) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"!", "{", "if", "then", "elif", "else", "while", "until", "do", "time"});
  return std::ranges::find(kWords, word) != kWords.end();
}

/// Takes off what stands in front of the command itself.
void strip_front(SplitLine::Command& command) {
  std::string_view text = text::trim(command.text);
  for (;;) {
    const std::string_view word = first_word(text);
    if (word.empty() || word.size() == text.size() || !(is_assignment(word) || introduces_command(word))) break;
    command.assigns |= is_assignment(word);
    text = text::trim(text.substr(word.size()));
  }
  command.text = std::string(text);
}

/// Reads a command line left to right; nested command lines are read the same way.
class LineSplitter {
 public:
  explicit LineSplitter(std::string_view line) : line_(line) {}

  SplitLine split() {
    if (line_.contains('\0')) give_up();
    read_until('\0', 0);
    return std::move(out_);
  }

 private:
  /// Reads commands up to `close`, or to the end of the line for NUL.
  void read_until(char close, size_t depth) {
    if (depth > kMaxDepth) return give_up();
    SplitLine::Command command;
    bool in_double = false;
    while (at_ < line_.size()) {
      const char c = line_[at_];
      if (c == '"') in_double = !in_double;
      if (c == close && !in_double) break;
      if (c == '\\') {
        take(2, command);
      } else if (opens_nested(in_double)) {
        command.expands = true;
        command.text += c;
        at_ += c == '`' ? 1 : 2;
        read_until(c == '`' ? '`' : ')', depth + 1);
      } else if (in_double || c == '"') {
        command.expands |= c == '$';
        take(1, command);
      } else {
        read_unquoted(command, depth);
      }
    }
    if (in_double || (close != '\0' && at_ == line_.size())) return give_up();
    finish(command);
    ++at_;
  }

  void read_unquoted(SplitLine::Command& command, size_t depth) {
    const char c = line_[at_];
    const std::string_view rest = line_.substr(at_);
    if (c == '\'') {
      const size_t end = line_.find('\'', at_ + 1);
      return end == std::string_view::npos ? give_up() : take(end + 1 - at_, command);
    }
    if (c == '(' && text::trim(command.text).empty()) {
      ++at_;
      return read_until(')', depth + 1);
    }
    if (c == '(' || rest.starts_with("<<")) return give_up();
    if (const size_t length = operator_length()) {
      at_ += length;
      return finish(command);
    }
    command.expands |= c == '$';
    if (!is_space(c)) return take(1, command);
    command.text += ' ';
    while (at_ < line_.size() && is_space(line_[at_])) ++at_;
  }

  bool opens_nested(bool in_double) const {
    const std::string_view rest = line_.substr(at_);
    if (rest.starts_with("$(") || rest.starts_with('`')) return true;
    return !in_double && (rest.starts_with("<(") || rest.starts_with(">("));
  }

  /// How long the operator between two commands is that starts here; 0 when there is none.
  size_t operator_length() const {
    const std::string_view rest = line_.substr(at_);
    for (const std::string_view op : {"&&", "||", "|&", ";;"}) {
      if (rest.starts_with(op)) return op.size();
    }
    const char before = at_ == 0 ? ' ' : line_[at_ - 1];
    if (rest[0] == '&' && (before == '>' || before == '<' || rest.starts_with("&>"))) return 0;
    return std::string_view(";|&\n").contains(rest[0]) ? 1 : 0;
  }

  void take(size_t count, SplitLine::Command& command) {
    const std::string_view taken = line_.substr(at_, count);
    if (taken != "\\\n") command.text += taken;
    at_ += taken.size();
  }

  void finish(SplitLine::Command& command) {
    strip_front(command);
    if (!command.text.empty()) out_.commands.push_back(std::move(command));
    command = {};
  }

  void give_up() {
    out_.is_clear = false;
    at_ = line_.size();
  }

  std::string_view line_;
  size_t at_ = 0;
  SplitLine out_;
};

/// Whether the parts occur in `text` in order, the first at its start and the last at its end.
bool parts_fit(const std::vector<std::string>& parts, std::string_view text) {
  if (parts.size() == 1) return text == parts.front();
  if (!text.starts_with(parts.front())) return false;
  text.remove_prefix(parts.front().size());
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const size_t at = text.find(parts[i]);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + parts[i].size());
  }
  return text.ends_with(parts.back());
}

}  // namespace

SplitLine split_commands(std::string_view line) {
  return LineSplitter(line).split();
}

CommandRule::CommandRule(std::string_view pattern) {
  pattern = text::trim(pattern);
  ends_at_word_ = pattern.ends_with(" *") || pattern.ends_with(":*");
  if (ends_at_word_) pattern.remove_suffix(2);
  for (const std::string_view part : text::split(pattern, '*')) parts_.emplace_back(part);
  name_ = first_word(pattern);
  is_name_only_ = ends_at_word_ && name_.size() == pattern.size();
  redirects_ = pattern.contains('>');
}

bool CommandRule::matches(std::string_view line) const {
  const SplitLine split = split_commands(line);
  if (!split.is_clear) return true;
  return std::ranges::any_of(split.commands, [&](const SplitLine::Command& command) {
    return fits(command.text) || (command.expands && may_fit(command.text));
  });
}

bool CommandRule::covers(std::string_view line) const {
  const SplitLine split = split_commands(line);
  if (!split.is_clear || split.commands.empty()) return false;
  return std::ranges::all_of(split.commands, [&](const SplitLine::Command& command) {
    return !command.expands && !command.assigns && fits(command.text) && (redirects_ || !command.text.contains('>'));
  });
}

bool CommandRule::fits(std::string_view command) const {
  if (parts_fit(parts_, command)) return true;
  if (!ends_at_word_) return false;
  std::vector<std::string> longer = parts_;
  longer.back() += ' ';
  longer.emplace_back();
  return parts_fit(longer, command);
}

/// Whether the command could fit once its expansions are known.
bool CommandRule::may_fit(std::string_view command) const {
  const std::string_view word = first_word(command);
  if (word.find_first_of("$`") != std::string_view::npos) return true;
  if (name_.find('*') != std::string::npos) return true;
  return !is_name_only_ && word == name_;
}

}  // namespace grapnel::match
