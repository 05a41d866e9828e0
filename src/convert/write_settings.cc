#include "convert/write_settings.h"

#include <algorithm>
#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "convert/yaml_writer.h"
#include "dialect/payload.h"
#include "discover/formats/hook_name.h"

namespace grapnel {

namespace {

constexpr int kSettingsPriority = 100;  // the default, which is not written
constexpr size_t kMaxWrittenDescription = 800;

// One settings file.

/// Whether two hooks can be in one group: everything that a group says is the same.
bool share_group(const TargetHook& a, const TargetHook& b) {
  return a.group_name == b.group_name && a.sequential == b.sequential && a.matcher == b.matcher;
}

/// One group. Its members are in the order of the dialect's table of keys.
Json write_group(const Dialect& to, const TargetHook& first, const std::vector<Json>& entries) {
  std::vector<std::pair<std::string, Json>> members;
  for (const GroupKeyRow& row : to.entries.group_keys) {
    Json value;
    if (row.meaning == GroupKey::Name && !first.group_name.empty()) value = Json::string(first.group_name);
    if (row.meaning == GroupKey::Matcher) value = first.matcher;
    if (row.meaning == GroupKey::Sequential && first.sequential) value = Json::boolean(true);
    if (row.meaning == GroupKey::Hooks) value = Json::array(entries);
    members.emplace_back(row.key, value);
  }
  return Json::object(members);
}

/// Only neighbours with the same matcher share a group, because the order of hooks must not change.
Json write_groups(const Dialect& to, const std::vector<const TargetHook*>& hooks) {
  std::vector<Json> groups;
  for (size_t i = 0; i < hooks.size();) {
    const TargetHook& first = *hooks[i];
    std::vector<Json> entries;
    for (; i < hooks.size() && share_group(first, *hooks[i]); ++i) entries.push_back(hooks[i]->entry);
    groups.push_back(write_group(to, first, entries));
  }
  return Json::array(groups);
}

Json write_entries(const std::vector<const TargetHook*>& hooks) {
  std::vector<Json> entries;
  for (const TargetHook* hook : hooks) entries.push_back(hook->entry);
  return Json::array(entries);
}

/// An object with one list for each event, in the order in which the events first appear.
Json write_events(const TargetSet& set, const Dialect& to) {
  std::vector<std::pair<std::string, Json>> events;
  std::set<std::string_view> seen;
  for (const TargetHook& first : set.hooks) {
    if (!seen.insert(first.event).second) continue;
    std::vector<const TargetHook*> own;
    for (const TargetHook& hook : set.hooks) {
      if (hook.event == first.event) own.push_back(&hook);
    }
    events.emplace_back(first.event, to.entries.per_event ? write_entries(own) : write_groups(to, own));
  }
  return Json::object(events);
}

/// The whole settings file: required constants, the hooks, and the settings for all hooks.
std::string write_json(const TargetSet& set, const Dialect& to) {
  std::vector<const TargetHook*> all;
  for (const TargetHook& hook : set.hooks) all.push_back(&hook);
  const Json hooks = to.entries.alone ? write_entries(all) : write_events(set, to);
  Json root = with_constants(Json::object(), to.files.constants).with_pointer(to.files.hooks_pointer, hooks);
  for (const auto& [pointer, value] : set.settings) root = root.with_pointer(pointer, value);
  return root.dump(JsonStyle::Pretty) + "\n";
}

/// Entries as `[[hooks]]` tables. Strings, numbers and booleans are the same in JSON and TOML.
std::string write_toml(const TargetSet& set, const Dialect& to) {
  std::string out;
  for (const TargetHook& hook : set.hooks) {
    out += (out.empty() ? "[[" : "\n[[") + std::string(to.files.hooks_pointer.substr(1)) + "]]\n";
    for (const JsonMember& member : hook.entry.members()) out += member.key + " = " + member.value.dump() + "\n";
  }
  return out;
}

// Hook directories.

/// The script of a hook directory. It sets the hook's variables itself and uses the shell that the source agent would
/// use.
std::string script_of(const HookSpec& spec) {
  const CommandHandler& run = *spec.command();
  const std::string_view shell = spec.dialect->process.shell.empty() ? "sh" : spec.dialect->process.shell.front();
  std::string out = shell == "sh" ? "#!/bin/sh\n" : "#!/usr/bin/env " + std::string(shell) + "\n";
  for (const auto& [name, value] : run.env) out += "export " + name + "=" + quote_word(value) + "\n";
  return out + (run.args ? "exec " : "") + command_line_of(run) + "\n";
}

/// Writes a directory with HOOK.md and a script for each hook, and one hooks.toml that names the disabled ones.
class DirectoryWriter {
 public:
  DirectoryWriter(const TargetSet& set, const Dialect& to) : set_(set), to_(to) {}

  WrittenFiles write() {
    for (const TargetHook& hook : set_.hooks) names_.push_back(name_for(hook));
    keep_order();
    for (size_t i = 0; i < set_.hooks.size(); ++i) write_hook(i);
    // Disabled hooks are listed in one file beside the directories.
    std::string off;
    for (size_t i = 0; i < set_.hooks.size(); ++i) {
      if (set_.switched_off[i]) off += "[[hooks.disable]]\nname = \"" + names_[i] + "\"\n";
    }
    if (!off.empty()) out_.files.push_back({"hooks.toml", off});
    return std::move(out_);
  }

 private:
  /// Directory names must be unique and in a certain form. A name that has to change is a loss.
  std::string name_for(const TargetHook& hook) {
    const std::string given = given_name(*hook.source);
    const std::string base = usable_name(given.empty() ? hook.source->command_text() : given);
    std::string name = base;
    for (size_t count = 2; std::ranges::find(names_, name) != names_.end(); ++count) {
      name = base + "-" + std::to_string(count);
    }
    if (!given.empty() && name != given) {
      out_.losses.push_back({ConfigProblem::Severity::Warning,
                             "the hook '" + text::cap(given, 100) + "' is renamed to '" + name + "'",
                             place_of(*hook.source), ""});
    }
    return name;
  }

  /// Hooks in directories run in the order of priority and then of name. If that is not the order of the source,
  /// priorities are raised: each hook needs at least the priority of the next hook of its event, or one more if its
  /// name comes later.
  void keep_order() {
    for (const TargetHook& hook : set_.hooks) priorities_.push_back(hook.source->priority);
    for (size_t i = set_.hooks.size(); i-- > 0;) {
      for (size_t later = i + 1; later < set_.hooks.size(); ++later) {
        if (set_.hooks[later].event != set_.hooks[i].event) continue;
        const int least = priorities_[later] + (names_[i] < names_[later] ? 0 : 1);
        priorities_[i] = std::max(priorities_[i], least);
        break;
      }
    }
  }

  void write_hook(size_t index) {
    const TargetHook& hook = set_.hooks[index];
    Json head = Json::object({{to_.key_of(HookKey::Name), Json::string(names_[index])},
                              {to_.key_of(HookKey::Description), Json::string(description_of(*hook.source))}})
                    .merged(hook.entry)
                    .with(to_.key_of(HookKey::Name), Json::string(names_[index]));
    if (priorities_[index] != kSettingsPriority) {
      head = head.with(to_.key_of(HookKey::Priority), Json::number(int64_t{priorities_[index]}));
    }
    out_.files.push_back(
        {names_[index] + "/HOOK.md", "---\n" + yaml_lines(head, "") + "---\n\n# " + names_[index] + "\n"});
    out_.files.push_back({names_[index] + "/scripts/run", script_of(*hook.source), true});
  }

  /// A hook without a description gets one that names its command.
  static std::string description_of(const HookSpec& spec) {
    return spec.description.empty() ? text::cap("Runs " + spec.command_text(), kMaxWrittenDescription)
                                    : spec.description;
  }

  const TargetSet& set_;
  const Dialect& to_;
  std::vector<std::string> names_;
  std::vector<int> priorities_;
  WrittenFiles out_;
};

}  // namespace

SourcePos place_of(const HookSpec& spec) {
  SourcePos at = spec.source;
  if (at.line == 0) at.line = at.column = 1;
  return at;
}

WrittenFiles write_hook_files(const TargetSet& set, const Dialect& to) {
  if (to.file_format() == PlaceFormat::HookDirectories) return DirectoryWriter(set, to).write();
  const bool is_toml = to.file_format() == PlaceFormat::Toml;
  return {{{"", is_toml ? write_toml(set, to) : write_json(set, to)}}, {}};
}

}  // namespace grapnel
