#include "rule/respond.h"

#include "base/error.h"
#include "base/text.h"
#include "dialect/payload.h"
#include "os/files.h"
#include "rule/rewrite.h"

namespace grapnel::rule {

namespace {

/// The largest file that `inject` reads.
constexpr size_t kMaxFile = size_t{16} << 20;

/// `link.txt leads to .env`, if the name that matched is not the one that was written; otherwise "".
std::string other_name(call::ToolCall& subject, const Match& match) {
  if (match.file == nullptr || match.name == 0) return "";
  const call::FileNames& names = subject.names_of(*match.file);
  return match.file->said + " leads to " + call::shown_name(names.names[match.name], subject.real_places());
}

/// The reason of a rule that gives none: its name, and the path or command that matched.
std::string default_reason(const HookSpec& hook, call::ToolCall& subject, const Match& match) {
  std::string about;
  if (match.file != nullptr) {
    about = ": path " + Json::string(match.file->said).dump();
  } else if (match.command != nullptr && subject.command_text()) {
    about = ": command " + Json::string(text::cap(*subject.command_text(), 200)).dump();
  }
  return "rule '" + hook.name + "'" + about;
}

/// Whose call it is, if a subagent makes it: whoever reads the reason in the main conversation has not seen the call.
std::string subagent_of(const Event& event) {
  const bool is_subagents = !event.text(Field::AgentId).empty() && !event.text(Field::ToolName).empty();
  if (!is_subagents) return "";
  const std::string type = event.text(Field::AgentType);
  return type.empty() ? "in a subagent" : "in the subagent " + type;
}

/// The complete reason. It explains matches that would puzzle a reader: another name of the file, or doubt.
std::string reason_of(const HookSpec& hook, const RuleHandler& rule, call::ToolCall& subject, const Match& match) {
  std::string reason =
      rule.reason.empty() ? default_reason(hook, subject, match) : fill_reason(rule.reason, subject, match);
  const std::string other = other_name(subject, match);
  if (!other.empty()) reason += " (" + other + ")";
  if (!match.reached.empty() && match.answer == call::Certainty::Yes) reason += " (it reads " + match.reached + ")";
  const std::string whose = rule.verdict >= Verdict::Ask ? subagent_of(subject.event()) : "";
  if (!whose.empty()) reason += " (" + whose + ")";
  if (match.answer == call::Certainty::Maybe) reason += " (" + describe_doubt(match, subject) + ")";
  return reason;
}

/// The context of a rule: its text, or the content of its file, cut to its budget.
Result<std::string> injected_text(const Inject& inject, call::ToolCall& subject, const Match& match,
                                  size_t max_context) {
  const size_t budget = inject.budget == 0 ? max_context : inject.budget;
  if (inject.file.empty()) return text::cap(fill_reason(inject.text, subject, match), budget);
  const call::PathRoots& places = subject.places();
  auto content = os::read_file(call::normalise(inject.file, places.project, places.home), kMaxFile);
  if (!content) return std::unexpected(content.error());
  return text::cap(text::trim(text::to_valid_utf8(*content)), budget);
}

/// Adds the changes of the input (before a tool runs) and of the output (after it).
Result<void> add_rewrites(const HookSpec& hook, const RuleRewrite& rewrite, call::ToolCall& subject, const Match& match,
                          Effects& effects) {
  if (!rewrite.command.empty() || !rewrite.input.empty()) {
    auto changed = rewrite_input(hook, rewrite, subject, match);
    if (!changed) return std::unexpected(changed.error());
    // Merge: only the members that change are sent, so that rewrites of several hooks do not undo each other.
    if (changed->size() > 0) effects.input = Rewrite{Rewrite::Mode::Merge, std::move(*changed)};
  }
  // Without output there is nothing to rewrite, for example before the tool runs.
  const bool changes_output = rewrite.max_lines || !rewrite.drop_lines.empty() || !rewrite.mask.empty();
  const Event& event = subject.event();
  const Json output = changes_output ? field_as(event, event.dialect(), Field::ToolOutput) : Json();
  if (!output) return {};
  auto changed = rewrite_output(rewrite, output);
  if (!changed) return std::unexpected(changed.error());
  if (!(*changed == output)) effects.output = std::move(*changed);
  return {};
}

/// The rule's verdict; in doubt, what `unsure` says, but never more than the rule wants.
Verdict verdict_of(const HookSpec& hook, const Match& match, bool can_ask) {
  const Verdict verdict = std::get<RuleHandler>(hook.handler).verdict;
  if (match.answer != call::Certainty::Maybe || verdict < Verdict::Ask) return verdict;
  switch (hook.in_doubt(can_ask)) {
    case Unsure::Pass:
      return Verdict::Pass;
    case Unsure::Ask:
      return Verdict::Ask;
    case Unsure::Deny:
      return verdict;
  }
  return verdict;
}

}  // namespace

std::string fill_reason(std::string_view text, call::ToolCall& subject, const Match& match) {
  return fill(text, [&](std::string_view name) {
    auto value = placeholder(name, subject, match, Quoting::Plain);
    return value || name != "path" || match.file == nullptr ? value : "a file that is not known yet";
  });
}

Result<Effects> respond(const HookSpec& hook, call::ToolCall& subject, const Match& match,
                        const RespondOptions& options) {
  const RuleHandler& rule = std::get<RuleHandler>(hook.handler);
  Result<Effects> out;
  Effects& effects = *out;
  effects.verdict = verdict_of(hook, match, options.can_ask);
  // A rule that lets doubt pass does nothing else in doubt, either.
  if (effects.verdict == Verdict::Pass && rule.verdict != Verdict::Pass) return out;
  if (rule.verdict != Verdict::Pass) effects.reasons.push_back({hook.name, reason_of(hook, rule, subject, match)});
  if (!rule.notify.empty()) effects.messages.push_back({hook.name, fill_reason(rule.notify, subject, match)});
  auto added = rule.rewrite.empty() ? Result<void>() : add_rewrites(hook, rule.rewrite, subject, match, effects);
  if (added && rule.inject && options.injects) {
    auto text = injected_text(*rule.inject, subject, match, options.max_context);
    if (text) effects.context.push_back({hook.name, std::move(*text)});
    if (!text) added = std::unexpected(text.error());
  }
  if (added) return out;
  // A rewrite or a context that fails cannot take an objection back. Without an objection the rule fails.
  if (rule.verdict < Verdict::Ask) {
    out = std::unexpected(added.error());
  } else {
    effects.messages.push_back({hook.name, "rule '" + hook.name + "': " + added.error().message});
  }
  return out;
}

}  // namespace grapnel::rule
