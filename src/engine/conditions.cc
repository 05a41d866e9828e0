#include "engine/conditions.h"

#include <algorithm>

namespace grapnel {

// A condition can be expensive: it may parse a shell command, resolve links, or read the session's state. So every
// answer is kept until the event is rewritten, and the parts that several conditions share (the parsed call, the
// touched files) are made once, when the first condition needs them.

namespace {

/// Answers are found by a linear search, so only the first few are kept. Later hooks are evaluated again when needed.
constexpr size_t kMaxAnswers = 16;

}  // namespace

// Failed calls are included: a tool may fail after it wrote some of its files.
std::vector<std::string> written_files(const Event& event, const ConditionContext& context) {
  if (event.kind() != EventKind::PostToolUse && event.kind() != EventKind::PostToolUseFailure) return {};
  const call::CallContext around{.project_dir = context.project_dir, .home = context.home};
  call::ToolCall subject(event, around);
  std::vector<std::string> out;
  for (call::File& file : subject.files().files) {
    // Names that only the running shell knows, such as `$OUT`, cannot be noted.
    if (file.is_known && file.is_written) out.push_back(subject.names_of(file).names.back());
  }
  return out;
}

bool is_compaction(const Event& event) {
  if (event.kind() == EventKind::PreCompact || event.kind() == EventKind::PostCompact) return true;
  return event.kind() == EventKind::SessionStart && event.get(Field::Source).equals_string("compact");
}

call::ToolCall& Conditions::subject(const HookSpec& hook) {
  const std::string& project = hook.project.empty() ? context_.project_dir : hook.project;
  const auto is_its = [&](const Subject& subject) { return subject.around.project_dir == project; };
  auto found = std::ranges::find_if(subjects_, is_its);
  if (found == subjects_.end()) {
    found = subjects_.emplace(found, call::CallContext{.project_dir = project,
                                                       .home = context_.home,
                                                       .env = &context_.env,
                                                       .touched = [this] { return touched(); },
                                                       .started = [this] { return touched(), started_ms_; }});
  }
  if (!found->call) found->call.emplace(*event_, found->around);
  return *found->call;
}

/// Null when the session's state cannot be read: then a condition about touched files gets a maybe.
const std::set<std::string>* Conditions::touched() {
  if (!touched_) {
    touched_.emplace();
    const std::string session = event_->text(Field::SessionId);
    auto state = session.empty() ? Result<SessionState>(SessionState{}) : context_.sessions.load(session);
    if (state) started_ms_ = state->started_ms;
    if (state) *touched_ = std::move(state->touched);
  }
  return *touched_ ? &**touched_ : nullptr;
}

void Conditions::look_at(const Event& event) {
  answers_.clear();
  for (Subject& subject : subjects_) subject.call.reset();
  event_ = &event;
}

const rule::Match& Conditions::ask(const HookSpec& hook) {
  if (!hook.when) return last_ = {.answer = call::Certainty::Yes};
  const auto known = std::ranges::find(answers_, &hook, &Answered::hook);
  if (known != answers_.end()) return known->match;
  if (answers_.size() >= kMaxAnswers) return last_ = rule::ask(hook, subject(hook));
  return answers_.emplace_back(&hook, rule::ask(hook, subject(hook))).match;
}

bool Conditions::want_any(const Plan& plan, const Registry& registry) {
  const auto is_wanted = [&](uint32_t id) { return hold(registry.hooks[id]); };
  return std::ranges::any_of(plan.stages,
                             [&](const Stage& stage) { return std::ranges::any_of(stage.hooks, is_wanted); }) ||
         std::ranges::any_of(plan.background, is_wanted);
}

std::string Conditions::describe_doubt(const HookSpec& hook) {
  const rule::Match& match = ask(hook);
  return match.answer == call::Certainty::Maybe ? rule::describe_doubt(match, subject(hook)) : "";
}

std::string Conditions::describe_failure(const HookSpec& hook) {
  return hook.when ? rule::describe_failure(*hook.when, subject(hook), rule::quantifier_of(hook)) : "";
}

}  // namespace grapnel
