#include "bridge/toml_entries.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "discover/formats/toml_document.h"
#include "discover/formats/toml_text.h"

namespace grapnel {

namespace {

// A list of tables can be written in two ways, and both are edited as text:
//
//   [[hooks]]                 tables: ours are appended at the end of the file
//   event = "Stop"
//
//   hooks = [{ event = … }]   a list in brackets: ours are inserted in front of the closing bracket
//
// The parser gives the position of the list; toml_text.h finds the elements and blocks in the text.

constexpr std::string_view kItemIndent = "    ";

std::string_view list_name(const Dialect& dialect) {
  return dialect.files.hooks_pointer.substr(1);
}

std::string header_of(const Dialect& dialect) {
  return "[[" + std::string(list_name(dialect)) + "]]";
}

Result<TomlDocument> parse_toml(std::string_view text) {
  auto document = read_toml(text);
  if (!document) return fail(Errc::BadConfig, document.error().message, document.error().at.value_or(SourcePos{}));
  return document;
}

/// The offset of a line and column.
size_t offset_of(std::string_view text, const SourcePos& at) {
  size_t begin = 0;
  for (uint32_t line = 1; line < at.line && begin < text.size(); ++line) begin = text.find('\n', begin) + 1;
  return begin + at.column - 1;
}

SourcePos place_of(const TomlDocument& document, const Json& value) {
  return Problems("", document.places).position_of(value);
}

/// The entry as the lines of a table. Strings, numbers and booleans are the same in JSON and TOML.
std::string table_text(const Json& entry, std::string_view newline) {
  std::string out;
  for (const JsonMember& member : entry.members()) {
    out += member.key + " = " + member.value.dump() + std::string(newline);
  }
  return out;
}

/// The entry as an inline table.
std::string item_text(const Json& entry) {
  std::string out;
  for (const JsonMember& member : entry.members()) {
    out += (out.empty() ? "{ " : ", ") + member.key + " = " + member.value.dump();
  }
  return out + " }";
}

/// Whether the file writes the list as `[[hooks]]`.
bool has_tables(std::string_view text, const Dialect& dialect) {
  return std::ranges::any_of(toml_blocks(text),
                             [&](const TomlBlock& block) { return block.header == header_of(dialect); });
}

std::string append_tables(std::string_view text, const Wiring& wiring) {
  const std::string newline(toml_newline(text));
  std::string out(text);
  if (!out.empty() && !out.ends_with('\n')) out += newline;
  for (const EventRow* event : wiring.events) {
    out += (out.empty() ? "" : newline) + header_of(*wiring.adapter->dialect) + newline +
           table_text(bridge_entry(wiring, *event), newline);
  }
  return out;
}

/// Inserts our elements behind the last one. A comment behind the last element stays where it is, so the missing comma
/// goes in front of it.
std::string extend_list(std::string_view text, size_t open, const Wiring& wiring) {
  const TomlArray list = read_toml_array(text, open);
  const std::string newline(toml_newline(text));
  std::string items;
  for (const EventRow* event : wiring.events) {
    items += newline + std::string(kItemIndent) + item_text(bridge_entry(wiring, *event)) + ",";
  }
  const bool has_elements = !list.elements.empty();
  const bool needs_comma = has_elements && !list.ends_with_comma;
  const size_t content = has_elements ? list.elements.back().end : open + 1;
  const size_t last = text.find_last_not_of(" \t\r\n", list.close - 1) + 1;
  const std::string_view tail = text.substr(last, list.close - last);
  return std::string(text.substr(0, content)) + (needs_comma ? "," : "") +
         std::string(text.substr(content, last - content)) + items + (tail.contains('\n') ? "" : newline) +
         std::string(text.substr(last));
}

/// The text without our elements. Each goes with the comma behind it and the white space in front of it.
std::string shorten_list(std::string_view text, size_t open, const std::vector<size_t>& ours) {
  const TomlArray list = read_toml_array(text, open);
  std::string out;
  size_t done = 0;
  for (const size_t index : ours) {
    const TomlArray::Element element = list.elements[index];
    const size_t begin = text.find_last_not_of(" \t\r\n", element.begin - 1) + 1;
    out += text.substr(done, begin - done);
    done = element.end;
    const size_t next = text.find_first_not_of(" \t\r\n", done);
    if (next != std::string_view::npos && text[next] == ',') done = next + 1;
  }
  return out += text.substr(done);
}

/// Parses the edited text again. It must have our entries in addition to the old ones; otherwise the file has a form
/// that this code does not understand, and nothing is changed.
Result<std::string> check_result(std::string text, const Wiring& wiring, const TomlDocument& before) {
  const auto after = read_toml(text);
  const std::string_view name = list_name(*wiring.adapter->dialect);
  if (after && after->root[name].size() == before.root[name].size() + wiring.events.size()) return text;
  return fail(Errc::BadConfig,
              "Grapnel cannot extend '" + std::string(name) + "' in the form in which it is written here",
              place_of(before, before.root[name]));
}

}  // namespace

Result<std::string> add_toml_entries(std::string_view text, const Wiring& wiring) {
  const Dialect& dialect = *wiring.adapter->dialect;
  const auto document = parse_toml(text);
  if (!document) return std::unexpected(document.error());
  const Json list = document->root[list_name(dialect)];
  if (list && !list.is_array()) {
    return fail(Errc::BadConfig, "'" + std::string(list_name(dialect)) + "' must be a list", place_of(*document, list));
  }
  const bool in_brackets = list && !has_tables(text, dialect);
  return check_result(
      in_brackets ? extend_list(text, offset_of(text, place_of(*document, list)), wiring) : append_tables(text, wiring),
      wiring, *document);
}

Result<std::string> remove_toml_entries(std::string_view text, const Dialect& dialect) {
  const auto document = parse_toml(text);
  if (!document) return std::unexpected(document.error());
  const Json list = document->root[list_name(dialect)];
  std::vector<size_t> ours;
  for (size_t i = 0; i < list.size(); ++i) {
    if (is_bridge_entry(list.at(i), dialect)) ours.push_back(i);
  }
  if (ours.empty()) return std::string(text);
  if (!has_tables(text, dialect)) return shorten_list(text, offset_of(text, place_of(*document, list)), ours);
  std::vector<TomlBlock> blocks;
  size_t index = 0;
  for (const TomlBlock& block : toml_blocks(text)) {
    if (block.header != header_of(dialect)) continue;
    if (std::ranges::find(ours, index++) != ours.end()) blocks.push_back(block);
  }
  return without_blocks(text, blocks);
}

std::vector<FoundEntry> find_toml_entries(std::string_view text, const Dialect& dialect) {
  std::vector<FoundEntry> out;
  const auto document = read_toml(text);
  if (!document) return out;
  for (const Json& entry : document->root[list_name(dialect)].elements()) {
    if (!is_bridge_entry(entry, dialect)) continue;
    out.push_back({entry[dialect.key_of(HookKey::Event)].as_string().value_or(""), 0, out.size(), entry});
  }
  return out;
}

}  // namespace grapnel
