#include "json/pointer.h"

#include <charconv>

#include "json/document.h"
#include "json/string.h"
#include "json/writer.h"

namespace grapnel::json {

namespace {

/// Replaces `~0` by `~` and `~1` by `/`. Nothing if another character follows a `~`.
std::optional<std::string> decode_token(std::string_view token) {
  std::string out;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out += token[i];
      continue;
    }
    const std::string_view code = token.substr(++i, 1);
    if (code != "0" && code != "1") return std::nullopt;
    out += code == "0" ? '~' : '/';
  }
  return out;
}

/// The node of the child that a token names, or 0. Only arrays have indices: in an object, `0` is an ordinary key.
uint32_t child_of(const JsonDocument& document, uint32_t container, std::string_view token) {
  const JsonKind kind = document.node(container).kind;
  if (kind == JsonKind::Object) return document.find_member(container, token);
  const auto index = kind == JsonKind::Array ? read_index(token) : std::nullopt;
  return index ? document.find_element(container, *index) : 0;
}

}  // namespace

/// "" is the whole document and has no tokens; "/" has one, the empty key.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return std::nullopt;
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    auto decoded = decode_token(token);
    if (!decoded) return std::nullopt;
    tokens.push_back(std::move(*decoded));
  }
  return tokens;
}

std::optional<size_t> read_index(std::string_view token) {
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size()) return std::nullopt;
  return index;
}

Json find_child(const Json& container, std::string_view token) {
  const JsonDocument* document = JsonDocument::of(container);
  const uint32_t found = document == nullptr ? 0 : child_of(*document, JsonDocument::node_of(container), token);
  return found == 0 ? Json() : JsonDocument::at_node(container, found);
}

/// Takes the pointer as it goes, instead of splitting it first: most of the places that tables ask for are not there.
Json find_at(const Json& from, std::string_view pointer) {
  const JsonDocument* document = JsonDocument::of(from);
  uint32_t at = JsonDocument::node_of(from);
  if (document == nullptr) return {};
  while (!pointer.empty()) {
    if (pointer.front() != '/') return {};
    const std::string_view token = pointer.substr(1, pointer.find('/', 1) - 1);
    pointer.remove_prefix(token.size() + 1);
    if (token.find('~') == std::string_view::npos) {
      at = child_of(*document, at, token);
    } else {
      const auto decoded = decode_token(token);
      at = decoded ? child_of(*document, at, *decoded) : 0;
    }
    if (at == 0) return {};
  }
  return JsonDocument::at_node(from, at);
}

/// Goes along the path as far as it exists.
Reached follow(const Json& from, std::span<const std::string> path) {
  Reached reached{from, path};
  while (!reached.rest.empty()) {
    Json child = find_child(reached.value, reached.rest.front());
    if (child.is_missing()) break;
    reached = {std::move(child), reached.rest.subspan(1)};
  }
  return reached;
}

/// Writes the text directly and reads it once, instead of making a document for each level.
Json nest(std::span<const std::string> path, const Json& value) {
  std::string text;
  std::string closing;
  for (const std::string& token : path) {
    if (token == "-") {
      text += '[';
      closing += ']';
      continue;
    }
    text += '{';
    append_quoted(text, token);
    text += ':';
    closing += '}';
  }
  append_json(text, value, {});
  text.append(closing.rbegin(), closing.rend());
  return JsonDocument::adopt(std::move(text));
}

std::string below(std::string_view pointer, std::string_view name) {
  std::string out = std::string(pointer) + '/';
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace grapnel::json
