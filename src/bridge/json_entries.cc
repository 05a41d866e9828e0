#include "bridge/json_entries.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/line_diff.h"
#include "base/text.h"
#include "json/edit.h"

namespace grapnel {

namespace {

constexpr JsonReadOptions kSettings{.comments = true};

/// The JSON pointer of an event's list. Event names may contain characters that have to be escaped.
std::string pointer_of_event(const Dialect& dialect, std::string_view event) {
  const std::string token = text::replace_each(text::replace_each(event, "~", "~0"), "/", "~1");
  return std::string(dialect.files.hooks_pointer) + "/" + token;
}

/// An empty file is read as an empty object. Comments are allowed.
Result<Json> parse(std::string_view text) {
  if (text::trim(text).empty()) return Json::object();
  auto root = Json::parse(std::string(text), kSettings);
  if (!root) return fail(Errc::BadConfig, root.error().message, root.error().at.value_or(SourcePos{}));
  return root;
}

/// A value of the wrong kind is an error: the agent would not read such settings, and there is nothing to add to.
Result<void> expect(const Json& value, JsonKind kind, const std::string& what) {
  if (!value || value.kind() == kind) return {};
  const std::string message = what + " must be " + (kind == JsonKind::Object ? "an object" : "a list");
  return fail(Errc::BadConfig, message, text::position_at("", value.document_text(), value.begin_offset()));
}

/// Checks all containers before anything is edited, so that an error leaves nothing half done.
Result<void> check_shape(const Json& root, const Wiring& wiring) {
  const Dialect& dialect = *wiring.adapter->dialect;
  if (auto ok = expect(root, JsonKind::Object, "the whole file"); !ok) return ok;
  if (auto ok = expect(root.at_pointer(dialect.files.hooks_pointer), JsonKind::Object, "'hooks'"); !ok) return ok;
  for (const EventRow* row : wiring.events) {
    const std::string name(spelling_of(dialect, *row));
    const Json list = root.at_pointer(pointer_of_event(dialect, name));
    if (auto ok = expect(list, JsonKind::Array, "'" + name + "'"); !ok) return ok;
  }
  return {};
}

/// The element for an event's list: the entry itself, or a group that contains only the entry.
Json element_of(const Adapter& adapter, const Json& entry) {
  const Dialect& dialect = *adapter.dialect;
  if (adapter.form == EntryForm::Flat) return entry;
  return Json::object({{dialect.key_of(GroupKey::Hooks), Json::array({entry})}});
}

/// The JSON pointer of one of our entries, or of its group if the group contains nothing else; nullopt when none is
/// left.
std::optional<std::string> find_removable(const Json& root, const Dialect& dialect) {
  const Json hooks = root.at_pointer(dialect.files.hooks_pointer);
  for (const JsonMember& event : hooks.members()) {
    const std::string list = pointer_of_event(dialect, event.key);
    for (size_t i = event.value.size(); i-- > 0;) {
      const std::string group = list + "/" + std::to_string(i);
      if (is_bridge_entry(event.value.at(i), dialect)) return group;
      const Json entries = event.value.at(i)[dialect.key_of(GroupKey::Hooks)];
      for (size_t j = entries.size(); j-- > 0;) {
        if (!is_bridge_entry(entries.at(j), dialect)) continue;
        if (entries.size() == 1) return group;
        return group + "/" + std::string(dialect.key_of(GroupKey::Hooks)) + "/" + std::to_string(j);
      }
    }
  }
  return std::nullopt;
}

/// Removes a container if it is empty and we made it.
Result<std::string> prune(std::string text, const std::string& pointer, const std::vector<std::string>* made) {
  const bool is_ours = made == nullptr || std::ranges::find(*made, pointer) != made->end();
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  const Json value = root->at_pointer(pointer);
  const bool is_empty = (value.is_object() || value.is_array()) && value.size() == 0;
  return is_ours && is_empty ? json::remove_value(text, pointer) : std::move(text);
}

/// Some agents require certain members in every hook file. If we added them and no hooks are left, they are removed,
/// too.
Result<std::string> without_constants(std::string text, const Dialect& dialect, const std::vector<std::string>* made) {
  for (const ConstantRow& row : dialect.files.constants) {
    const bool is_ours = made != nullptr && std::ranges::find(*made, row.pointer) != made->end();
    const auto root = parse(text);
    if (!root || !is_ours || root->at_pointer(dialect.files.hooks_pointer) || !root->at_pointer(row.pointer)) continue;
    auto next = json::remove_value(text, row.pointer);
    if (!next) return next;
    text = std::move(*next);
  }
  return text;
}

}  // namespace

Result<EditedSettings> add_json_entries(std::string_view text, const Wiring& wiring) {
  const Dialect& dialect = *wiring.adapter->dialect;
  auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  if (auto ok = check_shape(*root, wiring); !ok) return std::unexpected(ok.error());
  EditedSettings out{std::string(text), {}};
  for (const ConstantRow& row : dialect.files.constants) {
    if (root->at_pointer(row.pointer)) continue;
    auto next = json::set_value(out.text, row.pointer, Json::parse(std::string(row.json)).value_or(Json()));
    if (!next) return std::unexpected(next.error());
    out.text = std::move(*next);
    out.made.emplace_back(row.pointer);
  }
  if (!root->at_pointer(dialect.files.hooks_pointer)) out.made.emplace_back(dialect.files.hooks_pointer);
  for (const EventRow* row : wiring.events) {
    const std::string list = pointer_of_event(dialect, spelling_of(dialect, *row));
    const Json element = element_of(*wiring.adapter, bridge_entry(wiring, *row));
    const bool is_new = !root->at_pointer(list);
    if (is_new) out.made.push_back(list);
    // A pointer that ends with `/-` appends to the list.
    auto next = json::set_value(out.text, is_new ? list : list + "/-", is_new ? Json::array({element}) : element);
    if (!next) return std::unexpected(next.error());
    out.text = std::move(*next);
  }
  return out;
}

Result<std::string> remove_json_entries(std::string_view text, const Dialect& dialect,
                                        const std::vector<std::string>* made) {
  std::string out(text);
  std::vector<std::string> emptied;
  for (;;) {
    const auto root = parse(out);
    if (!root) return std::unexpected(root.error());
    // One at a time: each removal shifts the positions behind it, so the text is parsed again.
    const auto pointer = find_removable(*root, dialect);
    if (!pointer) break;
    auto next = json::remove_value(out, *pointer);
    if (!next) return next;
    out = std::move(*next);
    // The list of the event, which may be empty now.
    const std::string list = pointer->substr(0, pointer->find('/', dialect.files.hooks_pointer.size() + 1));
    if (std::ranges::find(emptied, list) == emptied.end()) emptied.push_back(list);
  }
  // There was nothing of ours, so nothing is tidied up either.
  if (emptied.empty()) return out;
  emptied.emplace_back(dialect.files.hooks_pointer);
  for (const std::string& pointer : emptied) {
    auto next = prune(std::move(out), pointer, made);
    if (!next) return next;
    out = std::move(*next);
  }
  return without_constants(std::move(out), dialect, made);
}

std::vector<FoundEntry> find_json_entries(std::string_view text, const Dialect& dialect) {
  std::vector<FoundEntry> out;
  const auto root = parse(text);
  if (!root) return out;
  const Json hooks = root->at_pointer(dialect.files.hooks_pointer);
  for (const JsonMember& event : hooks.members()) {
    for (size_t i = 0; i < event.value.size(); ++i) {
      if (is_bridge_entry(event.value.at(i), dialect)) out.push_back({event.key, i, 0, event.value.at(i)});
      const Json entries = event.value.at(i)[dialect.key_of(GroupKey::Hooks)];
      for (size_t j = 0; j < entries.size(); ++j) {
        if (is_bridge_entry(entries.at(j), dialect)) out.push_back({event.key, i, j, entries.at(j)});
      }
    }
  }
  return out;
}

}  // namespace grapnel
