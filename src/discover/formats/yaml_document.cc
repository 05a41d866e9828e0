#include "discover/formats/yaml_document.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/error.h"
#include "base/text.h"
#include "discover/formats/yaml_lines.h"

namespace grapnel {

namespace {

constexpr std::string_view kYamlByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kPlainTag = "?";
constexpr std::string_view kYamlQuotedTag = "!";

std::unexpected<Error> refuse(std::string message, uint32_t line, uint32_t column) {
  return std::unexpected(Error{Errc::BadInput, std::move(message), SourcePos{"", line, column}, 0});
}

/// The value of a scalar without quotes. Only what JSON reads as a number is one, so `0755` and `1.2.3` stay texts.
Json plain_scalar(const std::string& text) {
  if (text == "true" || text == "false") return Json::boolean(text == "true");
  const bool may_be_number = text.starts_with('-') || (text[0] >= '0' && text[0] <= '9');
  if (const auto number = may_be_number ? Json::parse(text) : fail(Errc::BadInput, ""); number) return *number;
  return Json::string(text);
}

/// Writes JSON from the parser's events. For every key and value it notes the offset in the JSON and the position in
/// the YAML text. It also notes the first thing that is not allowed.
///
/// A stack of levels says where we are: in a list, in front of a key, or in front of the value of a key. `begin` is
/// called before everything that is written; it adds the comma or colon and switches between key and value.
class YamlToJson final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse_at(mark, "a second document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    write(mark, Json::null());
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse_at(mark, "an alias");
    write(mark, Json::null());
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    if (tag == kYamlQuotedTag) last_quoted_ = mark;
    // Keys are always text, even if they look like numbers.
    const bool is_key = !levels_.empty() && levels_.back().wants_key;
    if (is_key && !levels_.back().keys.insert(value).second) refuse_at(mark, "a second '" + value + "'");
    write(mark, is_key || tag != kPlainTag || value.empty() ? Json::string(value) : plain_scalar(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, '[');
  }
  void OnSequenceEnd() override { close(']'); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, '{');
  }
  void OnMapEnd() override { close('}'); }

  /// yaml-cpp counts from 0, and has negative marks for errors without a place.
  static SourcePos position(const YAML::Mark& mark) {
    if (mark.line < 0) return {"", 1, 1};
    return {"", static_cast<uint32_t>(mark.line) + 1, static_cast<uint32_t>(mark.column) + 1};
  }

  /// The last text in quotes.
  const YAML::Mark& last_quoted() const { return last_quoted_; }
  const std::optional<Error>& refusal() const { return refusal_; }
  std::string take_json() { return json_.empty() ? "null" : std::move(json_); }
  std::vector<TextPlace> take_places() { return std::move(places_); }

 private:
  struct Level {
    bool is_map = false;
    bool wants_key = false;  ///< in a map: the next scalar is a key
    bool is_empty = true;
    std::set<std::string> keys;
  };

  /// Keeps the first refusal only; the position of the first mistake helps most.
  void refuse_at(const YAML::Mark& mark, const std::string& what) {
    if (!refusal_)
      refusal_ = Error{Errc::BadInput, "invalid YAML: " + what + " is not allowed here", position(mark), 0};
  }

  /// Refuses anchors and explicit tags. yaml-cpp gives plain scalars the tag `?` and quoted ones `!`, so only longer
  /// tags were written by the author.
  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse_at(mark, "an anchor");
    if (tag.size() > 1) refuse_at(mark, "a tag");
  }

  /// Writes the comma or colon in front of the next key or value, and notes its position.
  void begin(const YAML::Mark& mark) {
    if (!levels_.empty()) {
      Level& level = levels_.back();
      const bool is_value = level.is_map && !level.wants_key;
      if (!is_value && !level.is_empty) json_ += ',';
      if (is_value) json_ += ':';
      level.is_empty = false;
      if (level.is_map) level.wants_key = is_value;
    }
    const SourcePos at = position(mark);
    places_.push_back({json_.size(), at.line, at.column});
  }

  void write(const YAML::Mark& mark, const Json& scalar) {
    // Scalars that are keys were made strings, so this is a key that is null or an alias.
    if (!levels_.empty() && levels_.back().wants_key && !scalar.is_string())
      refuse_at(mark, "a key that is not a plain word");
    begin(mark);
    json_ += scalar.dump();
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, char bracket) {
    check(mark, tag, anchor);
    if (!levels_.empty() && levels_.back().wants_key) refuse_at(mark, "a key that is not a plain word");
    begin(mark);
    json_ += bracket;
    Level& level = levels_.emplace_back();
    level.is_map = level.wants_key = bracket == '{';
  }

  void close(char bracket) {
    levels_.pop_back();
    json_ += bracket;
  }

  std::vector<Level> levels_;
  std::string json_;
  std::vector<TextPlace> places_;
  std::optional<Error> refusal_;
  YAML::Mark last_quoted_ = YAML::Mark::null_mark();
  int documents_ = 0;
};

}  // namespace

Result<YamlDocument> read_yaml(std::string_view text) {
  if (text.starts_with(kYamlByteOrderMark)) text.remove_prefix(kYamlByteOrderMark.size());
  // yaml-cpp would take a text with a NUL near its start for UTF-16 or UTF-32.
  const bool is_text = text::is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
  if (!is_text) return refuse("the file is not UTF-8", 1, 1);
  YamlToJson writer;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    // All documents are read, so that a second one is noticed and refused.
    while (!writer.refusal() && parser.HandleNextDocument(writer)) continue;
  } catch (const YAML::ParserException& error) {
    const SourcePos at = YamlToJson::position(error.mark);
    return refuse("invalid YAML: " + error.msg, at.line, at.column);
  }
  if (writer.refusal()) return std::unexpected(*writer.refusal());
  const YAML::Mark& quote = writer.last_quoted();
  if (quote.pos >= 0 && !has_closing_quote(text, static_cast<size_t>(quote.pos))) {
    const SourcePos at = YamlToJson::position(quote);
    return refuse("invalid YAML: a quote is not closed", at.line, at.column);
  }
  auto root = Json::parse(writer.take_json(), {.max_depth = 4096});
  if (!root) return std::unexpected(root.error());
  return YamlDocument{*root, writer.take_places()};
}

}  // namespace grapnel
