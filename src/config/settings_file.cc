#include "config/settings_file.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "config/hook_entry.h"
#include "config/problems.h"

namespace grapnel {

namespace {

std::optional<OnFailure> behaviour_from(const Json& value) {
  if (value.equals_string("ignore")) return OnFailure::Open;
  if (value.equals_string("ask")) return OnFailure::Ask;
  if (value.equals_string("deny")) return OnFailure::Closed;
  return std::nullopt;
}

/// How many events and settings of a dialect a settings object names.
size_t count_signs(const Dialect& dialect, const Json& root) {
  size_t count = 0;
  for (const JsonMember& member : root.at_pointer(dialect.hooks_pointer).members()) {
    if (dialect.find_event(member.key) != nullptr) ++count;
  }
  for (const SettingRow& row : dialect.settings) {
    if (row.setting != Setting::Ignored && root.at_pointer(row.pointer)) ++count;
  }
  return count;
}

/// Whether a dialect keeps its hooks in a file of that name.
bool is_place_of(const Dialect& dialect, std::string_view path) {
  return std::ranges::any_of(dialect.places, [&](const Place& place) {
    if (!path.ends_with(place.path)) return false;
    return path.size() == place.path.size() || path[path.size() - place.path.size() - 1] == '/';
  });
}

/// Walks one settings document.
class SettingsReader {
 public:
  SettingsReader(const Json& root, const SettingsOrigin& origin) : root_(root), problems_(origin.path, root) {
    file_.dialect = origin.dialect;
    file_.scope = origin.scope;
    file_.path = origin.path;
  }

  SettingsFile read() {
    if (!root_.is_object()) {
      problems_.error(root_, "settings must be a JSON object");
    } else {
      for (const SettingRow& row : file_.dialect->settings) read_setting(row);
      read_hooks(root_.at_pointer(file_.dialect->hooks_pointer));
    }
    file_.problems = problems_.take();
    return std::move(file_);
  }

 private:
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
        if (!file_.toggles.managed_only) file_.toggles.managed_only = true;
        return;
      case Setting::DisabledNames:
        return read_names(row, value);
      case Setting::DefaultTimeout:
        return read_timeout(row, value);
      case Setting::TimeoutBehavior:
        return read_behaviour(row, value, file_.toggles.on_timeout);
      case Setting::FailureBehavior:
        return read_behaviour(row, value, file_.toggles.on_failure);
      case Setting::MaxConcurrent:
        return read_concurrency(row, value);
      case Setting::Ignored:
        return;
    }
  }

  static std::string name_of(const SettingRow& row) {
    return std::string(row.pointer.substr(row.pointer.rfind('/') + 1));
  }

  void read_bool(const SettingRow& row, const Json& value, std::optional<bool>& target) {
    target = value.as_bool();
    if (!target) problems_.error(value, "'" + name_of(row) + "' must be true or false");
  }

  void read_disable_all(const SettingRow& row, const Json& value) {
    std::optional<bool> off;
    read_bool(row, value, off);
    if (off == true) file_.toggles.enabled = false;
  }

  void read_names(const SettingRow& row, const Json& value) {
    if (!value.is_array()) return problems_.error(value, "'" + name_of(row) + "' must be a list of hook names");
    for (const Json& name : value.elements()) {
      if (const auto text = name.as_string()) {
        file_.toggles.disabled_names.push_back(*text);
      } else {
        problems_.error(name, "'" + name_of(row) + "' must be a list of hook names");
      }
    }
  }

  void read_timeout(const SettingRow& row, const Json& value) {
    const auto timeout = read_duration(value, file_.dialect->timeout_unit);
    if (!timeout) return problems_.error(value, "'" + name_of(row) + "' " + timeout.error());
    file_.toggles.default_timeout = *timeout;
  }

  void read_behaviour(const SettingRow& row, const Json& value, std::optional<OnFailure>& target) {
    target = behaviour_from(value);
    if (target) return;
    problems_.error(value, "'" + name_of(row) + "' must be \"ignore\", \"deny\" or \"ask\"",
                    did_you_mean(value.as_string().value_or(""), {"ignore", "deny", "ask"}));
  }

  void read_concurrency(const SettingRow& row, const Json& value) {
    const auto count = value.as_integer();
    if (!count || *count < 1) return problems_.error(value, "'" + name_of(row) + "' must be a whole number above 0");
    file_.toggles.max_concurrent = static_cast<size_t>(*count);
  }

  void read_hooks(const Json& hooks) {
    if (!hooks) return;
    if (!hooks.is_object()) {
      return problems_.error(hooks, "'hooks' must be an object with one list per event");
    }
    for (const JsonMember& member : counting_members(hooks, problems_)) {
      if (!is_setting(member.key)) read_event(member);
    }
  }

  bool is_setting(std::string_view key) const {
    const std::string pointer = std::string(file_.dialect->hooks_pointer) + "/" + std::string(key);
    return std::ranges::find(file_.dialect->settings, pointer, &SettingRow::pointer) != file_.dialect->settings.end();
  }

  void read_event(const JsonMember& member) {
    const EventRow* row = file_.dialect->find_event(member.key);
    const auto& unsupported = file_.dialect->unsupported_events;
    const auto known = std::ranges::find(unsupported, member.key);
    if (row == nullptr && known == unsupported.end()) return report_unknown_event(member);
    const EventRow listed_only{.kind = {}, .wire_name = row == nullptr ? *known : row->wire_name};
    if (row == nullptr) row = &listed_only;
    if (!member.value.is_array()) {
      return problems_.error(member.value, "'" + member.key + "' must be a list of groups, each with 'hooks'");
    }
    file_.events.emplace_back(row->wire_name);
    GroupReader groups(*file_.dialect, file_.scope, *row, problems_);
    for (const Json& group : member.value.elements()) groups.read(group, file_.hooks);
  }

  void report_unknown_event(const JsonMember& member) {
    std::vector<std::string_view> known;
    for (const EventRow& row : file_.dialect->events) known.push_back(row.wire_name);
    for (const SettingRow& row : file_.dialect->settings)
      known.push_back(row.pointer.substr(row.pointer.rfind('/') + 1));
    problems_.error_at(member.key_offset,
                       "'" + member.key + "' is no event of " + std::string(file_.dialect->name) + " hooks",
                       did_you_mean(member.key, known));
  }

  Json root_;
  Problems problems_;
  SettingsFile file_;
};

}  // namespace

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
  out.disabled_names.insert(out.disabled_names.end(), later.disabled_names.begin(), later.disabled_names.end());
  return out;
}

SettingsFile read_settings(std::string text, const SettingsOrigin& origin) {
  if (text::trim(text).empty()) return {origin.dialect, origin.scope, origin.path, {}, {}, {}, {}};
  auto root = Json::parse(std::move(text), {.comments = true});
  if (root) return SettingsReader(*root, origin).read();
  SettingsFile file{origin.dialect, origin.scope, origin.path, {}, {}, {}, {}};
  SourcePos at = root.error().at.value_or(SourcePos{});
  at.file = origin.path;
  file.problems.push_back({Problem::Severity::Error, root.error().message, at, "no hook of this file is loaded"});
  return file;
}

SettingsFile read_settings(const Json& root, const SettingsOrigin& origin) {
  return SettingsReader(root, origin).read();
}

const Dialect* detect_dialect(const Json& root, std::string_view path) {
  const Dialect* best = nullptr;
  size_t best_count = 0;
  for (const Dialect* dialect : all_dialects()) {
    if (dialect->hook_keys.empty()) continue;
    const size_t count = count_signs(*dialect, root);
    if (count == 0) continue;
    if (is_place_of(*dialect, path)) return dialect;
    if (count > best_count) {
      best = dialect;
      best_count = count;
    }
  }
  return best;
}

}  // namespace grapnel
