#include "engine/firing.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/clock.h"
#include "base/text.h"
#include "decide/capability.h"
#include "decide/combine.h"
#include "decide/failure.h"
#include "dialect/degrade.h"
#include "dialect/payload.h"
#include "engine/background.h"
#include "engine/hook_info.h"
#include "engine/session_env.h"
#include "engine/tell.h"
#include "engine/translate_effects.h"
#include "model/effects_json.h"
#include "rule/respond.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

constexpr size_t kMaxErrors = 4096;
constexpr std::string_view kUntrusted = "untrusted";
constexpr std::string_view kChanged = "untrusted: it changed after it was trusted";

/// A pair of tool call and event runs once. The tool, the input and the configuration are part of the key: the same id
/// with another tool (a tail call) or other arguments is another call, and other hooks may decide otherwise.
std::string guard_key(const Event& event, const Registry& registry) {
  constexpr auto kGuarded =
      std::to_array({EventKind::PreToolUse, EventKind::PostToolUse, EventKind::PostToolUseFailure});
  const std::string use_id = event.text(Field::ToolUseId);
  if (use_id.empty() || std::ranges::find(kGuarded, event.kind()) == kGuarded.end()) return "";
  const std::string call = event.text(Field::ToolName) + field_as(event, event.dialect(), Field::ToolInput).dump();
  return std::string(to_string(event.kind())) + ":" + use_id + ":" +
         Sha256().add(call).add(registry.digest).hex().substr(0, 32);
}

/// Started by a shell that ends at once, so that nobody is its parent when the host ends. The shell reads all of the
/// input first, for the same reason.
void leave_behind(ChildSpec& child) {
  constexpr const char* kScript = "d=$(cat); printf '%s\\n' \"$d\" | \"$@\" >/dev/null 2>&1 &";
  std::vector<std::string> argv = {"sh", "-c", kScript, "sh", child.path};
  argv.insert(argv.end(), child.argv.begin() + 1, child.argv.end());
  child.argv = std::move(argv);
  child.path = "/bin/sh";
}

bool reads_payload(const HookSpec& hook) {
  return hook.program() != nullptr || std::holds_alternative<HttpHandler>(hook.handler) || hook.asks_judge();
}

HookFate skipped_fate(const HookSpec& hook, std::string why) {
  return {.name = hook.name, .source = hook.source_text(), .kind = HookFate::Kind::Skipped, .detail = std::move(why)};
}

}  // namespace

Firing::Firing(const Snapshot& snapshot, const Event& event, FiringContext context)
    : snapshot_(snapshot),
      original_(event),
      event_(event),
      context_(std::move(context)),
      id_(context_.ids.next()),
      session_id_(event.text(Field::SessionId)),
      long_texts_(context_.options.long_texts, session_id_, id_) {}

Decision Firing::run(const Plan& plan) {
  if (!plan.empty()) {
    load_session();
    guard_key_ = guard_key(original_, snapshot_.registry);
  }
  if (auto known = recall(plan)) return *known;
  if (auto known = join_other_route(plan)) return *known;
  for (const Stage& stage : plan.stages) run_stage_hooks(stage);
  if (rewrites_ > 0) ask_again();
  settle_grants();
  protect();
  detach(plan.background);
  if (snapshot_.untrusted.test(static_cast<size_t>(original_.kind()))) add_untrusted();
  return finish();
}

void Firing::load_session() {
  if (session_id_.empty()) return;
  auto state = context_.sessions.load(session_id_);
  if (state) {
    session_ = std::move(*state);
    // A host that says "this is the first try of the turn" starts the counts anew.
    if (original_.get(Field::StopHookActive).as_bool() == false) session_.hook_blocks.clear();
  } else {
    session_readable_ = false;
    effects_.messages.push_back({"", "session state is unavailable: " + state.error().message});
  }
}

std::optional<Decision> Firing::recall(const Plan& plan) const {
  if (guard_key_.empty()) return std::nullopt;
  const auto found = std::ranges::find(session_.remembered, guard_key_, &SessionState::Remembered::key);
  if (found == session_.remembered.end()) return std::nullopt;
  return remembered(found->decision, plan,
                    "the same call was decided before (execution guard), by event " + found->decision.event_id);
}

/// Of what another route decided, this one says the verdict again; the rest has been told.
std::optional<Decision> Firing::join_other_route(const Plan& plan) {
  if (context_.options.bridged_agent.empty() || plan.empty() || session_id_.empty()) return std::nullopt;
  shared_.emplace(original_, context_.sessions);
  const auto decided = shared_->join(context_.stop);
  if (!decided) return std::nullopt;
  Decision decision{.decided_by = decided->decided_by};
  decision.effects.verdict = decided->effects.verdict;
  decision.effects.reasons = decided->effects.reasons;
  decision.effects.stop = decided->effects.stop;
  decision.effects.stop_reasons = decided->effects.stop_reasons;
  return remembered(std::move(decision), plan,
                    "the agent told the same call before, and event " + decided->event_id + " decided it");
}

Decision Firing::remembered(Decision decision, const Plan& plan, const std::string& why) const {
  decision.origin = Origin::Remembered;
  decision.degraded = losses_of(decision.effects, original_);
  const auto skip = [&](const std::vector<uint32_t>& hooks) {
    for (const uint32_t id : hooks) {
      decision.hooks.push_back(skipped_fate(snapshot_.registry.hooks[id], why));
    }
  };
  decision.hooks.clear();
  for (const Stage& stage : plan.stages) skip(stage.hooks);
  skip(plan.background);
  decision.event_id = id_;
  return decision;
}

/// Whether what would run here and now is what was trusted.
bool Firing::is_trusted_still(const HookSpec& hook) {
  if (hook.trust != Trust::Trusted) return true;
  const std::string dir = working_dir(hook, event_, run_context());
  // What a worker was started from was looked at then, and is watched.
  if (hook.worker() != nullptr && context_.workers.has_current(worker_name(hook), dir)) return true;
  const std::string project = canonical_directory(context_.options.project_dir);
  Closure& closure = started_as_[&hook];
  closure = closure_of(hook, project, canonical_directory(dir));
  return closure.digest == hook.digest;
}

std::optional<std::string> Firing::reason_to_skip(const HookSpec& hook) {
  if (cancelled_) return "the event was cancelled";
  if (ended_.contains(hook.dialect)) return "an earlier hook decided";
  if (hook.scope != Scope::Managed && session_.disabled.contains(hook.name)) return "disabled for this session";
  if (hook.asks_judge()) {
    const auto depth = original_.get(Field::JudgeDepth).as_integer().value_or(0);
    const bool is_judges_own = depth >= context_.options.limits.judge_depth;
    if (is_judges_own) return "a judge's own doings are not judged (depth " + std::to_string(depth) + ")";
  }
  if (!is_trusted_still(hook)) return std::string(kChanged);
  return marks_.reason_to_skip(hook, session_, capability(original_.kind()).is_gate, context_.options.project_dir);
}

void Firing::skip(const HookSpec& hook, std::string why) {
  if (why == kUntrusted || why == kChanged) return distrust(hook, std::move(why), HookFate::Kind::Skipped);
  add_fate(hook, HookFate::Kind::Skipped, std::move(why));
}

HookFate& Firing::add_fate(const HookSpec& hook, HookFate::Kind kind, std::string detail) {
  return fates_.emplace_back(hook.name, hook.source_text(), kind, std::move(detail));
}

/// A guard that may not fail silently does not vanish either when it is not trusted, or no longer.
void Firing::distrust(const HookSpec& hook, std::string why, HookFate::Kind kind) {
  HookFate& fate = add_fate(hook, kind, std::move(why));
  const bool is_skipped = kind == HookFate::Kind::Skipped;
  if (is_skipped && (hook.failure.on_failure == OnFailure::Open || !context_.conditions.hold(hook))) return;
  Effects ask = effects_of_distrust(hook, original_.kind(), "is " + fate.detail);
  fate.verdict = ask.verdict;
  combine_into(effects_, std::move(ask));
}

void Firing::run_stage_hooks(const Stage& stage) {
  std::vector<Ready> ready;
  for (const uint32_t id : stage.hooks) {
    const HookSpec& hook = snapshot_.registry.hooks[id];
    rule::Match match = context_.conditions.ask(hook);
    if (!rule::is_enough(match.answer, rule::quantifier_of(hook))) continue;
    if (auto why = reason_to_skip(hook)) {
      skip(hook, std::move(*why));
    } else {
      note_file(hook, match);
      ready.push_back({id, std::move(match)});
    }
  }
  if (ready.empty()) return;
  const size_t rewrites = rewrites_;
  std::vector<RunOutcome> outcomes = run_ready(ready, stage.max_parallel);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const HookSpec& hook = snapshot_.registry.hooks[ready[i].hook];
    const auto started = started_as_.find(&hook);
    if (started == started_as_.end() || started->second.is_untouched()) {
      take_answer(ready[i].hook, outcomes[i]);
    } else {
      distrust(hook, "untrusted: it was changed while it ran, and its answer is not used", HookFate::Kind::Failed);
    }
    show(hook, outcomes[i]);
  }
  advance_event();
  if (rewrites_ != rewrites || rewrote_output_) context_.conditions.look_at(event_);
}

/// Keeps the file the hook's condition was about, for one that is told which.
void Firing::note_file(const HookSpec& hook, const rule::Match& match) {
  if (hook.command() == nullptr || match.file == nullptr || !match.file->is_known) return;
  if (!event_.text(Field::ToolPath).empty()) return;
  matched_files_[&hook] = match.file->written;
}

/// Rules answer at once; the others run beside each other.
std::vector<RunOutcome> Firing::run_ready(const std::vector<Ready>& ready, size_t max_parallel) {
  std::vector<RunOutcome> outcomes(ready.size());
  Stage others{{}, max_parallel};
  std::vector<size_t> places;
  for (size_t i = 0; i < ready.size(); ++i) {
    const HookSpec& hook = snapshot_.registry.hooks[ready[i].hook];
    if (std::holds_alternative<RuleHandler>(hook.handler)) {
      answer_rule(hook, ready[i].match, outcomes[i]);
    } else {
      others.hooks.push_back(ready[i].hook);
      places.push_back(i);
    }
  }
  if (others.hooks.empty()) return outcomes;
  announce(others);
  stage_started_ = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - came_in_);
  std::vector<RunOutcome> ran = run_stage(snapshot_.registry, others, event_, run_context(), payloads_);
  for (size_t i = 0; i < ran.size(); ++i) outcomes[places[i]] = std::move(ran[i]);
  return outcomes;
}

void Firing::answer_rule(const HookSpec& hook, const rule::Match& match, RunOutcome& outcome) const {
  const auto& rule = std::get<RuleHandler>(hook.handler);
  // A verdict alone takes less time than two looks at the clock.
  const bool is_timed = rule.inject || !rule.rewrite.empty();
  const Deadline started = is_timed ? SteadyClock::now() : Deadline{};
  const rule::RespondOptions options{
      .injects = !rule.inject || !SessionMarks::is_injected(hook, *rule.inject, session_),
      .max_context = context_.options.limits.max_context};
  auto effects = rule::respond(hook, context_.conditions.subject(), match, options);
  if (effects) {
    outcome.ending.emplace<Returned>(std::move(*effects));
  } else {
    outcome.ending = NotStarted{effects.error().message, 0};
  }
  if (is_timed) outcome.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - started);
}

/// Rules that deny or ask are asked about the input as it will be.
void Firing::ask_again() {
  const Plan plan = snapshot_.planner.plan(event_);
  for (const Stage& stage : plan.stages) {
    for (const uint32_t id : stage.hooks) {
      const HookSpec& hook = snapshot_.registry.hooks[id];
      const auto* rule = std::get_if<RuleHandler>(&hook.handler);
      if (rule == nullptr || rule->verdict < Verdict::Ask || effects_.verdict == Verdict::Deny) continue;
      const rule::Match match = context_.conditions.ask(hook);
      if (!rule::is_enough(match.answer, rule::Quantifier::Some) || reason_to_skip(hook)) continue;
      RunOutcome outcome;
      answer_rule(hook, match, outcome);
      // It is the verdict that was asked for: a rule does not rewrite what it rewrote before.
      if (auto* returned = std::get_if<Returned>(&outcome.ending)) {
        returned->effects = {.verdict = returned->effects.verdict, .reasons = returned->effects.reasons};
      }
      const bool is_news = std::ranges::none_of(
          fates_, [&](const HookFate& fate) { return fate.name == hook.name && fate.verdict == rule->verdict; });
      if (is_news) take_answer(id, outcome);
    }
  }
}

/// An allow counts for the input it was given for, or for one the rule allows as well.
void Firing::settle_grants() {
  for (Grant& grant : grants_) {
    const HookSpec& hook = snapshot_.registry.hooks[grant.hook];
    if (grant.rewrites != rewrites_ && !context_.conditions.hold(hook)) {
      const auto fate = std::ranges::find(fates_, hook.name, &HookFate::name);
      if (fate != fates_.end()) *fate = skipped_fate(hook, "the input was rewritten behind it");
      continue;
    }
    combine_into(effects_, std::move(grant.effects));
  }
}

RunContext Firing::run_context() const {
  return {.env = context_.env,
          .programs = context_.programs,
          .session_env = session_.env,
          .default_dir = context_.options.project_dir,
          .limits = child_limits(context_.options.limits),
          .cancel = context_.cancel,
          .stop = context_.stop,
          .supplements = [this](Field field) { return supplement(field); },
          .poster = context_.options.poster,
          .workers = &context_.workers,
          .earlier_context = earlier_context(),
          .judge = context_.options.judge,
          .matched_files = matched_files_};
}

/// Async hooks start only when the event goes on, see it as rewritten, and decide nothing.
void Firing::detach(const std::vector<uint32_t>& hooks) {
  if (hooks.empty()) return;
  BackgroundRun run{.event_id = id_, .hooks = {}, .children = {}, .calls = {}, .questions = {}};
  std::vector<uint32_t> called, asking;
  const bool goes_on = effects_.verdict != Verdict::Deny && !effects_.stop;
  for (const uint32_t id : hooks) {
    const HookSpec& hook = snapshot_.registry.hooks[id];
    const rule::Match match = context_.conditions.ask(hook);
    if (!rule::is_enough(match.answer, rule::quantifier_of(hook))) continue;
    note_file(hook, match);
    std::optional<std::string> why = goes_on ? reason_to_skip(hook) : "an earlier hook denied";
    if (why) {
      skip(hook, std::move(*why));
      continue;
    }
    add_fate(hook, HookFate::Kind::Detached, "async");
    if (hook.command() != nullptr) {
      run.hooks.push_back(id);
      run.children.push_back(child_for(hook, event_, run_context(), payloads_));
      if (hook.detach) leave_behind(run.children.back());
    } else if (hook.worker() != nullptr) {
      asking.push_back(id);
      run.questions.push_back(owning(request_for(hook, event_, run_context(), payloads_)));
    } else if (auto call = call_for(hook, event_, run_context(), payloads_)) {
      called.push_back(id);
      run.calls.push_back(std::move(*call));
    } else {
      continue;
    }
    marks_.add(hook, Verdict::Pass, false);
  }
  run.hooks.insert(run.hooks.end(), called.begin(), called.end());
  run.hooks.insert(run.hooks.end(), asking.begin(), asking.end());
  if (!run.hooks.empty()) context_.start_background(std::move(run));
}

void Firing::take_answer(uint32_t id, RunOutcome& outcome) {
  const HookSpec& hook = snapshot_.registry.hooks[id];
  Answer answer = interpret_taking(hook, original_.kind(), outcome);
  HookFate& fate = add_fate(hook, HookFate::Kind::Ran, describe(outcome.ending));
  fate.took = outcome.took;
  fate.trace = trace_of(outcome);
  fate.trace.started = stage_started_;
  const std::string& said = outcome.err.bytes;
  if (!said.empty()) fate.errors = text::cap(text::trim(text::to_valid_utf8(said)), kMaxErrors);
  for (const std::string& complaint : answer.complaints) answer.effects.logs.push_back({hook.name, complaint});
  if (context_.options.records) fate.trace.answer = summarize_effects(answer.effects);
  if (answer.failure) {
    fate.kind = HookFate::Kind::Failed;
    fate.detail = answer.failure->what;
    cancelled_ |= answer.failure->cause == Cause::Cancelled;
    failures_.insert(origin_of(policy_for(hook, answer.failure->cause)));
    answer.effects = combine(effects_of_failure(hook, *answer.failure, original_.kind()), answer.effects);
  }
  long_texts_.shorten(answer.effects, *hook.dialect);
  fate.verdict = answer.effects.verdict;
  const EventRow* row = hook.dialect->find_event(original_.kind());
  if (row != nullptr && (row->running.ends_chain & mask(fate.verdict)) != 0) ended_.insert(hook.dialect);
  const bool is_rule = std::holds_alternative<RuleHandler>(hook.handler);
  marks_.add(hook, fate.verdict, answer.failure.has_value());
  if (answer.effects.input || answer.effects.prompt) ++rewrites_;
  rewrote_output_ |= is_rule && answer.effects.output;
  if (is_rule && answer.effects.verdict == Verdict::Allow) {
    grants_.push_back({id, {.verdict = Verdict::Allow, .reasons = answer.effects.reasons}, rewrites_});
    answer.effects.verdict = Verdict::Pass;
    answer.effects.reasons.clear();
  }
  translate_effects(answer.effects, *hook.dialect, original_);
  combine_into(effects_, std::move(answer.effects));
}

void Firing::announce(const Stage& stage) const {
  if (!context_.options.observer) return;
  std::vector<std::string> labels;
  for (const uint32_t id : stage.hooks) {
    const HookSpec& hook = snapshot_.registry.hooks[id];
    labels.push_back(hook.status_message.empty() ? hook.name : hook.status_message);
  }
  tell([&] { context_.options.observer->hooks_started(original_, labels); });
}

/// Tells the observer of the hook whose answer was taken last.
void Firing::show(const HookSpec& hook, const RunOutcome& outcome) {
  if (!context_.options.observer) return;
  HookRun run = run_of(hook, outcome, fates_.back());
  run.event_id = id_;
  run.event = original_.kind();
  if (reads_payload(hook)) run.input = *payloads_.get(event_, hook, run_context());
  tell([&] { context_.options.observer->hook_finished(run); });
}

/// Later hooks see the event as rewritten so far.
void Firing::advance_event() {
  payloads_.clear();
  const bool is_rewritten = effects_.input || effects_.model_request || effects_.prompt || effects_.output;
  if (!is_rewritten) return;
  Event next = original_;
  const Dialect& own = original_.dialect();
  if (effects_.input) {
    next = with_field(next, Field::ToolInput, effects_.input->apply(field_as(original_, own, Field::ToolInput)));
  }
  if (effects_.model_request) {
    next = with_field(next, Field::ModelRequest,
                      field_as(original_, own, Field::ModelRequest).merged(*effects_.model_request));
  }
  if (effects_.prompt) next = with_field(next, Field::Prompt, Json::string(*effects_.prompt));
  if (rewrote_output_ && effects_.output) next = with_field(next, Field::ToolOutput, *effects_.output);
  event_ = std::move(next);
}

void Firing::add_untrusted() {
  for (const Explanation& share : snapshot_.planner.explain(original_)) {
    if (share.reason != Reason::Untrusted) continue;
    skip(snapshot_.registry.hooks[share.hook], std::string(kUntrusted));
  }
}

/// A call that reaches for our own files is a person's to decide, also when a hook made it such a call.
void Firing::protect() {
  std::string why = context_.concern;
  if (why.empty() && snapshot_.protection && effects_.input) why = snapshot_.protection->concern(event_);
  if (why.empty()) return;
  const std::string name(protect::kName);
  fates_.push_back({name, "built in", HookFate::Kind::Ran, why, Verdict::Ask, std::chrono::microseconds{0}});
  Effects ask;
  ask.verdict = Verdict::Ask;
  ask.reasons.push_back({name, why + "; a person has to agree"});
  combine_into(effects_, std::move(ask));
}

std::string Firing::earlier_context() const {
  std::string out;
  for (const Attributed& item : effects_.context) out += (out.empty() ? "" : "\n\n") + item.text;
  return out;
}

Supplement Firing::supplement(Field field) const {
  const auto blocks = [&]() -> int64_t {
    const auto found = session_.blocks.find(std::string(to_string(original_.kind())));
    return found == session_.blocks.end() ? 0 : found->second;
  };
  switch (field) {
    case Field::Timestamp:
      return format_timestamp(std::chrono::system_clock::now());
    case Field::ExecutionId:
      return id_;
    case Field::TranscriptPath:
      return std::string();
    case Field::PermissionMode:
      return std::string("default");
    case Field::StopHookActive:
      return blocks() > 0;
    case Field::BlockCount:
      return blocks();
    case Field::Cwd:
    case Field::ProjectDir:
      return context_.options.project_dir.empty() ? Supplement() : context_.options.project_dir;
    default:
      return {};
  }
}

}  // namespace grapnel
