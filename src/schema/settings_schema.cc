#include "schema/settings_schema.h"

#include <algorithm>

#include "schema/schema_words.h"

namespace grapnel {

namespace {

constexpr int64_t kMaxSchemaPriority = 1000;

using schema::any_of;
using schema::list_of;
using schema::one_of_words;
using schema::reference;
using schema::type;
using schema::words;

/// Writes the schema of one dialect from the tables that the readers use, so that both accept the same files.
///
/// Frontmatter (HOOK.md) differs from settings: it is a single hook, its reader refuses unknown keys, and its scalars
/// are text, so that numbers and truth values may be quoted.
class SchemaWriter {
 public:
  explicit SchemaWriter(const Dialect& dialect)
      : dialect_(dialect), is_frontmatter_(dialect.file_format() == PlaceFormat::HookDirectories) {}

  Json write() const {
    const Json head = Json::object({{"$schema", Json::string("https://json-schema.org/draft/2020-12/schema")},
                                    {"title", Json::string("Hooks of " + std::string(dialect_.name))}});
    if (is_frontmatter_) return head.merged(hook());
    Json root = head.with("type", Json::string("object"));
    const std::string hooks_at = "/properties" + std::string(dialect_.files.hooks_pointer);
    root = root.with_pointer(hooks_at, dialect_.entries.alone ? list_of(reference("hook")) : events());
    for (const SettingRow& row : dialect_.files.settings)
      root = root.with_pointer(property_at(row.pointer), setting(row));
    if (!dialect_.entries.group_keys.empty()) root = root.with_pointer("/$defs/group", group());
    return root.with_pointer("/$defs/hook", hook());
  }

 private:
  /// Where the schema of a setting is: `/a/b` becomes `/properties/a/properties/b`.
  static std::string property_at(std::string_view pointer) {
    std::string out;
    for (const char c : pointer) out += c == '/' ? std::string("/properties/") : std::string(1, c);
    return out;
  }

  /// Every name that the reader accepts for an event, those of the sibling dialect included.
  std::vector<std::string_view> event_names() const {
    std::vector<std::string_view> out;
    const auto add = [&](std::string_view name) {
      if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    };
    for (const Dialect* speaker : {&dialect_, dialect_.files.sibling}) {
      if (speaker == nullptr) continue;
      for (const EventRow& row : speaker->events) {
        add(row.wire_name);
        std::ranges::for_each(row.aliases, add);
      }
      std::ranges::for_each(speaker->entries.other_events, add);
    }
    return out;
  }

  /// The object with one list for each event. Other keys are refused, except for settings, which are added later.
  Json events() const {
    std::vector<std::pair<std::string, Json>> properties;
    for (const std::string_view name : event_names()) properties.emplace_back(name, list_of(element()));
    return Json::object({{"type", Json::string("object")},
                         {"properties", Json::object(properties)},
                         {"additionalProperties", Json::boolean(false)}});
  }

  /// An element of an event's list: a group, a hook, or either of them.
  Json element() const {
    if (!dialect_.entries.per_event) return reference("group");
    return dialect_.entries.group_keys.empty() ? reference("hook") : any_of({reference("hook"), reference("group")});
  }

  /// Unknown keys are permitted, since the reader ignores them with a warning.
  Json group() const {
    std::vector<std::pair<std::string, Json>> properties;
    for (const GroupKeyRow& row : dialect_.entries.group_keys)
      properties.emplace_back(row.key, group_value(row.meaning));
    return Json::object({{"type", Json::string("object")},
                         {"properties", Json::object(properties)},
                         {"required", words({dialect_.key_of(GroupKey::Hooks)})}});
  }

  Json group_value(GroupKey key) const {
    switch (key) {
      case GroupKey::Name:
        return type("string");
      case GroupKey::Matcher:
        return matcher();
      case GroupKey::Hooks:
        return list_of(reference("hook"));
      case GroupKey::Sequential:
        return type("boolean");
    }
    return type("object");
  }

  /// A pattern, an object with patterns, or either of them, as the dialect has it. In frontmatter it is always an
  /// object.
  Json matcher() const {
    std::vector<Json> forms;
    if (!is_frontmatter_) forms = {type("null"), type("string")};
    std::vector<std::pair<std::string, Json>> members;
    const Json pattern =
        is_frontmatter_ ? any_of({type("null"), type("string")}) : any_of({type("string"), list_of(type("string"))});
    for (const MatcherMember& member : dialect_.entries.matcher_members) members.emplace_back(member.key, pattern);
    if (!members.empty()) {
      forms.push_back(Json::object({{"type", Json::string("object")},
                                    {"properties", Json::object(members)},
                                    {"additionalProperties", Json::boolean(false)}}));
    }
    return forms.size() == 1 ? forms.front() : any_of(forms);
  }

  /// One hook. Keys that are pointers are inside another key, whose value may be anything.
  Json hook() const {
    Json properties = Json::object();
    for (const HookKeyRow& row : dialect_.entries.hook_keys) {
      const bool is_inside = row.key.starts_with('/');
      if (!is_inside) properties = properties.with(row.key, hook_value(row.meaning));
    }
    Json out =
        Json::object({{"type", Json::string("object")}, {"properties", properties}, {"required", words(required())}});
    if (is_frontmatter_) return out.with("additionalProperties", Json::boolean(false));
    const auto row = std::ranges::find(dialect_.entries.handler_types, HandlerType::Command, &HandlerTypeRow::type);
    const bool has_one = row != dialect_.entries.handler_types.end() && !dialect_.entries.type_optional;
    return has_one ? out.merged(needs_command(row->word)) : out;
  }

  /// Requires a command if the type is the one that runs commands; hooks of other types have none.
  Json needs_command(std::string_view word) const {
    const Json is_command =
        Json::object({{dialect_.key_of(HookKey::Type), Json::object({{"const", Json::string(word)}})}});
    return Json::object({{"if", Json::object({{"properties", is_command}})},
                         {"then", Json::object({{"required", words({dialect_.key_of(HookKey::Command)})}})}});
  }

  /// The keys that a hook must have. Keys that the dialect does not know are left out.
  std::vector<std::string_view> required() const {
    std::vector<HookKey> keys = {HookKey::Event};
    if (!dialect_.entries.type_optional) keys.push_back(HookKey::Type);
    if (is_frontmatter_) keys = {HookKey::Name, HookKey::Description, HookKey::Event};
    if (!is_frontmatter_ && dialect_.entries.handler_types.empty()) keys.push_back(HookKey::Command);
    std::vector<std::string_view> out;
    for (const HookKey key : keys) {
      if (!dialect_.key_of(key).empty()) out.push_back(dialect_.key_of(key));
    }
    return out;
  }

  /// The schema of a key by its meaning; `true`, which accepts anything, for keys that are ignored or free-form.
  Json hook_value(HookKey key) const {
    switch (key) {
      case HookKey::Type:
        return one_of_words(handler_words());
      case HookKey::Event:
        return one_of_words(event_names());
      case HookKey::Matcher:
        return matcher();
      case HookKey::Command:
        return text();
      case HookKey::Name:
      case HookKey::Description:
        return is_frontmatter_ ? text() : type("string");
      case HookKey::Prompt:
      case HookKey::Model:
      case HookKey::StatusMessage:
        return type("string");
      case HookKey::Url:
        return text();
      case HookKey::Args:
      case HookKey::AllowedEnv:
        return list_of(type("string"));
      case HookKey::Env:
      case HookKey::Headers:
        return Json::object({{"type", Json::string("object")}, {"additionalProperties", type("string")}});
      case HookKey::Timeout:
        return duration();
      case HookKey::Async:
      case HookKey::GoesOn:
        return flag();
      case HookKey::OnFailure:
        return is_flag(failure_words().front()) ? flag() : one_of_words(failure_words());
      case HookKey::Retries:
      case HookKey::MaxReply:
        return Json::object({{"type", Json::string("integer")}, {"minimum", Json::number(int64_t{0})}});
      case HookKey::Priority:
        return number(0, kMaxSchemaPriority);
      case HookKey::Target:
      case HookKey::If:
      case HookKey::Metadata:
      case HookKey::Ignored:
        break;
    }
    return Json::boolean(true);
  }

  /// Some agents say with a truth value what happens on failure.
  static bool is_flag(std::string_view word) { return word == "true" || word == "false"; }

  /// A string that is not empty.
  static Json text() {
    return Json::object({{"type", Json::string("string")}, {"minLength", Json::number(int64_t{1})}});
  }

  std::vector<std::string_view> handler_words() const {
    std::vector<std::string_view> out;
    for (const HandlerTypeRow& row : dialect_.entries.handler_types) out.push_back(row.word);
    return out;
  }

  std::vector<std::string_view> failure_words() const {
    std::vector<std::string_view> out;
    for (const FailureWordRow& row : dialect_.failure.words) out.push_back(row.word);
    return out;
  }

  /// The readers accept numbers in strings as well.
  static Json or_digits(const Json& number) {
    return any_of({number, Json::object({{"type", Json::string("string")},
                                         {"pattern", Json::string("^[ ]*[+]?[0-9][0-9_.eE+]*[ ]*$")}})});
  }

  static Json number(int64_t least, int64_t most) {
    return or_digits(Json::object(
        {{"type", Json::string("integer")}, {"minimum", Json::number(least)}, {"maximum", Json::number(most)}}));
  }

  /// In the unit of the dialect, up to its limit. Frontmatter also has a lower limit.
  Json duration() const {
    const int64_t most = dialect_.timeouts.max / dialect_.timeouts.unit;
    if (is_frontmatter_) return number(dialect_.timeouts.min / dialect_.timeouts.unit, most);
    return or_digits(Json::object({{"type", Json::string("number")},
                                   {"exclusiveMinimum", Json::number(int64_t{0})},
                                   {"maximum", Json::number(most)}}));
  }

  /// Frontmatter also accepts the words for truth values as text.
  Json flag() const {
    if (!is_frontmatter_) return type("boolean");
    return any_of({type("boolean"), one_of_words({"true", "yes", "on", "1", "false", "no", "off", "0"})});
  }

  Json setting(const SettingRow& row) const {
    switch (row.setting) {
      case Setting::Enabled:
      case Setting::DisableAll:
      case Setting::ManagedOnly:
      case Setting::HttpLoopback:
      case Setting::HttpPrivate:
      case Setting::HttpPlain:
        return type("boolean");
      case Setting::DisabledNames:
      case Setting::HttpUrls:
      case Setting::HttpVariables:
      case Setting::HttpHosts:
        return list_of(type("string"));
      case Setting::DefaultTimeout:
        return duration();
      case Setting::TimeoutBehavior:
      case Setting::FailureBehavior:
        return one_of_words(failure_words());
      case Setting::MaxConcurrent:
        return Json::object({{"type", Json::string("integer")}, {"minimum", Json::number(int64_t{1})}});
      case Setting::Ignored:
        break;
    }
    return Json::boolean(true);
  }

  const Dialect& dialect_;
  bool is_frontmatter_;
};

}  // namespace

Json settings_schema(const Dialect& dialect) {
  return SchemaWriter(dialect).write();
}

}  // namespace grapnel
