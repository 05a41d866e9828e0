#include "discover/formats/rule_entry.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/formats/hook_name.h"
#include "discover/formats/rule_action.h"
#include "discover/formats/rule_condition.h"
#include "discover/formats/sandbox_entry.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

// The keys that any hook may have. A new one also needs a row in src/schema/rule_members.cc.
constexpr auto kCommon = std::to_array<std::string_view>({"name",       "description", "on",     "when",
                                                          "priority",   "timeout",     "async",  "detach",
                                                          "on_failure", "max_blocks",  "once",   "unless_unchanged",
                                                          "enabled",    "mode",        "unsure", "unsure_unattended",
                                                          "answers",    "env",         "cwd",    "debounce",
                                                          "warm",       "sandbox"});
constexpr auto kFailureCauses = std::to_array<std::string_view>({"timeout", "crash", "output"});
// In the order of `OnFailure`.
constexpr auto kFailureWords = std::to_array<std::string_view>({"open", "ask", "closed"});
constexpr int64_t kMaxRulePriority = 1000;
constexpr int64_t kMaxBlocks = 100;
/// Somebody has to wait for the end of it, in a process or a thread of its own.
constexpr std::chrono::minutes kMaxQuiet{1};

/// A name like this one, with what names may have.
std::string near_name(std::string_view name) {
  std::string out;
  for (const char c : text::to_lower(name)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_plain) out += c;
    if (!is_plain && !out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "a name such as no-force-push" : text::cap(out, 60);
}

/// Reads one entry. It reads on after a mistake, so that people see all of them at once; `fields_` remembers that there
/// was one.
class EntryReader {
 public:
  EntryReader(const YamlNode& entry, RuleFields& fields) : entry_(entry), fields_(fields) {}

  std::optional<HookSpec> read() {
    fields_.start();
    if (!entry_.is_map()) {
      fields_.error(entry_, "a hook must be a map", "as in - name: no-force-push");
      return std::nullopt;
    }
    fields_.check_keys(entry_, entry_keys(), "in a hook");
    read_name();
    read_events();
    if (const YamlNode* when = entry_.find("when")) spec_.when = read_condition(*when, fields_);
    // Before the timing and the process: whether `async`, `env` and `cwd` make sense depends on the handler.
    spec_.handler = read_action(entry_, fields_);
    read_timing();
    read_failure();
    read_limits();
    read_debounce();
    read_warm();
    read_process();
    read_own_sandbox();
    if (fields_.failed()) return std::nullopt;
    spec_.dialect = &kGrapnelDialect;
    spec_.source = entry_.at;
    spec_.definition =
        Json::object({{"dialect", Json::string(kGrapnelDialect.name)}, {"hook", to_json(entry_)}}).dump();
    return std::move(spec_);
  }

 private:
  const YamlNode* find(std::string_view key) const { return entry_.find(key); }

  /// The name and the description.
  void read_name() {
    const YamlNode* name = find("name");
    if (name == nullptr) return fields_.error(entry_, "a hook needs a 'name'", "as in name: no-force-push");
    spec_.name = normalise_name(fields_.text(*name, "name"));
    if (spec_.name.empty()) return;
    for (std::string& mistake : name_mistakes(spec_.name))
      fields_.error(*name, std::move(mistake), "write " + near_name(spec_.name));
    if (const YamlNode* about = find("description")) spec_.description = fields_.text(*about, "description");
  }

  /// Every agent's names for events are accepted, and one name may stand for several kinds.
  void read_events() {
    const YamlNode* on = find("on");
    if (on == nullptr)
      return fields_.error(entry_, "a hook needs 'on', an event or a list of them", "as in on: PreToolUse");
    for (const YamlNode* element : fields_.elements(*on, "on")) {
      const std::string name = fields_.text(*element, "on");
      if (name.empty()) continue;
      const std::vector<EventKind> kinds = events_called(name);
      if (kinds.empty()) read_other_event(*element, name);
      for (const EventKind kind : kinds) spec_.events.set(static_cast<size_t>(kind));
    }
  }

  /// An event that has no kind. Agents have such events and invent more, but most unknown names are misspelt.
  void read_other_event(const YamlNode& node, const std::string& name) {
    if (!is_other_event(name)) {
      const std::string hint = did_you_mean(name, event_spellings());
      if (!hint.empty() || !could_be_event(name)) return fields_.error(node, "'" + name + "' is not an event", hint);
      fields_.warn(node, "no agent that grapnel knows has the event '" + name + "'; the rule runs if one reports it");
    }
    spec_.events.set(static_cast<size_t>(EventKind::Other));
    spec_.other_events.push_back(name);
  }

  /// When and how the hook runs. `detach` implies `async`. An async hook cannot answer, so it must not be a rule or
  /// inject context.
  void read_timing() {
    spec_.timeout = kGrapnelDialect.timeouts.by_default;
    if (const YamlNode* timeout = find("timeout")) spec_.timeout = fields_.duration(*timeout, "timeout");
    if (const YamlNode* priority = find("priority")) {
      spec_.priority = static_cast<int>(fields_.number(*priority, "priority", 0, kMaxRulePriority));
    }
    if (const YamlNode* enabled = find("enabled")) spec_.enabled = fields_.flag(*enabled, "enabled");
    if (const YamlNode* mode = find("mode")) spec_.mode = read_mode(*mode, fields_);
    read_doubt();
    read_answers();
    if (const YamlNode* detach = find("detach")) spec_.detach = fields_.flag(*detach, "detach");
    const YamlNode* async = find("async");
    if (async != nullptr && async->is_text() && async->text == kFleetWord) {
      spec_.async = spec_.is_job = true;
    } else if (async != nullptr) {
      spec_.async = fields_.flag(*async, "async");
    }
    if (spec_.detach && async != nullptr && !spec_.async) {
      fields_.error(*async, "'detach: true' and 'async: false' contradict each other");
    }
    spec_.async |= spec_.detach;
    // The key to point to in messages.
    const YamlNode* said = async != nullptr ? async : find("detach");
    if (!spec_.async || fields_.failed()) return;
    if (std::holds_alternative<RuleHandler>(spec_.handler)) {
      fields_.error_at_key(*said, "an async hook cannot decide anything, because nothing waits for its answer",
                           "remove 'async'");
    } else if (spec_.command() != nullptr && spec_.command()->inject) {
      fields_.error_at_key(*said, "an async hook cannot inject context, because nothing waits for its output",
                           "remove 'async'");
    } else if (spec_.detach && spec_.command() == nullptr) {
      fields_.error_at_key(*find("detach"), "'detach' only works with 'run'", "remove it");
    } else if (spec_.is_job && !could_be_job(spec_)) {
      fields_.error_at_key(*said, "'async: fleet' only works with 'run', and not with 'detach' or '{files}'",
                           "write async: true, and the hook runs here");
    }
  }

  /// What the rule does in doubt. Hooks that run something run in doubt, and an allow is never given in doubt.
  void read_doubt() {
    for (const std::string_view key : kUnsureKeys) {
      const YamlNode* node = find(key);
      if (node == nullptr) continue;
      const auto* rule = std::get_if<RuleHandler>(&spec_.handler);
      if (rule == nullptr || rule->verdict < Verdict::Ask) {
        fields_.error_at_key(*node, "'" + std::string(key) + "' only works with 'deny' and 'ask'",
                             "an allow needs certainty, and other hooks run in doubt");
      }
      read_unsure(*node, key, spec_, fields_);
    }
  }

  /// The hooks whose questions an allow answers.
  void read_answers() {
    const YamlNode* node = find("answers");
    if (node == nullptr) return;
    const auto* rule = std::get_if<RuleHandler>(&spec_.handler);
    if (rule == nullptr || rule->verdict != Verdict::Allow) {
      fields_.error_at_key(*node, "'answers' only works with 'allow'", "remove it");
    }
    for (const YamlNode* element : fields_.elements(*node, "answers")) {
      spec_.answers.push_back(normalise_name(fields_.text(*element, "answers")));
    }
  }

  /// One word for every cause of failure, or a map with a word for each cause. Output that cannot be read counts as a
  /// crash unless it has a word of its own.
  void read_failure() {
    const YamlNode* node = find("on_failure");
    if (node == nullptr) return;
    if (!node->is_map()) {
      const OnFailure policy = read_policy(*node, "on_failure");
      spec_.failure = {policy, policy, std::nullopt, policy};
      return;
    }
    fields_.check_keys(*node, kFailureCauses, "in 'on_failure'");
    if (const YamlNode* timeout = node->find("timeout")) spec_.failure.on_timeout = read_policy(*timeout, "timeout");
    if (const YamlNode* crash = node->find("crash")) {
      spec_.failure.on_failure = spec_.failure.on_no_sandbox = read_policy(*crash, "crash");
    }
    if (const YamlNode* output = node->find("output")) spec_.failure.on_output = read_policy(*output, "output");
  }

  /// The value after a mistake does not matter, because the entry is dropped.
  OnFailure read_policy(const YamlNode& node, std::string_view key) {
    const auto index = fields_.word(node, key, kFailureWords);
    return index ? static_cast<OnFailure>(*index) : OnFailure::Open;
  }

  /// How often the hook may block and run.
  void read_limits() {
    if (const YamlNode* blocks = find("max_blocks")) {
      spec_.max_blocks = static_cast<uint32_t>(fields_.number(*blocks, "max_blocks", 1, kMaxBlocks));
    }
    if (const YamlNode* once = find("once")) spec_.once = fields_.flag(*once, "once");
    if (const YamlNode* files = find("unless_unchanged")) {
      spec_.unless_unchanged = fields_.patterns(*files, "unless_unchanged", PatternKind::Path);
    }
  }

  /// `warm: true` for a command that the agent waits for.
  void read_warm() {
    const YamlNode* node = find("warm");
    if (node == nullptr) return;
    spec_.warm = fields_.flag(*node, "warm");
    if (!spec_.warm || fields_.failed()) return;
    if (spec_.command() == nullptr) {
      fields_.error_at_key(*node, "'warm' only works with 'run'",
                           spec_.worker() != nullptr ? "a worker is always running; remove it" : "remove it");
    } else if (spec_.async || spec_.debounce.is_set()) {
      fields_.error_at_key(*node, "nothing waits for this hook, so 'warm' would make nothing faster", "remove it");
    }
  }

  /// `debounce: turn`, or a time without further events.
  void read_debounce() {
    const auto* worker = std::get_if<WorkerHandler>(&spec_.handler);
    if (worker != nullptr && worker->start.takes_files) {
      fields_.error(entry_, "'{files}' only works with 'run', because a worker is started once for many events");
    }
    const YamlNode* node = find("debounce");
    if (node == nullptr || fields_.failed()) return;
    if (spec_.command() == nullptr || spec_.command()->inject) {
      return fields_.error_at_key(*node, "'debounce' only works with 'run'", "remove it");
    }
    if (spec_.is_job) {
      return fields_.error_at_key(*node, "'debounce' does not work with 'async: fleet'", "remove one of them");
    }
    if (fields_.text(*node, "debounce") == "turn") {
      spec_.debounce.until_turn_ends = true;
      return;
    }
    const bool is_time = node->is_text() && !node->text.empty() && node->text[0] >= '0' && node->text[0] <= '9';
    if (!is_time) return fields_.error(*node, "'debounce' must be 'turn' or a time", "as in debounce: 2s");
    spec_.debounce.quiet = fields_.duration(*node, "debounce");
    if (fields_.failed()) return;
    if (spec_.debounce.quiet > kMaxQuiet) {
      fields_.error(*node, "'debounce' may be at most one minute", "debounce: turn runs the hook once for each turn");
    }
    // Nobody waits for a hook that starts after its event.
    spec_.async = true;
  }

  /// The working directory and the environment of the child; only hooks that start one can have them.
  void read_process() {
    const YamlNode* env = find("env");
    const YamlNode* cwd = find("cwd");
    if (cwd != nullptr) spec_.cwd = fields_.text(*cwd, "cwd");
    if (spec_.is_job && cwd != nullptr) {
      fields_.error_at_key(*cwd, "'cwd' does not work with 'async: fleet', because a worker has no project",
                           "remove it");
    }
    auto* handler = std::get_if<CommandHandler>(&spec_.handler);
    if (auto* worker = std::get_if<WorkerHandler>(&spec_.handler)) handler = &worker->start;
    if (handler == nullptr && !fields_.failed()) {
      if (env != nullptr) fields_.error_at_key(*env, "'env' only works with 'run' and 'worker'", "remove it");
      if (cwd != nullptr) fields_.error_at_key(*cwd, "'cwd' only works with 'run' and 'worker'", "remove it");
    }
    if (handler == nullptr || env == nullptr) return;
    handler->env = fields_.pairs(*env, "env");
    for (const auto& [name, value] : handler->env) {
      const bool is_named = !name.empty() && name.find('=') == std::string::npos;
      if (!is_named) fields_.error(*env, "'" + name + "' is not a valid name for a variable");
    }
  }

  /// What its processes may do; rules and requests have none.
  void read_own_sandbox() {
    const YamlNode* node = find("sandbox");
    if (node == nullptr) return;
    if (auto sandbox = read_sandbox(*node, fields_)) spec_.sandbox = std::move(*sandbox);
    if (spec_.program() == nullptr && !fields_.failed()) {
      fields_.error_at_key(*node, "'sandbox' only works with 'run', 'worker' and a command of 'inject'", "remove it");
    }
  }

  const YamlNode& entry_;
  RuleFields& fields_;
  HookSpec spec_;
};

}  // namespace

bool could_be_job(const HookSpec& hook) {
  return hook.async && hook.command() != nullptr && !hook.command()->takes_files && !hook.detach &&
         !hook.debounce.is_set() && hook.cwd.empty();
}

std::optional<HookSpec> read_rule_entry(const YamlNode& entry, RuleFields& fields) {
  return EntryReader(entry, fields).read();
}

void read_unsure(const YamlNode& node, std::string_view key, HookSpec& hook, RuleFields& fields) {
  const bool is_attended = key == kUnsureKeys[0];
  const std::span<const std::string_view> words(kUnsureWords);
  const auto index = fields.word(node, key, is_attended ? words : words.subspan(1));
  if (!index) return;
  (is_attended ? hook.unsure : hook.unsure_unattended) = static_cast<Unsure>(*index + (is_attended ? 0 : 1));
}

Mode read_mode(const YamlNode& node, RuleFields& fields) {
  // In the order of `Mode`.
  constexpr auto kModes = std::to_array<std::string_view>({"enforce", "observe"});
  const auto index = fields.word(node, "mode", kModes);
  return index ? static_cast<Mode>(*index) : Mode::Enforce;
}

/// A canonical name wins, so that its meaning does not depend on the agents we know. Otherwise all agents are asked,
/// and they may disagree about the kind.
std::vector<EventKind> events_called(std::string_view name) {
  if (const auto kind = event_kind_from(name)) return {*kind};
  std::vector<EventKind> out;
  for (const Dialect* dialect : all_dialects()) {
    for (const EventRow& row : dialect->events) {
      const bool is_meant = row.wire_name == name || std::ranges::find(row.aliases, name) != row.aliases.end();
      if (is_meant && std::ranges::find(out, row.kind) == out.end()) out.push_back(row.kind);
    }
  }
  return out;
}

/// The canonical dialect is the first, so its names come first.
std::vector<std::string_view> event_spellings() {
  std::vector<std::string_view> out;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  for (const Dialect* dialect : all_dialects()) {
    for (const EventRow& row : dialect->events) {
      add(row.wire_name);
      std::ranges::for_each(row.aliases, add);
    }
    std::ranges::for_each(dialect->entries.other_events, add);
  }
  return out;
}

/// Put together once, because every entry of every file asks for them.
KeyList entry_keys() {
  static const std::vector<std::string_view> kAll = [] {
    std::vector<std::string_view> out(kCommon.begin(), kCommon.end());
    for (const KeyList more : {verdict_keys(), action_keys()}) out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return kAll;
}

KeyList failure_keys() {
  return kFailureCauses;
}

}  // namespace grapnel
