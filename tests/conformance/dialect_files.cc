#include <algorithm>

#include "conformance/dialect_page.h"
#include "conformance/dialect_words.h"
#include "conformance/markdown.h"

/// The half of a dialect's page that is about files: where they are, and how a hook is written in them.
namespace grapnel::conformance {

namespace {

std::string path_of(const Place& place) {
  const std::string path(place.path);
  switch (place.base) {
    case PlaceBase::Root:
      return "/" + path;
    case PlaceBase::Home:
      return "~/" + path;
    case PlaceBase::Config:
      return "~/.config/" + path;
    case PlaceBase::Project:
      return path;
  }
  return path;
}

std::string format_of(const Place& place) {
  switch (place.format) {
    case PlaceFormat::Settings:
      return "JSON, comments allowed";
    case PlaceFormat::SettingsDirectory:
      return "a directory of `*.json` files, read by name";
    case PlaceFormat::Toml:
      return "TOML";
    case PlaceFormat::Extensions:
      return "a directory of extensions";
    case PlaceFormat::HookDirectories:
      return place.base == PlaceBase::Project ? "a directory of hooks, the nearest up to the repository's root"
                                              : "a directory of hooks";
    case PlaceFormat::Rules:
      return "YAML";
  }
  return "";
}

std::string moved_by(const Place& place) {
  if (place.base == PlaceBase::Config) return "`XDG_CONFIG_HOME` (in place of `~/.config`)";
  if (!place.home_override.empty()) return code(place.home_override) + " (another home directory)";
  if (!place.dir_override.empty()) return code(place.dir_override) + " (another directory)";
  if (!place.path_override.empty()) return code(place.path_override) + " (another file)";
  return "";
}

std::string write_layering(const Dialect& dialect) {
  if (dialect.places.size() < 2) return "";
  if (dialect.layering == Layering::ReplacePerEvent) {
    return "\nOf several files of one scope a later one's list for an event takes the place of an earlier one's.\n";
  }
  return "\nThe hooks of all these files run.\n";
}

std::string write_extensions(const Dialect& dialect) {
  const ExtensionFiles& files = dialect.extensions;
  if (files.manifest.empty()) return "";
  return "\nAn extension is a directory with a " + code(files.manifest) + "; its hooks are in " + code(files.hooks) +
         ". In texts, " + code("${" + std::string(files.own_path) + "}") + " stands for its directory and " +
         code("${" + std::string(files.project) + "}") + " for the project's. Where it is switched off and on is in " +
         code(files.overrides) + " beside the extensions.\n";
}

std::string write_settings(const Dialect& dialect) {
  Table table({"setting", ""});
  for (const SettingRow& row : dialect.settings) table.row({dotted(row.pointer), words_for(row.setting)});
  const std::string text = table.text();
  return text.empty() ? "" : "\nSettings of these files, besides the hooks:\n" + text;
}

std::string tool_for_sample(const Dialect& dialect) {
  const auto shell = std::ranges::find(dialect.tools, "shell", &ToolRow::kind);
  return std::string(shell == dialect.tools.end() ? "" : shell->name);
}

bool has_key(const Dialect& dialect, HookKey key) {
  return std::ranges::find(dialect.hook_keys, key, &HookKeyRow::meaning) != dialect.hook_keys.end();
}

std::string write_sample(const Dialect& dialect) {
  const EventRow* event = dialect.find_event(EventKind::PreToolUse);
  const std::string tool = tool_for_sample(dialect);
  const std::string timeout = std::to_string(std::chrono::milliseconds{5000} / dialect.timeout_unit);
  if (dialect.file_format() == PlaceFormat::HookDirectories) {
    return "\n```yaml\n---\nname: check\ndescription: Looks at commands before they run\ntrigger: " +
           std::string(event->aliases.front()) + "\nmatcher:\n  tool: ^" + tool + "$\ntimeout: " + timeout +
           "\n---\n```\n";
  }
  if (dialect.entries_alone) {
    return "\n```toml\n[[hooks]]\nevent = \"" + std::string(event->wire_name) + "\"\nmatcher = \"" + tool +
           "\"\ncommand = \"sh check.sh\"\ntimeout = " + timeout + "\n```\n";
  }
  if (dialect.entries_per_event) {
    const std::string command(dialect.key_of(HookKey::Command));
    const std::string limit(dialect.key_of(HookKey::Timeout));
    return "\n```json\n{\n  \"version\": 1,\n  \"hooks\": {\n    \"" + std::string(event->wire_name) +
           "\": [\n      {\"matcher\": \"" + tool + "\", \"" + command + "\": \"sh check.sh\", \"" + limit +
           "\": " + timeout + "}\n    ]\n  }\n}\n```\n";
  }
  const std::string matcher = dialect.matcher_members.empty()
                                  ? "\"" + tool + "\""
                                  : "{\"" + std::string(dialect.matcher_members.front().key) + "\": \"" + tool + "\"}";
  return "\n```json\n{\n  \"hooks\": {\n    \"" + std::string(event->wire_name) +
         "\": [\n      {\"matcher\": " + matcher +
         ", \"hooks\": [{\"type\": \"command\", \"command\": \"sh check.sh\", \"timeout\": " + timeout +
         "}]}\n    ]\n  }\n}\n```\n";
}

std::string write_types(const Dialect& dialect) {
  std::string runs;
  std::string others;
  for (const HandlerTypeRow& row : dialect.handler_types) {
    std::string& target = can_run(row.type) ? runs : others;
    target += (target.empty() ? "" : ", ") + code(row.word);
  }
  if (runs.empty()) return "";
  std::string text = "\nTypes of hooks: " + runs + ".";
  if (!others.empty()) {
    text += " Those of type " + others + " are read and listed, but cannot run here: they count as failed.";
  }
  return text + "\n";
}

std::string write_posts(const Dialect& dialect) {
  const auto row = std::ranges::find(dialect.handler_types, HandlerType::Http, &HandlerTypeRow::type);
  if (row == dialect.handler_types.end()) return "";
  std::string text = "\nOf a post's reply a body that is no JSON object is ";
  text += dialect.http.takes_text ? "plain text" : "a failure";
  text += std::string("; an address that may not be posted to ") +
          (dialect.http.refusal_denies ? "blocks" : "is a failure, too");
  if (dialect.http.needs_tls) text += "; only https may be posted to where settings do not say otherwise";
  return text + ". See [http hooks](../http-hooks.md).\n";
}

std::string write_timeouts(const Dialect& dialect) {
  const bool in_seconds = dialect.timeout_unit == std::chrono::seconds{1};
  std::string text = "\nTimeouts are given in " + std::string(in_seconds ? "seconds" : "milliseconds") +
                     (dialect.min_timeout.count() > 1 ? ", from " + words_for(dialect.min_timeout) : ", above 0") +
                     " up to " + words_for(dialect.max_timeout) + "; a hook that sets none has " +
                     words_for(dialect.default_timeout);
  for (const EventRow& row : dialect.events) {
    if (row.default_timeout.count() > 0) {
      text += ", at " + code(row.wire_name) + " " + words_for(row.default_timeout);
    }
  }
  for (const HandlerTypeRow& row : dialect.handler_types) {
    if (row.default_timeout.count() == 0) continue;
    text += ", one of type " + code(row.word) + " " + words_for(row.default_timeout);
    if (row.timeout_unit.count() > 0) text += " (there in seconds)";
  }
  text += ".";
  if (dialect.default_concurrency > 0) {
    text += " At most " + std::to_string(dialect.default_concurrency) +
            " hooks run at a time unless a file says otherwise.";
  }
  return text + "\n";
}

std::string write_failure_words(const Dialect& dialect) {
  std::string text;
  for (const FailureWordRow& row : dialect.failure_words) {
    text += (text.empty() ? "" : ", ") + code(row.word) + " " + words_for(row.meaning);
  }
  return text.empty() ? "" : "\nWhat failing means: " + text + ".\n";
}

std::string write_entry_rules(const Dialect& dialect) {
  std::string text;
  if (dialect.dedupe) text += " Of hooks with the same name and command only the first runs.";
  if (dialect.dedupe_whole) text += " Of hooks that are the same in every key only the first runs.";
  if (dialect.sequential_spreads) text += " One sequential group makes all hooks of the event run one after another.";
  if (dialect.expand_environment)
    text += " `$NAME` and `${NAME}` in any text of the file stand for the environment's variables.";
  return text.empty() ? "" : "\n" + text.substr(1) + "\n";
}

std::string write_matcher_members(const Dialect& dialect) {
  Table table({"member", "compared with", "how"});
  for (const MatcherMember& member : dialect.matcher_members) {
    std::string how = words_for(member.syntax);
    if (member.takes_argument) how += "; `Tool(pattern)` is about its command or path as well";
    if (member.whole_too) how += "; every value in it, and its JSON as a whole";
    table.row({code(member.key), code(to_string(member.subject)), how});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\nA matcher may be an object; all members must match:\n" + text;
}

}  // namespace

std::string write_files(const Dialect& dialect) {
  if (dialect.places.empty()) return "";
  Table table({"scope", "file", "format", "moved by"});
  for (const Place& place : dialect.places) {
    table.row({std::string(to_string(place.scope)), code(path_of(place)), format_of(place), moved_by(place)});
  }
  const bool has_project = std::ranges::find(dialect.places, PlaceBase::Project, &Place::base) != dialect.places.end();
  const std::string_view trust =
      "\nThose of a project run once they are trusted ([../trust.md](../trust.md)); how files add up is in\n"
      "[../configuration.md](../configuration.md).\n";
  return "\n## Where hooks are\n" + table.text() + std::string(has_project ? trust : "") + write_layering(dialect) +
         write_extensions(dialect) + write_settings(dialect);
}

std::string write_entries(const Dialect& dialect) {
  if (!dialect.file_format()) return "";
  std::string text = "\n## A hook's entry\n";
  text += write_sample(dialect);
  Table groups({"key of a group", ""});
  for (const GroupKeyRow& row : dialect.group_keys) groups.row({code(row.key), words_for(row.meaning)});
  Table hooks({"key of a hook", ""});
  for (const HookKeyRow& row : dialect.hook_keys) {
    if (row.meaning != HookKey::Ignored) hooks.row({dotted(row.key), words_for(row.meaning)});
  }
  text += groups.text() + hooks.text();
  std::vector<std::string_view> ignored;
  for (const HookKeyRow& row : dialect.hook_keys) {
    if (row.meaning == HookKey::Ignored) ignored.push_back(row.key);
  }
  if (!ignored.empty()) text += "\nKnown, of no consequence here: " + code_list(ignored) + ".\n";
  if (has_key(dialect, HookKey::Type)) text += write_types(dialect) + write_posts(dialect);
  return text + write_timeouts(dialect) + write_failure_words(dialect) + write_entry_rules(dialect) +
         write_matcher_members(dialect);
}

}  // namespace grapnel::conformance
