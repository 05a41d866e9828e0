#include "discover/formats/rule_checks.h"

#include <algorithm>

#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_compare.h"
#include "discover/formats/rule_habits.h"
#include "discover/formats/rule_uses.h"
#include "match/ecma_regex.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// The field that a question needs, and its name for messages; no field for questions that every event can answer.
/// Commands and inputs belong to a tool call, so they need a tool; a path may also be that of the event itself.
struct Looks {
  Field at = Field::None;
  std::string_view what;
  std::string_view hint = "PreToolUse, PermissionRequest and PostToolUse are about a tool";
  Field or_at = Field::None;
};
struct LooksAt {
  Looks operator()(const ToolQuestion&) const { return {Field::ToolName, "a tool"}; }
  Looks operator()(const CommandQuestion&) const { return {Field::ToolName, "a command"}; }
  Looks operator()(const PathQuestion&) const {
    return {.at = Field::ToolName, .what = "a path", .or_at = Field::ToolPath};
  }
  Looks operator()(const InputQuestion&) const { return {Field::ToolName, "an input"}; }
  Looks operator()(const ChangedQuestion&) const { return {}; }
  Looks operator()(const TextQuestion& question) const {
    if (question.of == TextQuestion::Of::Prompt) return {Field::Prompt, "a prompt", "UserPromptSubmit has the prompt"};
    if (question.of == TextQuestion::Of::Output) return {Field::ToolOutput, "an output", "PostToolUse has the output"};
    return {};
  }
};

std::string names_of(const HookSpec& hook) {
  return text::join(hook.event_names(), ", ");
}

/// The question that keeps a condition from ever being met at these events, or null. `all` fails with one such part,
/// `any` only if every part is one. `not` is never hopeless: when the question cannot be met, its negation always is.
const Condition* find_hopeless(const Condition& condition, const std::vector<EventKind>& events) {
  const auto first_hopeless = [&]() -> const Condition* {
    for (const Condition& part : condition.parts) {
      if (const Condition* found = find_hopeless(part, events)) return found;
    }
    return nullptr;
  };
  switch (condition.op) {
    case Condition::Op::All:
      return first_hopeless();
    case Condition::Op::Any: {
      const bool is_hopeless = std::ranges::all_of(
          condition.parts, [&](const Condition& part) { return find_hopeless(part, events) != nullptr; });
      return is_hopeless ? first_hopeless() : nullptr;
    }
    case Condition::Op::Not:
      return nullptr;
    case Condition::Op::Ask:
      break;
  }
  const Looks looks = std::visit(LooksAt{}, condition.question);
  const bool is_somewhere = looks.at == Field::None || std::ranges::any_of(events, [&](EventKind kind) {
                              // Nothing is known about the payload of an event without a kind.
                              const bool has_other = looks.or_at != Field::None && has_field(kind, looks.or_at);
                              return kind == EventKind::Other || has_other || has_field(kind, looks.at);
                            });
  return is_somewhere ? nullptr : &condition;
}

/// A `not` that excludes what the conditions beside it demand, or null.
const Condition* find_contradiction(const Condition& condition) {
  if (condition.op == Condition::Op::Any || condition.op == Condition::Op::Not) return nullptr;
  for (const Condition& part : condition.parts) {
    if (const Condition* found = find_contradiction(part)) return found;
    if (part.op != Condition::Op::Not) continue;
    Condition others = condition;
    std::erase_if(others.parts, [](const Condition& other) { return other.op == Condition::Op::Not; });
    if (implies(Boxed<Condition>(others), Boxed<Condition>(part.parts.front()))) return &part;
  }
  return nullptr;
}

/// Whether every agent that has a tool of that name has it as one of these kinds. False for names that nobody knows and
/// for patterns.
bool is_one_of(const Matcher& name, std::initializer_list<ToolKind> kinds) {
  bool is_known = false;
  for (const Dialect* dialect : all_dialects()) {
    for (const ToolRow& row : dialect->tools.rows) {
      if (row.name != name.pattern()) continue;
      is_known = true;
      if (std::ranges::none_of(kinds, [&](ToolKind kind) { return to_string(kind) == row.kind; })) return false;
    }
  }
  return is_known;
}

/// Whether the question asks for tools of these kinds only.
bool are_all(const ToolQuestion& question, std::initializer_list<ToolKind> kinds) {
  return std::ranges::all_of(question.names, [&](const Matcher& name) { return is_one_of(name, kinds); }) &&
         std::ranges::all_of(question.kinds,
                             [&](ToolKind kind) { return std::ranges::find(kinds, kind) != kinds.end(); });
}

/// Collects warnings about one rule after another.
class RuleChecker {
 public:
  RuleChecker(const std::vector<HookSpec>& hooks, const RuleTexts& texts, const std::string& project)
      : hooks_(hooks), texts_(texts), project_(project) {}

  std::vector<ConfigProblem> check() {
    for (size_t i = 0; i < hooks_.size(); ++i) {
      if (hooks_[i].dialect != &kGrapnelDialect) continue;
      entry_ = texts_.entry_of(hooks_[i]);
      if (entry_ != nullptr) check_habits(*entry_, project_, out_);
      if (entry_ != nullptr) check_uses(hooks_[i], *entry_, out_);
      check_condition(hooks_[i]);
      check_answer(hooks_[i]);
      check_files(hooks_[i]);
      check_patterns(hooks_[i]);
      check_against_others(i);
    }
    // People read the warnings beside the file, so they are in its order and not in running order.
    std::ranges::stable_sort(out_, {}, [](const ConfigProblem& problem) {
      return std::tuple(problem.at.file, problem.at.line, problem.at.column);
    });
    return std::move(out_);
  }

 private:
  void warn(const SourcePos& at, std::string message, std::string hint = {}) {
    out_.push_back({ConfigProblem::Severity::Warning, std::move(message), at, std::move(hint)});
  }

  /// The place of a key of the hook at hand, or of the hook itself.
  SourcePos at_key(const HookSpec& hook, std::string_view key) const {
    const YamlNode* node = entry_ == nullptr ? nullptr : entry_->find(key);
    return node == nullptr ? hook.source : node->at;
  }

  /// Warns about a condition that can never be met: at these events first, then for these tools.
  void check_condition(const HookSpec& hook) {
    if (!hook.when) return;
    const std::vector<EventKind> events = events_of(hook);
    if (const Condition* hopeless = find_hopeless(*hook.when, events)) {
      const Looks looks = std::visit(LooksAt{}, hopeless->question);
      return warn(hopeless->at,
                  "this never matches: " + names_of(hook) + " has no " +
                      std::string(looks.what.substr(looks.what.find(' ') + 1)),
                  std::string(looks.hint));
    }
    if (const Condition* not_met = find_contradiction(*hook.when)) {
      return warn(not_met->at, "this never matches: the other conditions demand what 'not' excludes",
                  "remove one of the two");
    }
    check_tools(*hook.when);
  }

  /// Warns about `command` or `path` beside a `tool` that has none. Only keys of one map are compared, because only
  /// they are about the same call for certain.
  void check_tools(const Condition& condition) {
    const ToolQuestion* tool = nullptr;
    for (const Condition& part : condition.parts) {
      if (part.op != Condition::Op::Ask) check_tools(part);
      const auto* question = part.op == Condition::Op::Ask ? std::get_if<ToolQuestion>(&part.question) : nullptr;
      if (question != nullptr && condition.op == Condition::Op::All) tool = question;
    }
    if (tool == nullptr) return;
    for (const Condition& part : condition.parts) {
      if (part.op != Condition::Op::Ask) continue;
      if (std::holds_alternative<CommandQuestion>(part.question) && !may_have_command(*tool)) {
        warn(part.at, "this never matches: only shell tools have commands", "write tool: shell");
      }
      using enum ToolKind;
      if (std::holds_alternative<PathQuestion>(part.question) && are_all(*tool, {Fetch, Search, Todo})) {
        warn(part.at, "this never matches: tools of this kind have no path", "write tool: [read, write, edit]");
      }
    }
  }

  /// Whether a shell may be among the tools. The list has every kind that never runs commands; `mcp` and `other` may.
  static bool may_have_command(const ToolQuestion& tool) {
    using enum ToolKind;
    return !are_all(tool, {Read, Write, Edit, Delete, Glob, Grep, Fetch, Search, Task, Todo});
  }

  /// Warns about answers that have no effect: a limit on blocks at an event that cannot block, a verdict that no event
  /// of the hook can express, a change to an input or output that no event has. One event with an effect is enough to
  /// be silent.
  void check_answer(const HookSpec& hook) {
    const std::vector<EventKind> events = events_of(hook);
    const auto at_none = [&](auto&& holds) {
      return std::ranges::none_of(events, [&](EventKind kind) { return holds(*kGrapnelDialect.find_event(kind)); });
    };
    const bool is_gate = !at_none([](const EventRow& row) { return !row.exit.codes.empty(); });
    if (hook.max_blocks && !is_gate) {
      warn(at_key(hook, "max_blocks"), "'max_blocks' only works on gates, and " + names_of(hook) + " is not one",
           "gates are Stop, SubagentStop, TaskCompleted, TeammateIdle and PreCompact");
    }
    const auto* rule = std::get_if<RuleHandler>(&hook.handler);
    if (rule == nullptr) return;
    const auto can_say = [&](const EventRow& row) {
      if (rule->verdict == Verdict::Deny) return row.verdicts.can_deny;
      return std::ranges::any_of(row.answer.words,
                                 [&](const WordRow& word) { return word.verdict == rule->verdict && !word.only_read; });
    };
    if (rule->verdict != Verdict::Pass && at_none(can_say)) {
      const std::string verdict(to_string(rule->verdict));
      warn(at_key(hook, verdict), "'" + verdict + "' has no effect on " + names_of(hook),
           rule->verdict == Verdict::Deny
               ? "PreToolUse can stop a tool, UserPromptSubmit a prompt, Stop the end of a turn"
               : "it works on " + events_that(can_say));
    }
    const auto& rewrite = rule->rewrite;
    const auto can_change = [&](Effect one, Effect other) {
      return !at_none([&](const EventRow& row) {
        return std::ranges::any_of(row.answer.outputs, [&](const OutputRow& output) {
          return output.effect == one || output.effect == other;
        });
      });
    };
    const bool changes_input = !rewrite.input.empty() || !rewrite.command.empty();
    if (changes_input && !can_change(Effect::InputMerge, Effect::InputReplace)) {
      warn(at_key(hook, "rewrite"), names_of(hook) + " has no input to change", "an input is changed on PreToolUse");
    }
    const bool changes_output = rewrite.max_lines || !rewrite.drop_lines.empty() || !rewrite.mask.empty();
    if (changes_output && !can_change(Effect::Output, Effect::Output)) {
      warn(at_key(hook, "rewrite"), names_of(hook) + " has no output to change", "an output is changed on PostToolUse");
    }
  }

  /// Warns about `{files}` at events that have none, and about waiting for the end of a turn at its end.
  void check_files(const HookSpec& hook) {
    const auto touches = [](EventKind kind) {
      using enum EventKind;
      const bool ends = kind == Stop || kind == SubagentStop || kind == TaskCompleted || kind == TeammateIdle ||
                        kind == TurnEnd || kind == PostToolBatch || kind == StopFailure || kind == Interrupt ||
                        kind == SessionEnd || kind == Other;
      return ends || has_field(kind, Field::ToolName) || has_field(kind, Field::ToolPath);
    };
    const std::vector<EventKind> events = events_of(hook);
    const bool takes_files = hook.command() != nullptr && hook.command()->takes_files;
    if (takes_files && std::ranges::none_of(events, touches)) {
      warn(hook.source, "this never runs: no files are touched at " + names_of(hook) + ", so '{files}' is empty",
           "events with files are those of tools, and those at the end of a turn");
    }
    const auto is_end = [&](EventKind kind) { return hook.settles_at().test(static_cast<size_t>(kind)); };
    if (hook.debounce.is_set() && std::ranges::any_of(events, is_end)) {
      warn(hook.source, "'debounce' has no effect at the end of a turn: nothing comes after it that could be collected",
           "write on: PostToolUse to collect what tools do");
    }
  }

  /// The events of rule files for which that holds, for hints.
  static std::string events_that(auto&& holds) {
    std::vector<EventKind> out;
    for (const EventKind kind : all_event_kinds()) {
      const EventRow* row = kGrapnelDialect.find_event(kind);
      if (row != nullptr && holds(*row)) out.push_back(kind);
    }
    return names_of(out);
  }

  /// Warns about look-around and back-references: they need the backtracking engine, which works under a limit.
  void check_regex(const SourcePos& at, std::string_view regex) {
    const auto translated = match::translate_ecma(regex);
    if (!translated || !translated->needs_backtracking) return;
    warn(at, "/" + text::cap(regex, 60) + "/ needs backtracking and may be slow",
         "look-around and back-references cannot be matched in linear time");
  }

  void check_regexes(const SourcePos& at, const std::vector<Matcher>& patterns) {
    for (const Matcher& matcher : patterns) {
      if (matcher.syntax() == MatchSyntax::StrictRegex) check_regex(at, matcher.pattern());
    }
  }

  /// Every pattern that a rule can have, wherever it is.
  void check_patterns(const HookSpec& hook) {
    if (hook.when) check_patterns(*hook.when);
    check_regexes(hook.source, hook.unless_unchanged);
    const auto* rule = std::get_if<RuleHandler>(&hook.handler);
    if (rule == nullptr) return;
    check_regexes(hook.source, rule->rewrite.drop_lines);
    for (const auto& [regex, instead] : rule->rewrite.mask) check_regex(hook.source, regex);
  }

  void check_patterns(const Condition& condition) {
    for (const Condition& part : condition.parts) check_patterns(part);
    if (condition.op != Condition::Op::Ask) return;
    if (const auto* tool = std::get_if<ToolQuestion>(&condition.question)) check_regexes(condition.at, tool->names);
    if (const auto* path = std::get_if<PathQuestion>(&condition.question)) check_regexes(condition.at, path->patterns);
    if (const auto* text = std::get_if<TextQuestion>(&condition.question)) check_regexes(condition.at, text->patterns);
    if (const auto* input = std::get_if<InputQuestion>(&condition.question))
      check_regexes(condition.at, input->patterns);
    if (const auto* files = std::get_if<ChangedQuestion>(&condition.question))
      check_regexes(condition.at, files->patterns);
  }

  /// The rule of a hook that gives a verdict whenever its condition is met, and does nothing else; null for other
  /// hooks. Only such rules can be compared: others have effects of their own or are sometimes skipped.
  static const RuleHandler* plain_verdict(const HookSpec& hook) {
    const auto* rule = std::get_if<RuleHandler>(&hook.handler);
    const bool is_plain = rule != nullptr && hook.dialect == &kGrapnelDialect && hook.enabled &&
                          hook.mode == Mode::Enforce && !hook.once && !hook.max_blocks &&
                          hook.unless_unchanged.empty() && rule->rewrite.empty() && !rule->inject &&
                          rule->notify.empty() && rule->verdict != Verdict::Pass;
    return is_plain ? rule : nullptr;
  }

  /// How messages refer to another rule.
  static std::string named(const HookSpec& hook) {
    return "'" + hook.name + "' (line " + std::to_string(hook.source.line) + ")";
  }

  /// Compares a rule with every other one. Verdicts are ordered by strength, and the strongest wins.
  ///
  /// A rule is shadowed when an earlier rule of its scope matches wherever it does, with a verdict at least as strong.
  /// An allow that covers a denial is reported as well: the denial wins, so the allow permits less than it seems to.
  void check_against_others(size_t index) {
    const HookSpec& hook = hooks_[index];
    const RuleHandler* rule = plain_verdict(hook);
    if (rule == nullptr) return;
    for (size_t i = 0; i < hooks_.size(); ++i) {
      const HookSpec& other = hooks_[i];
      const RuleHandler* theirs = i == index ? nullptr : plain_verdict(other);
      if (theirs == nullptr) continue;
      const bool is_within = (hook.events & ~other.events).none() && hook.other_events == other.other_events &&
                             implies(hook.when, other.when);
      const bool is_shadowed = i < index && other.scope == hook.scope && theirs->verdict >= rule->verdict && is_within;
      if (is_shadowed) {
        return warn(hook.source,
                    "this rule never takes effect: " + named(other) + " answers " +
                        std::string(to_string(theirs->verdict)) + " wherever it matches",
                    theirs->verdict == rule->verdict ? "remove one of the two"
                                                     : "exclude this case there, as in when: { …, not: { … } }");
      }
      const bool covers_denial = rule->verdict == Verdict::Allow && theirs->verdict == Verdict::Deny &&
                                 (other.events & ~hook.events).none() && implies(other.when, hook.when);
      if (covers_denial) {
        warn(hook.source, "this allows everything that " + named(other) + " denies, and the denial wins",
             "narrow 'when' to what you really want to allow");
      }
    }
  }

  const std::vector<HookSpec>& hooks_;
  const RuleTexts& texts_;
  const std::string& project_;
  const YamlNode* entry_ = nullptr;  ///< what the file says about the hook at hand, if that is known
  std::vector<ConfigProblem> out_;
};

}  // namespace

const YamlNode* RuleTexts::entry_of(const HookSpec& hook) const {
  const auto file = files.find(hook.source.file);
  const YamlNode* hooks = file == files.end() ? nullptr : file->second.find("hooks");
  if (hooks == nullptr) return nullptr;
  for (const auto& [none, entry] : hooks->members) {
    if (entry.at.line == hook.source.line && entry.at.column == hook.source.column) return &entry;
  }
  return nullptr;
}

RuleTexts read_rule_texts(const std::vector<HookSpec>& hooks, size_t max_bytes) {
  RuleTexts out;
  for (const HookSpec& hook : hooks) {
    if (hook.dialect != &kGrapnelDialect || out.files.contains(hook.source.file)) continue;
    const auto text = os::read_file(hook.source.file, max_bytes);
    auto document = text ? read_yaml_fields(*text, hook.source.file) : fail(Errc::BadInput, "");
    out.files.emplace(hook.source.file, document ? std::move(document->root) : YamlNode{});
  }
  return out;
}

std::vector<ConfigProblem> check_rules(const std::vector<HookSpec>& hooks, const RuleTexts& texts,
                                       const std::string& project) {
  return RuleChecker(hooks, texts, project).check();
}

}  // namespace grapnel
