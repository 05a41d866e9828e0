#include "discover/formats/toml_document.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "discover/formats/toml_text.h"

// Some assertions of toml++ fail for bad texts such as `[[.a]]`. The parser reports the mistake right after them, so
// they are switched off: a bad file must not end the process.
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

namespace grapnel {

namespace {

constexpr size_t kMaxKeyParts = 16;

/// Finds two things in a text that the parser must not see.
///
/// A key with many parts becomes as many nested tables, and each table frees those inside it by recursion, so that a
/// short line could overflow the stack. Characters outside of quotes that are not ASCII are invalid in TOML, and the
/// parser's own tables of letters do not cover all of them.
class KeyScanner {
 public:
  explicit KeyScanner(std::string_view text) : text_(text) {}

  struct Finding {
    size_t offset = 0;
    Errc code = Errc::BadInput;
    const char* message = "";
  };
  /// The first such place. Skips comments and strings, and counts the dots of each key.
  std::optional<Finding> find() {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kMark)) at_ = kMark.size();
    size_t parts = 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        at_ = skip_toml_string(text_, at_);
      } else {
        if (c == '.' && ++parts > kMaxKeyParts)
          return Finding{at_, Errc::LimitExceeded, "a key has more than 16 parts"};
        if ((c & 0x80) != 0) return Finding{at_, Errc::BadInput, "invalid TOML: this character needs quotes around it"};
        if (kBetweenKeys.find(c) != std::string_view::npos) parts = 1;
        ++at_;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::string_view kBetweenKeys = "=,[]{}\n";

  std::string_view text_;
  size_t at_ = 0;
};

/// Writes the document as JSON. For every key and value it notes the offset in the JSON and the position in the TOML
/// text, so that later messages can point to the TOML.
class TomlToJson {
 public:
  explicit TomlToJson(std::string_view text) : lines_(text::split(text, '\n')) {}

  void write(const toml::node& node) {
    mark(node.source());
    if (const toml::table* table = node.as_table()) {
      write_table(*table);
    } else if (const toml::array* array = node.as_array()) {
      write_array(*array);
    } else {
      json_ += scalar(node).dump();
    }
  }

  std::string take_json() { return std::move(json_); }
  std::vector<TextPlace> take_places() { return std::move(places_); }

  /// A position in the text. toml++ counts columns in characters, but ours are in bytes. An error at the end of the
  /// text may be on a line that does not exist.
  TextPlace place_of(const toml::source_position& at) const {
    const size_t line = std::clamp<size_t>(at.line, 1, lines_.size());
    const std::string_view content = lines_[line - 1];
    const size_t before = at.line > line ? content.size() : text::find_character(content, at.column - 1);
    return {json_.size(), static_cast<uint32_t>(line), static_cast<uint32_t>(before + 1)};
  }

 private:
  void mark(const toml::source_region& source) { places_.push_back(place_of(source.begin)); }

  void write_table(const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> members;
    for (const auto& [key, value] : table) members.emplace_back(&key, &value);
    // toml++ sorts members by name; this restores the order of the text.
    std::ranges::stable_sort(
        members, [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
    char separator = '{';
    for (const auto& [key, value] : members) {
      json_ += separator;
      separator = ',';
      mark(key->source());
      json_ += Json::string(key->str()).dump();
      json_ += ':';
      write(*value);
    }
    json_ += members.empty() ? "{}" : "}";
  }

  void write_array(const toml::array& array) {
    json_ += '[';
    for (const toml::node& element : array) {
      if (&element != &array.front()) json_ += ',';
      write(element);
    }
    json_ += ']';
  }

  /// Dates and numbers that are not finite have no JSON. They become an empty list, which no field accepts, so that the
  /// reader of the field reports them.
  static Json scalar(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return Json::string(*text);
    if (const auto flag = node.value_exact<bool>()) return Json::boolean(*flag);
    if (const auto number = node.value_exact<int64_t>()) return Json::number(*number);
    const auto number = node.value_exact<double>();
    return number && std::isfinite(*number) ? Json::number(*number) : Json::array();
  }

  std::vector<std::string_view> lines_;
  std::string json_;
  std::vector<TextPlace> places_;
};

std::unexpected<Error> failure(Errc code, std::string message, uint32_t line, uint32_t column) {
  return std::unexpected(Error{code, std::move(message), SourcePos{"", line, column}, 0});
}

}  // namespace

Result<TomlDocument> read_toml(std::string_view text) {
  if (const auto found = KeyScanner(text).find()) {
    const SourcePos at = text::position_at("", text, found->offset);
    return failure(found->code, found->message, at.line, at.column);
  }
  TomlToJson writer(text);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const TextPlace at = writer.place_of(parsed.error().source().begin);
    std::string message = "invalid TOML: " + text::cap(text::to_valid_utf8(parsed.error().description()), 300);
    return failure(Errc::BadInput, std::move(message), at.line, at.column);
  }
  writer.write(parsed.table());
  // The depth is already limited by the parser and the scanner.
  auto root = Json::parse(writer.take_json(), {.max_depth = 4096});
  if (!root) return std::unexpected(root.error());
  return TomlDocument{*root, writer.take_places()};
}

}  // namespace grapnel
