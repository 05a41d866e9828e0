#include "match/required_text.h"

namespace grapnel::match {

// Examples: `git push` requires "git push"; `^rm\s+-rf` requires "-rf"; `colou?r` requires "colo"; `a|b` requires
// nothing.

namespace {

/// Printable ASCII that is neither a letter nor a digit. A backslash before these never has a meaning.
bool is_punctuation(char c) {
  return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
}

/// Walks over a regular expression and collects runs of plain characters; the longest run is kept. Anything that is
/// optional, repeated or variable ends a run. The result must never be wrong, since a wrong one would hide matches; so
/// the walk gives up whenever it does not understand something.
class RunFinder {
 public:
  explicit RunFinder(std::string_view regex) : regex_(regex) {}

  std::string find() {
    while (at_ < regex_.size()) {
      if (!(depth_ > 0 ? step_in_group() : step())) return "";
    }
    end_run();
    return depth_ == 0 ? best_ : "";
  }

 private:
  /// One element outside of groups. False if it is something unknown. A top-level `|` is such a thing: with it, no text
  /// is required.
  bool step() {
    const char c = regex_[at_++];
    switch (c) {
      case '|':
      case ')':
        return false;
      case '(':
        return open_group();
      case '[':
        return skip_class();
      case '\\':
        return take_escape();
      case '*':
      case '?':
        drop_last();
        return true;
      case '{':
        drop_last();
        return skip_count();
      case '+':
      case '^':
      case '$':
      case '.':
        end_run();
        return true;
      default:
        take(c);
        return true;
    }
  }

  /// Groups may be optional, so their content is skipped.
  bool step_in_group() {
    const char c = regex_[at_++];
    if (c == '\\') return at_++ < regex_.size();
    if (c == '[') return skip_class();
    if (c == '(') return open_group();
    if (c == ')') --depth_;
    return true;
  }

  /// False for groups with flags: `(?i)` changes what the plain characters match.
  bool open_group() {
    end_run();
    ++depth_;
    if (at_ >= regex_.size() || regex_[at_] != '?') return true;
    return at_ + 1 < regex_.size() && std::string_view(":=!<P").contains(regex_[at_ + 1]);
  }

  bool skip_class() {
    end_run();
    for (; at_ < regex_.size() && regex_[at_] != ']'; ++at_) {
      if (regex_[at_] == '\\') ++at_;
    }
    return at_++ < regex_.size();
  }

  /// False if the brace begins no quantifier: it would then be plain text.
  bool skip_count() {
    const size_t end = regex_.find_first_not_of("0123456789,", at_);
    if (end == std::string_view::npos || end == at_ || regex_[end] != '}') return false;
    at_ = end + 1;
    return true;
  }

  /// Escaped punctuation stands for itself. Sets and assertions end a run; other escapes are unknown here.
  bool take_escape() {
    if (at_ >= regex_.size()) return false;
    const char c = regex_[at_++];
    if (is_punctuation(c)) {
      take(c);
      return true;
    }
    end_run();
    return std::string_view("dDwWsSbB").contains(c);
  }

  void take(char c) {
    const bool is_plain = c == ' ' || (c > ' ' && c < 0x7F);
    if (is_plain) run_ += c;
    if (!is_plain) end_run();
  }

  /// Called for quantifiers that allow zero repetitions: the character before is not required.
  void drop_last() {
    if (!run_.empty()) run_.pop_back();
    end_run();
  }

  void end_run() {
    if (run_.size() > best_.size()) best_ = run_;
    run_.clear();
  }

  std::string_view regex_;
  size_t at_ = 0;
  size_t depth_ = 0;
  std::string run_;
  std::string best_;
};

}  // namespace

std::string required_text(std::string_view regex) {
  return RunFinder(regex).find();
}

}  // namespace grapnel::match
