#include "discover/formats/settings_file.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "discover/formats/hook_entry.h"
#include "discover/formats/toml_document.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

/// How many events and settings of a dialect the object names: a measure of how likely it was written for this agent.
size_t count_signs(const Dialect& dialect, const Json& root) {
  size_t count = 0;
  const Json hooks = root.at_pointer(dialect.files.hooks_pointer);
  if (dialect.entries.alone) {
    for (const Json& entry : hooks.elements()) {
      const auto event = entry[dialect.key_of(HookKey::Event)].as_string();
      if (event && dialect.find_event(*event) != nullptr) ++count;
    }
  } else {
    for (const JsonMember& member : hooks.members()) {
      const bool is_siblings =
          dialect.files.sibling != nullptr && dialect.files.sibling->find_event(member.key) != nullptr;
      if (is_siblings || dialect.find_event(member.key) != nullptr) ++count;
    }
  }
  for (const SettingRow& row : dialect.files.settings) {
    if (row.setting != Setting::Ignored && root.at_pointer(row.pointer)) ++count;
  }
  return count;
}

/// Whether the path ends like one of the places of the dialect, `.gemini/settings.json` for example.
bool is_place_of(const Dialect& dialect, std::string_view path) {
  return std::ranges::any_of(dialect.files.places, [&](const HookFilePlace& place) {
    if (!path.ends_with(place.path)) return false;
    return path.size() == place.path.size() || path[path.size() - place.path.size() - 1] == '/';
  });
}

/// Reads one settings document: the settings that apply to all hooks, then the hooks. Which keys exist is in the tables
/// of the dialect.
class SettingsReader {
 public:
  SettingsReader(const Json& root, const SettingsOrigin& origin, Problems problems)
      : root_(root), problems_(std::move(problems)) {
    file_.dialect = origin.dialect;
    file_.scope = origin.scope;
    file_.path = origin.path;
  }

  SettingsFile read() {
    if (!root_.is_object()) {
      file_.is_broken = true;
      problems_.error(root_, "settings must be a JSON object");
    } else {
      for (const SettingRow& row : file_.dialect->files.settings) read_setting(row);
      const Json hooks = root_.at_pointer(file_.dialect->files.hooks_pointer);
      if (!hooks) report_misplaced_events();
      read_hooks(hooks);
    }
    file_.problems = problems_.take();
    return std::move(file_);
  }

 private:
  /// Events beside the member that should contain them: somebody believes that these hooks run, and they do not.
  void report_misplaced_events() {
    const std::string place(file_.dialect->files.hooks_pointer.substr(1));
    for (const JsonMember& member : root_.members()) {
      if (!member.value.is_array() || file_.dialect->find_event(member.key) == nullptr) continue;
      problems_.error(member.value, "the hooks of '" + member.key + "' do not run: they are not inside '" + place + "'",
                      "write {\"" + place + "\": {\"" + member.key + "\": [...]}}");
    }
  }

  /// Reads one setting into `toggles`. A value that cannot be read is reported and usually stays unset. Settings that
  /// restrict hooks to a few become stricter instead.
  void read_setting(const SettingRow& row) {
    const Json value = root_.at_pointer(row.pointer);
    if (!value) return;
    switch (row.setting) {
      case Setting::Enabled:
        return read_bool(row, value, file_.toggles.enabled);
      case Setting::DisableAll:
        return read_disable_all(row, value);
      case Setting::ManagedOnly:
        read_bool(row, value, file_.toggles.managed_only);
        // Somebody wanted to restrict hooks to managed ones. A typing mistake must not lift that restriction.
        if (!file_.toggles.managed_only) file_.toggles.managed_only = true;
        return;
      case Setting::DisabledNames:
        return read_strings(row, value, file_.toggles.disabled_names, "hook names");
      case Setting::DefaultTimeout:
        return read_timeout(row, value);
      case Setting::TimeoutBehavior:
        return read_behaviour(row, value, file_.toggles.on_timeout);
      case Setting::FailureBehavior:
        return read_behaviour(row, value, file_.toggles.on_failure);
      case Setting::MaxConcurrent:
        return read_concurrency(row, value);
      case Setting::HttpUrls:
        return read_only_list(row, value, file_.toggles.http.urls);
      case Setting::HttpVariables:
        return read_only_list(row, value, file_.toggles.http.variables);
      case Setting::HttpHosts:
        return read_strings(row, value, file_.toggles.http.hosts);
      case Setting::HttpLoopback:
        return read_bool(row, value, file_.toggles.http.loopback);
      case Setting::HttpPrivate:
        return read_bool(row, value, file_.toggles.http.private_networks);
      case Setting::HttpPlain:
        return read_bool(row, value, file_.toggles.http.plain);
      case Setting::Ignored:
        return;
    }
  }

  /// The last part of the pointer, as people know the setting.
  static std::string name_of(const SettingRow& row) {
    return std::string(row.pointer.substr(row.pointer.rfind('/') + 1));
  }

  void read_bool(const SettingRow& row, const Json& value, std::optional<bool>& target) {
    target = value.as_bool();
    if (!target) problems_.error(value, "'" + name_of(row) + "' must be true or false");
  }

  /// `false` leaves the setting open, so it does not switch on what an earlier file switched off.
  void read_disable_all(const SettingRow& row, const Json& value) {
    std::optional<bool> off;
    read_bool(row, value, off);
    if (off == true) file_.toggles.enabled = false;
  }

  void read_strings(const SettingRow& row, const Json& value, std::vector<std::string>& target,
                    std::string_view what = "strings") {
    const std::string sentence = "'" + name_of(row) + "' must be a list of " + std::string(what);
    if (!value.is_array()) return problems_.error(value, sentence);
    for (const Json& element : value.elements()) {
      if (const auto text = element.as_string()) {
        target.push_back(*text);
      } else {
        problems_.error(element, sentence);
      }
    }
  }

  /// A list of the only things that are permitted. One that cannot be read is empty and permits nothing.
  void read_only_list(const SettingRow& row, const Json& value, std::optional<std::vector<std::string>>& target) {
    read_strings(row, value, target.emplace());
  }

  void read_timeout(const SettingRow& row, const Json& value) {
    const auto timeout = read_duration(value, file_.dialect->timeouts.unit, file_.dialect->timeouts.max);
    if (!timeout) return problems_.error(value, "'" + name_of(row) + "' " + timeout.error());
    file_.toggles.default_timeout = *timeout;
  }

  void read_behaviour(const SettingRow& row, const Json& value, std::optional<OnFailure>& target) {
    target = read_failure_word(*file_.dialect, value.as_string().value_or(""));
    if (target) return;
    std::vector<std::string_view> words;
    for (const FailureWordRow& known : file_.dialect->failure.words) words.push_back(known.word);
    problems_.error(value, "'" + name_of(row) + "' must be " + failure_words_text(*file_.dialect),
                    did_you_mean(value.as_string().value_or(""), words));
  }

  void read_concurrency(const SettingRow& row, const Json& value) {
    const auto count = value.as_integer();
    if (!count || *count < 1) return problems_.error(value, "'" + name_of(row) + "' must be a whole number above 0");
    file_.toggles.max_concurrent = static_cast<size_t>(*count);
  }

  /// Reads all hooks: one list of entries, or an object with a list for each event.
  void read_hooks(const Json& hooks) {
    if (!hooks) return;
    if (file_.dialect->entries.alone) return read_entries(hooks);
    if (!hooks.is_object()) {
      file_.is_broken = true;
      return problems_.error(hooks, "'hooks' must be an object with one list per event");
    }
    for (const JsonMember& member : counting_members(hooks, problems_)) {
      if (!is_setting(member.key)) read_event(member);
    }
  }

  /// Some agents keep settings inside the `hooks` object, between the events.
  bool is_setting(std::string_view key) const {
    const std::string pointer = std::string(file_.dialect->files.hooks_pointer) + "/" + std::string(key);
    return std::ranges::any_of(file_.dialect->files.settings, [&](const SettingRow& row) {
      return row.pointer == pointer || row.pointer.starts_with(pointer + "/");
    });
  }

  /// Reads a list of hooks that each name their event.
  void read_entries(const Json& entries) {
    if (!entries.is_array()) {
      file_.is_broken = true;
      return problems_.error(entries, "'hooks' must be a list of hooks, each with its event");
    }
    for (const Json& entry : entries.elements()) {
      const Json event = entry[file_.dialect->key_of(HookKey::Event)];
      const std::string name = event.as_string().value_or("");
      if (!entry.is_object() || !event.is_string()) {
        problems_.error(event ? event : entry, "a hook needs an 'event' (a string)");
        continue;
      }
      auto row = find_row(name, *file_.dialect);
      if (!row) row = row_of_unknown(name, event.begin_offset());
      if (row) {
        file_.events.emplace_back(row->wire_name);
        GroupReader(*file_.dialect, file_.scope, *row, problems_).read_alone(entry, file_.hooks);
      }
    }
  }

  /// Reads the list of one event. Its elements are groups or, if the dialect permits it, hooks with a matcher of their
  /// own.
  void read_event(const JsonMember& member) {
    const Dialect& speaker = speaker_of(member.key);
    auto row = find_row(member.key, speaker);
    if (!row && !member.value.is_array()) return report_unknown_event(member.key, member.key_offset);
    if (!row) row = row_of_unknown(member.key, member.key_offset);
    if (!row) return;
    if (!member.value.is_array()) {
      return problems_.error(member.value, "'" + member.key + "' must be a list of " +
                                               (speaker.entries.per_event ? "hooks" : "groups, each with 'hooks'"));
    }
    file_.events.emplace_back(row->wire_name);
    GroupReader groups(speaker, file_.scope, *row, problems_);
    file_.hooks.reserve(file_.hooks.size() + member.value.size());
    for (const Json& element : member.value.elements()) {
      const bool is_group = !speaker.entries.per_event || element[speaker.key_of(GroupKey::Hooks)].is_array();
      is_group ? groups.read(element, file_.hooks) : groups.read_alone(element, file_.hooks);
    }
  }

  /// The dialect that an event's name belongs to. Copilot's files may use the names of its sibling, and such hooks then
  /// follow the sibling's rules.
  const Dialect& speaker_of(std::string_view name) const {
    const Dialect* sibling = file_.dialect->files.sibling;
    const bool is_siblings = sibling != nullptr && !find_row(name, *file_.dialect) && find_row(name, *sibling);
    return is_siblings ? *sibling : *file_.dialect;
  }

  /// The row of an event. An event of the agent that Grapnel has no kind for gets a row with only a name; its hooks run
  /// when the agent reports it.
  static std::optional<EventRow> find_row(std::string_view name, const Dialect& dialect) {
    if (const EventRow* row = dialect.find_event(name)) return *row;
    const auto& others = dialect.entries.other_events;
    const auto known = std::ranges::find(others, name);
    if (known == others.end()) return std::nullopt;
    return row_of_other(*known, dialect);
  }

  static EventRow row_of_other(std::string_view name, const Dialect& dialect) {
    EventRow row = *dialect.find_event(EventKind::Other);
    row.wire_name = name;
    return row;
  }

  /// A name that is in no table, of no agent, and resembles none may be a new event of the agent, so its hooks are
  /// kept.
  std::optional<EventRow> row_of_unknown(const std::string& name, size_t offset) {
    const bool is_others = !event_kind_from(name) && std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
      return dialect->find_event(name) != nullptr;
    });
    if (is_others || !did_you_mean(name, known_names()).empty() || !could_be_event(name)) {
      report_unknown_event(name, offset);
      return std::nullopt;
    }
    problems_.warning_at(offset, "'" + name + "' is no event of " + std::string(file_.dialect->name) +
                                     " that grapnel knows; the hooks run if the agent reports it");
    return row_of_other(name, *file_.dialect);
  }

  /// Settings count, too, since a mistyped setting beside the events looks like an unknown event.
  std::vector<std::string_view> known_names() const {
    std::vector<std::string_view> known;
    for (const EventRow& row : file_.dialect->events) known.push_back(row.wire_name);
    if (!file_.dialect->entries.alone) {
      for (const SettingRow& row : file_.dialect->files.settings)
        known.push_back(row.pointer.substr(row.pointer.rfind('/') + 1));
    }
    return known;
  }

  void report_unknown_event(const std::string& name, size_t offset) {
    problems_.error_at(offset, "'" + name + "' is not an event of " + std::string(file_.dialect->name) + " hooks",
                       did_you_mean(name, known_names()));
  }

  Json root_;
  Problems problems_;
  SettingsFile file_;
};

/// How to mend a mistake of syntax, by what the reader says about it.
struct SyntaxHintRow {
  std::string_view expected;
  std::string_view found;
  std::string_view hint;
};
constexpr auto kSyntaxHints = std::to_array<SyntaxHintRow>({
    {"", "found a single quote", "JSON has double quotes only; "},
    {"expected ',' or", "found a string", "put a comma behind what comes before; "},
    {"invalid TOML", "control characters", "a quote is not closed in this line; "},
    {"expected ',' or", "found '{'", "put a comma behind what comes before; "},
});

std::string syntax_hint(std::string_view message) {
  const auto row = std::ranges::find_if(kSyntaxHints, [&](const SyntaxHintRow& r) {
    return message.starts_with(r.expected) && message.contains(r.found);
  });
  return (row == kSyntaxHints.end() ? "" : std::string(row->hint)) + std::string(kNothingLoaded);
}

/// A file without hooks that has the syntax error as its only problem.
SettingsFile unreadable(const Error& error, const SettingsOrigin& origin) {
  SettingsFile file{origin.dialect, origin.scope, origin.path, {}, {}, {}, {}};
  SourcePos at = error.at.value_or(SourcePos{});
  at.file = origin.path;
  file.problems.push_back({ConfigProblem::Severity::Error, error.message, at, syntax_hint(error.message)});
  file.is_broken = true;
  return file;
}

}  // namespace

/// A value that the later file does not set stays as it is.
Toggles Toggles::overlaid(const Toggles& later) const {
  Toggles out = *this;
  const auto take = [](auto& target, const auto& value) {
    if (value) target = value;
  };
  take(out.enabled, later.enabled);
  take(out.managed_only, later.managed_only);
  take(out.default_timeout, later.default_timeout);
  take(out.on_timeout, later.on_timeout);
  take(out.on_failure, later.on_failure);
  take(out.max_concurrent, later.max_concurrent);
  out.http = out.http.overlaid(later.http);
  out.disabled_names.insert(out.disabled_names.end(), later.disabled_names.begin(), later.disabled_names.end());
  return out;
}

SettingsFile read_settings(std::string text, const SettingsOrigin& origin) {
  // An empty file is not valid JSON, but it is not a mistake either.
  if (text::trim(text).empty()) return {origin.dialect, origin.scope, origin.path, {}, {}, {}, {}};
  if (origin.format == PlaceFormat::Toml) {
    auto document = read_toml(text);
    if (!document) return unreadable(document.error(), origin);
    return SettingsReader(document->root, origin, {origin.path, std::move(document->places)}).read();
  }
  const auto root = Json::parse(std::move(text), {.comments = true});
  return root ? read_settings(*root, origin) : unreadable(root.error(), origin);
}

SettingsFile read_settings(const Json& root, const SettingsOrigin& origin) {
  return SettingsReader(root, origin, {origin.path, root}).read();
}

PlaceFormat format_of(std::string_view path) {
  return path.ends_with(".toml") ? PlaceFormat::Toml : PlaceFormat::Settings;
}

Result<Json> parse_settings(const std::string& text, PlaceFormat format) {
  if (format != PlaceFormat::Toml) return Json::parse(text, {.comments = true});
  auto document = read_toml(text);
  if (!document) return std::unexpected(document.error());
  return document->root;
}

/// The name of the file decides only among dialects whose events or settings it has: many agents have a
/// `settings.json`.
std::vector<const Dialect*> fitting_dialects(const Json& root, std::string_view path, const Dialect* likely) {
  std::vector<const Dialect*> best;
  size_t best_count = 0;
  for (const Dialect* dialect : all_dialects()) {
    // Dialects that have no settings files cannot have written this one.
    if (!dialect->file_format() || dialect->file_format() == PlaceFormat::HookDirectories) continue;
    const size_t count = count_signs(*dialect, root);
    if (count == 0) continue;
    if (is_place_of(*dialect, path)) return {dialect};
    if (count > best_count) best.clear();
    if (count >= best_count) best.push_back(dialect);
    best_count = std::max(best_count, count);
  }
  if (std::ranges::find(best, likely) != best.end()) return {likely};
  return best;
}

const Dialect* detect_dialect(const Json& root, std::string_view path) {
  const std::vector<const Dialect*> fitting = fitting_dialects(root, path);
  return fitting.empty() ? nullptr : fitting.front();
}

}  // namespace grapnel
