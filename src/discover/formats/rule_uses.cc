#include "discover/formats/rule_uses.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/find/overrides.h"
#include "discover/formats/rule_command.h"

namespace grapnel {

namespace {

/// A placeholder and the field that an event must have for it. The file of a tool call is part of its input, so it is
/// there wherever there is a tool.
struct PlaceholderRow {
  std::string_view name;
  Field field;
  std::string_view what;
};
constexpr auto kPlaceholders = std::to_array<PlaceholderRow>({
    {"path", Field::ToolName, "a file"},
    {"tool", Field::ToolName, "a tool"},
});

/// Variables that people expect, and what to write.
struct VariableNameRow {
  std::string_view name;
  std::string_view placeholder;
};
constexpr auto kVariableNames = std::to_array<VariableNameRow>({
    {"path", "{path}"},
    {"file", "{path}"},
    {"file_path", "{path}"},
    {"tool", "{tool}"},
    {"FILE", "{path}"},
    {"FILE_PATH", "{path}"},
    {"CLAUDE_FILE_PATHS", "{path}"},
    {"TOOL_NAME", "{tool}"},
});

/// From this number on nobody means seconds.
constexpr double kMostSeconds = 1000;

/// Whether the event is a gate, at which a refusal makes the agent go on.
bool is_gate(EventKind kind) {
  const EventRow* row = kGrapnelDialect.find_event(kind);
  return row != nullptr && !row->exit.codes.empty();
}

class UseCheck {
 public:
  UseCheck(const HookSpec& hook, const YamlNode& entry, std::vector<ConfigProblem>& problems)
      : hook_(hook), entry_(entry), problems_(problems), events_(events_of(hook)) {}

  void check() {
    check_durations();
    check_waiting();
    check_once();
    check_nothing_to_run();
    if (const YamlNode* run = entry_.find("run")) check_placeholders(*run);
    if (const YamlNode* worker = entry_.find("worker"); worker != nullptr && !worker->is_map())
      check_placeholders(*worker);
  }

 private:
  void warn(const SourcePos& at, std::string message, std::string hint) {
    problems_.push_back({ConfigProblem::Severity::Warning, std::move(message), at, std::move(hint)});
  }

  void check_durations() {
    if (const YamlNode* timeout = entry_.find("timeout")) check_unit("timeout", *timeout);
    const YamlNode* worker = entry_.find("worker");
    const YamlNode* idle = worker == nullptr ? nullptr : worker->find("idle");
    if (idle != nullptr) check_unit("idle", *idle);
  }

  /// `timeout: 30000`: milliseconds in the settings of most agents.
  void check_unit(std::string_view key, const YamlNode& node) {
    const bool is_bare = !node.text.empty() && node.text.find_first_not_of("0123456789.") == std::string::npos;
    const auto duration = is_bare ? parse_duration(node.text) : std::nullopt;
    if (!duration || *duration < std::chrono::duration<double>(kMostSeconds)) return;
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(*duration).count();
    warn(node.value_at,
         "'" + std::string(key) + ": " + node.text + "' is " + std::to_string(minutes) +
             " minutes: a number without a unit is seconds",
         "write " + node.text + "ms, or the seconds as in 30s");
  }

  /// Nothing waits for an async hook, so it cannot refuse anything.
  void check_waiting() {
    if (!hook_.async) return;
    const YamlNode* said = entry_.find(entry_.find("async") != nullptr ? "async" : "detach");
    for (const std::string_view key : {"on_failure", "max_blocks"}) {
      const YamlNode* node = entry_.find(key);
      if (node == nullptr || said == nullptr || node->text == "open") continue;
      return warn(said->at, "an async hook refuses nothing, so '" + std::string(key) + "' has no effect",
                  "remove 'async' if the hook should be able to refuse");
    }
  }

  /// A guard that holds once. At a gate that is a reminder, and people want it.
  void check_once() {
    const auto* rule = std::get_if<RuleHandler>(&hook_.handler);
    const YamlNode* once = entry_.find("once");
    const bool refuses = rule != nullptr && (rule->verdict == Verdict::Deny || rule->verdict == Verdict::Ask);
    if (!hook_.once || once == nullptr || !refuses || std::ranges::any_of(events_, is_gate)) return;
    const std::string verdict(to_string(rule->verdict));
    warn(once->at, "this rule answers " + verdict + " once in a session; the next call like that passes",
         "remove 'once', or write inject: … if you want to remind the model");
  }

  /// Limits of something that is never started.
  void check_nothing_to_run() {
    if (!std::holds_alternative<RuleHandler>(hook_.handler)) return;
    for (const std::string_view key : {"timeout", "on_failure"}) {
      const YamlNode* node = entry_.find(key);
      if (node != nullptr)
        warn(node->at, "'" + std::string(key) + "' has no effect: this rule runs nothing", "remove it");
    }
  }

  /// `$path` and the like: variables that are not set, because values are filled in as placeholders.
  void check_variables(const YamlNode& node) {
    for (const VariableNameRow& row : kVariableNames) {
      const std::string name(row.name);
      const size_t at = std::min(node.text.find("$" + name), node.text.find("${" + name));
      if (at == std::string::npos) continue;
      const size_t end = at + name.size() + (node.text[at + 1] == '{' ? 2 : 1);
      const bool is_longer =
          end < node.text.size() && (std::isalnum(static_cast<unsigned char>(node.text[end])) || node.text[end] == '_');
      const bool is_set =
          node.text.contains(name + "=") || node.text.contains("for " + name) || node.text.contains("read ");
      const YamlNode* env = entry_.find("env");
      if (is_longer || is_set || (env != nullptr && env->find(name) != nullptr)) continue;
      return warn(node.value_at, "'$" + name + "' is a variable of the shell, and nothing sets it",
                  "write " + std::string(row.placeholder));
    }
  }

  void check_placeholders(const YamlNode& node) {
    for (const auto& [none, element] : node.members) check_placeholders(element);
    check_variables(node);
    const std::string_view text = node.text;
    for (size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
      const size_t close = text.find('}', open);
      if (close == std::string_view::npos) return;
      check_placeholder(node, text.substr(open + 1, close - open - 1), open);
    }
  }

  /// One `{name}`. In YAML the place of a scalar is its start, and a quote in front of it is one column.
  void check_placeholder(const YamlNode& node, std::string_view name, size_t offset) {
    const bool is_shells = offset > 0 && node.text[offset - 1] == '$';
    const bool is_doubled = offset > 0 && node.text[offset - 1] == '{';
    const std::string written(name);
    const auto known = std::ranges::find(kPlaceholders, name, &PlaceholderRow::name);

    if (known != kPlaceholders.end() && is_doubled) {
      return warn(node.value_at, "'{{" + written + "}}' has one brace too many on each side",
                  "write {" + written + "}");
    }
    if (is_shells) return;
    if (const std::string_view hint = hint_for_placeholder(name); !hint.empty())
      return warn(node.value_at, "'{" + written + "}' is not a placeholder and stays as it is", std::string(hint));
    if (known == kPlaceholders.end() || entry_.find("when") != nullptr) {
      // With a condition about changed files the placeholder is one of them.
      const YamlNode* when = entry_.find("when");
      if (known == kPlaceholders.end() || when->find("changed") != nullptr) return;
    }
    const bool is_somewhere =
        std::ranges::any_of(events_, [&](EventKind kind) { return has_field(kind, known->field); });
    if (is_somewhere) return;
    warn(node.value_at,
         "'{" + written + "}' is empty here: " + names_of(events_) + " is not about " + std::string(known->what),
         "remove it, or put the rule on PostToolUse");
  }

  const HookSpec& hook_;
  const YamlNode& entry_;
  std::vector<ConfigProblem>& problems_;
  std::vector<EventKind> events_;
};

}  // namespace

void check_uses(const HookSpec& hook, const YamlNode& entry, std::vector<ConfigProblem>& problems) {
  UseCheck(hook, entry, problems).check();
}

std::vector<EventKind> events_of(const HookSpec& hook) {
  std::vector<EventKind> out;
  for (const EventKind kind : all_event_kinds()) {
    if (hook.listens_to(kind)) out.push_back(kind);
  }
  return out;
}

std::string names_of(const std::vector<EventKind>& kinds) {
  std::vector<std::string> names;
  for (const EventKind kind : kinds) names.emplace_back(to_string(kind));
  return text::join(names, ", ");
}

/// The canonical dialect and that of rule files have every field at every event, so they prove nothing.
bool has_field(EventKind kind, Field field) {
  return std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
    const bool says_all = dialect == &kCanonicalDialect || dialect == &kGrapnelDialect;
    const EventRow* row = says_all ? nullptr : dialect->find_event(kind);
    if (row == nullptr) return false;
    const auto is_in = [&](std::span<const FieldRow> rows) {
      return std::ranges::find(rows, field, &FieldRow::field) != rows.end();
    };
    return is_in(row->payload.inputs) || is_in(dialect->payload.common_inputs);
  });
}

}  // namespace grapnel
