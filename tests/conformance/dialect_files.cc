#include <algorithm>

#include "conformance/dialect_page.h"
#include "conformance/dialect_words.h"
#include "conformance/markdown.h"

/// The half of a dialect's page that is about files: where they are, and how a hook is written in them.
namespace grapnel::conformance {

namespace {

std::string path_of(const HookFilePlace& place) {
  const std::string path(place.path);
  switch (place.base) {
    case PlaceBase::Root:
      return "/" + path;
    case PlaceBase::Home:
      return "~/" + path;
    case PlaceBase::State:
      return "~/.local/state/grapnel/" + path;
    case PlaceBase::Config:
      return "~/.config/" + path;
    case PlaceBase::Project:
      return path;
  }
  return path;
}

std::string format_of(const HookFilePlace& place) {
  switch (place.format) {
    case PlaceFormat::Settings:
      return "JSON, comments allowed";
    case PlaceFormat::SettingsDirectory:
      return "a directory of `*.json` files, read in the order of their names";
    case PlaceFormat::Toml:
      return "TOML";
    case PlaceFormat::Extensions:
      return "a directory of extensions";
    case PlaceFormat::HookDirectories:
      return "a directory of hooks";
    case PlaceFormat::Rules:
      return "YAML";
  }
  return "";
}

std::string moved_by(const HookFilePlace& place) {
  if (place.base == PlaceBase::State) return "`XDG_STATE_HOME` (replaces `~/.local/state`)";
  if (place.base == PlaceBase::Config) return "`XDG_CONFIG_HOME` (replaces `~/.config`)";
  if (!place.home_override.empty()) return code(place.home_override) + " (another home directory)";
  if (!place.dir_override.empty()) return code(place.dir_override) + " (another directory)";
  if (!place.path_override.empty()) return code(place.path_override) + " (another file)";
  return "";
}

std::string write_layering(const Dialect& dialect) {
  if (dialect.files.places.size() < 2) return "";
  if (dialect.files.layering == Layering::ReplacePerEvent) {
    return "\nIf several files of one scope have hooks for the same event, the list of the last file is used.\n";
  }
  return "\nGrapnel runs the hooks of all these files.\n";
}

std::string write_extensions(const Dialect& dialect) {
  const ExtensionFiles& files = dialect.files.extensions;
  if (files.manifest.empty()) return "";
  return "\nAn extension is a directory with a " + code(files.manifest) + "; its hooks are in " + code(files.hooks) +
         ". In the texts of its hooks, " + code("${" + std::string(files.own_path) + "}") +
         " stands for its directory and " + code("${" + std::string(files.project) + "}") +
         " for that of the project. Extensions are switched on and off in " + code(files.overrides) +
         ", in the directory of extensions.\n";
}

std::string write_settings(const Dialect& dialect) {
  Table table({"setting", "meaning"});
  for (const SettingRow& row : dialect.files.settings) table.row({dotted(row.pointer), words_for(row.setting)});
  const std::string text = table.text();
  return text.empty() ? "" : "\nBesides hooks, these files may have these settings:\n" + text;
}

std::string tool_for_sample(const Dialect& dialect) {
  const auto shell = std::ranges::find(dialect.tools.rows, "shell", &ToolRow::kind);
  return std::string(shell == dialect.tools.rows.end() ? "" : shell->name);
}

bool has_key(const Dialect& dialect, HookKey key) {
  return std::ranges::find(dialect.entries.hook_keys, key, &HookKeyRow::meaning) != dialect.entries.hook_keys.end();
}

std::string write_sample(const Dialect& dialect) {
  const EventRow* event = dialect.find_event(EventKind::PreToolUse);
  const std::string tool = tool_for_sample(dialect);
  const std::string timeout = std::to_string(std::chrono::milliseconds{5000} / dialect.timeouts.unit);
  if (dialect.file_format() == PlaceFormat::HookDirectories) {
    return "\n```yaml\n---\nname: check\ndescription: Looks at commands before they run\ntrigger: " +
           std::string(event->aliases.front()) + "\nmatcher:\n  tool: ^" + tool + "$\ntimeout: " + timeout +
           "\n---\n```\n";
  }
  if (dialect.entries.alone) {
    return "\n```toml\n[[hooks]]\nevent = \"" + std::string(event->wire_name) + "\"\nmatcher = \"" + tool +
           "\"\ncommand = \"sh check.sh\"\ntimeout = " + timeout + "\n```\n";
  }
  if (dialect.entries.per_event) {
    const std::string command(dialect.key_of(HookKey::Command));
    const std::string limit(dialect.key_of(HookKey::Timeout));
    return "\n```json\n{\n  \"version\": 1,\n  \"hooks\": {\n    \"" + std::string(event->wire_name) +
           "\": [\n      {\"matcher\": \"" + tool + "\", \"" + command + "\": \"sh check.sh\", \"" + limit +
           "\": " + timeout + "}\n    ]\n  }\n}\n```\n";
  }
  const std::string matcher =
      dialect.entries.matcher_members.empty()
          ? "\"" + tool + "\""
          : "{\"" + std::string(dialect.entries.matcher_members.front().key) + "\": \"" + tool + "\"}";
  return "\n```json\n{\n  \"hooks\": {\n    \"" + std::string(event->wire_name) +
         "\": [\n      {\"matcher\": " + matcher +
         ", \"hooks\": [{\"type\": \"command\", \"command\": \"sh check.sh\", \"timeout\": " + timeout +
         "}]}\n    ]\n  }\n}\n```\n";
}

std::string write_types(const Dialect& dialect) {
  std::string runs;
  std::string others;
  for (const HandlerTypeRow& row : dialect.entries.handler_types) {
    std::string& target = can_run(row.type) ? runs : others;
    target += (target.empty() ? "" : ", ") + code(row.word);
  }
  if (runs.empty()) return "";
  std::string text = "\nTypes of hooks: " + runs + ".";
  if (!others.empty()) {
    text += " Hooks of type " + others + " are read and listed, but Grapnel cannot run them: they count as failed.";
  }
  return text + "\n";
}

std::string write_posts(const Dialect& dialect) {
  const auto row = std::ranges::find(dialect.entries.handler_types, HandlerType::Http, &HandlerTypeRow::type);
  if (row == dialect.entries.handler_types.end()) return "";
  std::string text = "\nThe body of a reply that is not a JSON object is ";
  text += dialect.http.takes_text ? "plain text" : "a failure";
  text += std::string("; a forbidden address ") + (dialect.http.refusal_denies ? "blocks" : "is also a failure");
  if (dialect.http.needs_tls) text += "; only https is permitted, unless the settings say otherwise";
  return text + ". See [http hooks](../http-hooks.md).\n";
}

std::string write_timeouts(const Dialect& dialect) {
  const bool in_seconds = dialect.timeouts.unit == std::chrono::seconds{1};
  std::string text = "\nTimeouts are given in " + std::string(in_seconds ? "seconds" : "milliseconds") +
                     (dialect.timeouts.min.count() > 1 ? ", from " + words_for(dialect.timeouts.min) : ", above 0") +
                     " up to " + words_for(dialect.timeouts.max) + "; the default is " +
                     words_for(dialect.timeouts.by_default);
  for (const EventRow& row : dialect.events) {
    if (row.running.default_timeout.count() > 0) {
      text += ", at " + code(row.wire_name) + " " + words_for(row.running.default_timeout);
    }
  }
  for (const HandlerTypeRow& row : dialect.entries.handler_types) {
    if (row.default_timeout.count() == 0) continue;
    text += ", for type " + code(row.word) + " " + words_for(row.default_timeout);
    if (row.timeout_unit.count() > 0) text += " (and in seconds)";
  }
  text += ".";
  if (dialect.running.default_concurrency > 0) {
    text += " At most " + std::to_string(dialect.running.default_concurrency) +
            " hooks run at the same time, unless a file says otherwise.";
  }
  return text + "\n";
}

std::string write_failure_words(const Dialect& dialect) {
  std::string text;
  for (const FailureWordRow& row : dialect.failure.words) {
    text += (text.empty() ? "" : ", ") + code(row.word) + " " + words_for(row.meaning);
  }
  return text.empty() ? "" : "\nIf the hook fails: " + text + ".\n";
}

std::string write_entry_rules(const Dialect& dialect) {
  std::string text;
  if (dialect.running.dedupe) text += " If several hooks have the same name and command, only the first of them runs.";
  if (dialect.running.dedupe_whole) text += " If several hooks are the same in every key, only the first of them runs.";
  if (dialect.running.sequential_spreads)
    text += " If one group is sequential, all hooks of the event run in sequence.";
  if (dialect.files.expand_environment)
    text += " `$NAME` and `${NAME}` in any text of the file stand for environment variables.";
  return text.empty() ? "" : "\n" + text.substr(1) + "\n";
}

std::string write_matcher_members(const Dialect& dialect) {
  Table table({"member", "compared with", "how"});
  for (const MatcherMember& member : dialect.entries.matcher_members) {
    std::string how = words_for(member.syntax);
    if (member.takes_argument) how += "; `Tool(pattern)` also looks at the command or path";
    if (member.whole_too) how += "; it is compared with every value, and with the JSON text as a whole";
    table.row({code(member.key), code(to_string(member.subject)), how});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\nA matcher may be an object, all of whose members must match:\n" + text;
}

}  // namespace

std::string write_files(const Dialect& dialect) {
  if (dialect.files.places.empty()) return "";
  Table table({"scope", "file", "format", "changed by"});
  for (const HookFilePlace& place : dialect.files.places) {
    table.row({std::string(to_string(place.scope)), code(path_of(place)), format_of(place), moved_by(place)});
  }
  const bool has_project =
      std::ranges::find(dialect.files.places, PlaceBase::Project, &HookFilePlace::base) != dialect.files.places.end();
  const std::string_view trust =
      "\nHooks of a project run only after you have trusted them ([../trust.md](../trust.md)).\n"
      "[../configuration.md](../configuration.md) explains how several files are combined.\n";
  return "\n## Hook files\n" + table.text() + std::string(has_project ? trust : "") + write_layering(dialect) +
         write_extensions(dialect) + write_settings(dialect);
}

std::string write_entries(const Dialect& dialect) {
  if (!dialect.file_format()) return "";
  std::string text = "\n## The entry of a hook\n";
  text += write_sample(dialect);
  Table groups({"key of a group", "meaning"});
  for (const GroupKeyRow& row : dialect.entries.group_keys) groups.row({code(row.key), words_for(row.meaning)});
  Table hooks({"key of a hook", "meaning"});
  for (const HookKeyRow& row : dialect.entries.hook_keys) {
    if (row.meaning != HookKey::Ignored) hooks.row({dotted(row.key), words_for(row.meaning)});
  }
  text += groups.text() + hooks.text();
  std::vector<std::string_view> ignored;
  for (const HookKeyRow& row : dialect.entries.hook_keys) {
    if (row.meaning == HookKey::Ignored) ignored.push_back(row.key);
  }
  if (!ignored.empty()) text += "\nKnown keys without effect here: " + code_list(ignored) + ".\n";
  if (has_key(dialect, HookKey::Type)) text += write_types(dialect) + write_posts(dialect);
  return text + write_timeouts(dialect) + write_failure_words(dialect) + write_entry_rules(dialect) +
         write_matcher_members(dialect);
}

}  // namespace grapnel::conformance
