#include "history/query_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "history/record_facts.h"

namespace grapnel {

namespace {

struct KeyName {
  std::string_view name;
  QueryKey key;
};
constexpr auto kKeys = std::to_array<KeyName>({{"verdict", QueryKey::Verdict},
                                               {"tool", QueryKey::Tool},
                                               {"event", QueryKey::Event},
                                               {"agent", QueryKey::Agent},
                                               {"session", QueryKey::Session},
                                               {"project", QueryKey::Project},
                                               {"hook", QueryKey::Hook},
                                               {"would", QueryKey::Would},
                                               {"id", QueryKey::Id}});

std::string key_names() {
  std::vector<std::string> names;
  for (const KeyName& key : kKeys) names.emplace_back(key.name);
  return text::join(names, ", ");
}

class QueryReader {
 public:
  explicit QueryReader(std::string_view text) : text_(text) {}

  Result<JournalQuery> read() {
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (auto done = read_word(); !done) return std::unexpected(done.error());
    }
    return std::move(query_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::unexpected<Error> fail_at(size_t at, std::string message) const {
    return fail(Errc::BadInput, "column " + std::to_string(at + 1) + ": " + std::move(message),
                {"", 1, static_cast<uint32_t>(at + 1)});
  }

  /// The key in front of a colon, if the word has one that looks like a key: a path or a URL is no condition.
  std::string_view peek_key() const {
    size_t end = at_;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    const bool has_key = end > at_ && end < text_.size() && text_[end] == ':' && !text_.substr(end).starts_with("://");
    return has_key ? text_.substr(at_, end - at_) : "";
  }

  Result<void> read_word() {
    const size_t start = at_;
    const bool is_negated = text_[at_] == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ' ';
    if (is_negated) ++at_;
    const std::string_view name = peek_key();
    if (name.empty()) {
      const auto value = read_value(false);
      if (!value) return std::unexpected(value.error());
      query_.where.push_back({QueryKey::Text, *value, is_negated});
      return {};
    }
    const auto* const key = std::ranges::find(kKeys, name, &KeyName::name);
    if (key == kKeys.end()) {
      return fail_at(start + (is_negated ? 1 : 0), "there is no key '" + std::string(name) + "'; the keys are " +
                                                       key_names() + "; quote a text that contains a colon");
    }
    at_ += name.size() + 1;
    return read_values(*key, is_negated);
  }

  /// One or several values with commas between them.
  Result<void> read_values(const KeyName& key, bool is_negated) {
    do {
      const size_t start = at_;
      const auto value = read_value(true);
      if (!value) return std::unexpected(value.error());
      if (value->empty()) return fail_at(start, std::string(key.name) + " has no value");
      if (auto known = check(key, *value, start); !known) return known;
      query_.where.push_back({key.key, *value, is_negated});
    } while (at_ < text_.size() && text_[at_] == ',' && ++at_ > 0);
    return {};
  }

  Result<void> check(const KeyName& key, const std::string& value, size_t at) const {
    const bool is_any = key.key == QueryKey::Would && value == "any";
    if ((key.key != QueryKey::Verdict && key.key != QueryKey::Would) || is_any || verdict_from(value)) return {};
    return fail_at(at, "'" + value + "' is no verdict; the verdicts are pass, allow, ask and deny");
  }

  Result<std::string> read_value(bool ends_at_comma) {
    if (at_ < text_.size() && text_[at_] == '"') return read_quoted();
    const size_t end = std::min(text_.find_first_of(ends_at_comma ? " ," : " ", at_), text_.size());
    std::string value(text_.substr(at_, end - at_));
    at_ = end;
    return value;
  }

  Result<std::string> read_quoted() {
    const size_t start = at_++;
    std::string value;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return value;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    return fail_at(start, "the quote is not closed");
  }

  std::string_view text_;
  size_t at_ = 0;
  JournalQuery query_;
};

}  // namespace

Result<JournalQuery> read_query_text(std::string_view text) {
  return QueryReader(text).read();
}

}  // namespace grapnel
