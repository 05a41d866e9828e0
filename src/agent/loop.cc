#include "agent/loop.h"

#include <algorithm>
#include <future>
#include <set>

#include "agent/compaction.h"
#include "agent/declarations.h"
#include "agent/notification.h"
#include "agent/subagent.h"
#include "agent/unfinished_intent.h"

namespace grapnel::agent {

namespace {

/// What the model reads when a Stop hook sends it back without a reason.
constexpr std::string_view kContinue = "[System] Hook requested continuation. Please continue.";
/// Stands in the conversation for an answer that an AfterModel hook denied.
constexpr std::string_view kWithheld = "[This answer was withheld by a hook.]";
// Why the gate is asked; the dialects have words of their own for these.
constexpr std::string_view kEndTurn = "end_turn";
constexpr std::string_view kMaxTurnsReached = "max_turns";
constexpr std::string_view kToolRejected = "tool_rejected";
/// Bytes of a subagent's answer that SubagentStop hooks see as its summary.
constexpr size_t kMaxSummary = 500;

std::string join_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

/// The message, with the hooks' context in a part of its own at the end.
llm::ModelMessage with_context(llm::ModelMessage message, const Decision& decision) {
  if (std::string context = hook_context(decision); !context.empty()) {
    message.parts.push_back(llm::TextPart{std::move(context)});
  }
  return message;
}

/// What stop hooks see as the output of a tool: its data if it has some, else its text.
Json call_to_json(const ToolOutcome& outcome) {
  return outcome.result.data ? outcome.result.data : Json::string(outcome.result.text);
}

}  // namespace

TurnResult Loop::run(std::string_view prompt, const std::vector<llm::ImagePart>& images, std::stop_token cancel) {
  cancel_ = std::move(cancel);
  stop_reason_ = kEndTurn;
  if (begin(prompt, images)) {
    while (!is_over_) work();
    end_subagent();
    notify_of_ending();
    end_turn();
    // The session may go on at another time, so the answer counts, too: there may be no further prompt in this run.
    // What a hook has refused in this turn is not asked for again.
    if (result_.ending == Ending::Answered && !compaction_failed_) compact_if_needed();
  }
  return std::move(result_);
}

void Loop::end(Ending ending, std::string reason) {
  is_over_ = true;
  result_.ending = ending;
  result_.reason = std::move(reason);
}

void Loop::push(llm::ModelMessage message) {
  transcript_.add(message);
  messages_.push_back(std::move(message));
}

/// Fires UserPromptSubmit and adds the prompt to the conversation. Returns false when the turn does not begin. A
/// subagent's prompt comes from the main agent, not from the user, so it has no such event.
bool Loop::begin(std::string_view prompt, const std::vector<llm::ImagePart>& images) {
  prompt_ = prompt;
  llm::ModelMessage message = user_message(prompt_);
  for (const llm::ImagePart& image : images) message.parts.push_back(image);
  if (actor_.is_subagent()) {
    push(std::move(message));
    return true;
  }
  const Decision decision = core_.hooks.fire(EventKind::UserPromptSubmit, actor_.facts,
                                             {{Field::Prompt, Json::string(prompt)},
                                              {Field::HasImages, Json::boolean(!images.empty())},
                                              {Field::ImageCount, Json::number(std::ssize(images))}},
                                             cancel_);
  if (cancel_.stop_requested()) {
    end(Ending::Interrupted, "interrupted");
    return false;
  }
  // A stop keeps the prompt in the conversation, a denial does not: a denied prompt must never reach the model.
  if (decision.effects.stop) {
    push(std::move(message));
    core_.ui->show(Stopped{EventKind::UserPromptSubmit, decision.stop_reason()});
    end(Ending::Stopped, decision.stop_reason());
    return false;
  }
  if (decision.denied()) {
    core_.ui->show(Blocked{EventKind::UserPromptSubmit, decision.reason()});
    end(Ending::Blocked, decision.reason());
    return false;
  }
  // A hook may rewrite the prompt. Its context goes into a part of its own, after the images.
  if (decision.effects.prompt) message.parts.front() = llm::TextPart{*decision.effects.prompt};
  push(with_context(std::move(message), decision));
  return true;
}

/// One model call and the tool calls that it asks for.
void Loop::work() {
  if (result_.model_calls >= core_.options.max_turns) {
    return end_regardless(Ending::MaxTurns, kMaxTurnsReached,
                          "the limit of " + std::to_string(core_.options.max_turns) + " model calls is reached");
  }
  compact_if_needed();
  if (is_over_ || !ask()) return;
  // `ask` has just added the response as the last message.
  const std::vector<llm::ToolCallPart> calls = llm::ModelResponse{messages_.back().parts, {}, {}}.calls();
  if (calls.empty()) {
    want_to_end();
  } else {
    // A tool call is progress, so the next unfinished announcement may be nudged again.
    nudges_ = 0;
    take_tools(calls);
  }
}

/// Only the main agent compacts; a subagent's conversation ends with its task.
void Loop::compact_if_needed() {
  if (actor_.is_subagent() || !needs_compaction(messages_, core_.options)) return;
  const CompactionResult done = compact_conversation(messages_, "auto", core_, cancel_);
  if (done.done) {
    transcript_.reset(messages_);
  } else if (!done.stop) {
    compaction_failed_ = true;
    show_notification(core_, "warning", "the conversation was not compacted: " + done.reason, cancel_);
  }
  if (!done.stop) return;
  core_.ui->show(Stopped{EventKind::PreCompact, *done.stop});
  end(Ending::Stopped, *done.stop);
}

llm::ModelRequest Loop::request() const {
  llm::ModelRequest request;
  request.model = core_.options.model_name;
  request.system = actor_.system_prompt;
  request.messages = messages_;
  request.tools = declare(tools_, core_.options.dialect);
  request.lane = actor_.lane;
  return request;
}

/// Servers may change their tools at any time, so they are asked before every model call.
void Loop::collect_tools() {
  tools_ = actor_.tools;
  if (!actor_.has_servers || core_.servers == nullptr) return;
  std::set<std::string> names;
  for (const Tool& tool : tools_) names.insert(native_name(tool, core_.options.dialect));
  for (Tool& tool : core_.servers->tools(core_.options.dialect, std::move(names), cancel_)) {
    tools_.push_back(std::move(tool));
  }
}

/// Calls the model and adds its response to the conversation. Returns whether it answered; if not, the turn has ended.
bool Loop::ask() {
  collect_tools();
  ModelStep step = ask_model(request(), actor_.facts, core_, cancel_);
  ++result_.model_calls;
  ++core_.steps;
  result_.usage.input_tokens += step.response.usage.input_tokens;
  result_.usage.output_tokens += step.response.usage.output_tokens;
  switch (step.kind) {
    case ModelStep::Kind::Answered:
      break;
    case ModelStep::Kind::Blocked:
      core_.ui->show(Blocked{step.by, step.reason});
      // The model did answer. A placeholder keeps the conversation alternating between user and assistant.
      if (step.by == EventKind::AfterModel) {
        push({llm::ModelRole::Assistant, {llm::TextPart{std::string(kWithheld)}}});
      }
      end(Ending::Blocked, step.reason);
      return false;
    case ModelStep::Kind::Stopped:
      core_.ui->show(Stopped{step.by, step.reason});
      end(Ending::Stopped, step.reason);
      return false;
    case ModelStep::Kind::Interrupted:
      end(Ending::Interrupted, step.reason);
      return false;
    case ModelStep::Kind::Failed:
      end(Ending::Failed, step.reason);
      return false;
  }
  if (std::string text = step.response.text(); !text.empty()) said_.push_back(std::move(text));
  offer(step.offered);
  core_.call_ids.make_unique(step.response.parts);
  push({llm::ModelRole::Assistant, std::move(step.response.parts)});
  return true;
}

/// Keeps the tools that the last request offered. A tool that a hook has taken away must not run, even if the model
/// calls it all the same.
void Loop::offer(const std::vector<std::string>& names) {
  offered_.clear();
  for (const Tool& tool : tools_) {
    const std::string name = native_name(tool, core_.options.dialect);
    if (std::ranges::find(names, name) != names.end()) offered_.push_back(tool);
  }
}

/// The callbacks let tools reach the session: the task list asks TaskCompleted hooks, the subagent tool starts a loop.
PipelineContext Loop::pipeline_context() {
  ToolContext tool_context;
  tool_context.workspace = &core_.workspace;
  tool_context.env = core_.env;
  tool_context.sandbox = core_.options.sandbox.get();
  tool_context.cancel = cancel_;
  tool_context.timeout = core_.options.tool_timeout;
  tool_context.max_output = core_.options.max_tool_output;
  tool_context.allow_private_hosts = core_.options.allow_private_hosts;
  tool_context.tasks = &core_.tasks;
  tool_context.complete_task = [this](const TaskItem& task) -> std::optional<std::string> {
    const Decision decision = core_.hooks.fire(EventKind::TaskCompleted, actor_.facts,
                                               {{Field::TaskId, Json::string(task.id)},
                                                {Field::TaskDescription, Json::string(task.description)},
                                                {Field::Success, Json::boolean(true)}},
                                               cancel_);
    if (decision.effects.stop) {
      stop_ = decision.stop_reason();
      core_.ui->show(Stopped{EventKind::TaskCompleted, *stop_});
    }
    return decision.denied() ? std::optional(decision.reason()) : std::nullopt;
  };
  tool_context.run_subagent = [this](const SubagentTask& task) {
    ToolResult result = run_subagent(task, core_, cancel_);
    if (result.failure == ToolFailure::Stopped) stop_ = result.text;
    return result;
  };
  return {offered_,
          core_.hooks,
          actor_.facts,
          *core_.permissions,
          core_.options.can_use_tool,
          *core_.ui,
          std::move(tool_context),
          cancel_};
}

/// Runs neighbouring calls that only read at the same time, and all others one by one, in the model's order. The task
/// list counts as writing here, because it changes state that its neighbours may see. Where a refusal ends the turn,
/// the calls after a refused one do not begin.
std::vector<ToolOutcome> Loop::run_calls(const std::vector<llm::ToolCallPart>& calls) {
  const PipelineContext context = pipeline_context();
  const auto only_reads = [&](const llm::ToolCallPart& call) {
    const std::string_view dialect = dialect_of_tool(call.name, core_.options.dialect);
    const ToolKind kind = tool_kind(call.name, dialect);
    return kind != ToolKind::Todo && access_of(kind) == ToolAccess::ReadOnly;
  };
  std::vector<ToolOutcome> outcomes(calls.size());
  size_t i = 0;
  while (i < calls.size()) {
    size_t end = i + 1;
    if (only_reads(calls[i])) {
      while (end < calls.size() && only_reads(calls[end])) ++end;
    }
    // The first call of a group runs in this thread and each other one in a thread of its own. Every thread writes only
    // its own element of `outcomes`, so no lock is needed.
    std::vector<std::future<void>> others;
    for (size_t k = i + 1; k < end; ++k) {
      others.push_back(std::async(std::launch::async, [&, k] { outcomes[k] = run_tool_call(calls[k], context); }));
    }
    outcomes[i] = run_tool_call(calls[i], context);
    for (std::future<void>& other : others) other.get();
    i = end;
    if (context.habits().refusal_ends_turn && std::ranges::any_of(outcomes, &ToolOutcome::is_refused)) break;
  }
  for (; i < calls.size(); ++i) outcomes[i] = cancel_tool_call(calls[i], context);
  return outcomes;
}

/// Adds the results to the conversation, even if a hook stops the agent: every call needs its result. A model that
/// called nothing but what a person refused has nothing to go on with; whether it is asked again depends on the
/// dialect.
void Loop::take_tools(const std::vector<llm::ToolCallPart>& calls) {
  llm::ModelMessage results{llm::ModelRole::Tool, {}};
  bool all_refused = true;
  for (ToolOutcome& outcome : run_calls(calls)) {
    all_refused &= outcome.is_refused;
    tool_calls_.push_back({outcome.tool_name, outcome.input, call_to_json(outcome), outcome.result.success()});
    // When several hooks stop the agent, the first call's reason counts.
    if (outcome.stop && !stop_) stop_ = outcome.stop;
    results.parts.push_back(std::move(outcome.part));
  }
  push(std::move(results));
  if (cancel_.stop_requested()) return end(Ending::Interrupted, "interrupted");
  if (stop_) return end(Ending::Stopped, *stop_);
  if (all_refused && call_habits(core_.options.dialect).refusal_ends_turn) {
    end_regardless(Ending::Cancelled, kToolRejected, "cancelled");
  }
}

const std::string& Loop::last_text() const {
  static const std::string kNothing;
  return said_.empty() ? kNothing : said_.back();
}

void Loop::clear_if_asked(const Decision& decision) {
  if (!decision.effects.clear_context) return;
  messages_.clear();
  transcript_.reset(messages_);
  core_.ui->show(ContextCleared{});
}

/// The model called no tool, so it considers itself done. The nudge and the gate's hooks may disagree.
void Loop::want_to_end() {
  result_.answer = last_text();
  if (nudges_ < core_.options.max_intent_nudges && is_unfinished_intent(result_.answer)) {
    ++nudges_;
    return push(user_message(std::string(kIntentNudge)));
  }
  const Decision decision = fire_gate(cancel_);
  if (cancel_.stop_requested()) return end(Ending::Interrupted, "interrupted");
  // Clearing comes before the other effects: a hook that also denies sends the model back with its reason as the only
  // message.
  clear_if_asked(decision);
  gate_was_asked_ = decision.effects.stop || !decision.denied();
  if (gate_was_asked_) keep_for_later(decision);
  if (decision.effects.stop) {
    core_.ui->show(Stopped{gate(), decision.stop_reason()});
    return end(Ending::Stopped, decision.stop_reason());
  }
  if (decision.origin == Origin::LoopCap) {
    return end(Ending::GateOpened, "the gate was closed too often and has opened, although its hooks still object");
  }
  if (!decision.denied()) return end(Ending::Answered);
  // A denial keeps the turn going. The hook's words become the next user message.
  gate_was_closed_ = true;
  core_.ui->show(Blocked{gate(), decision.reason()});
  const std::string words = decision.continuation.empty() ? std::string(kContinue) : decision.continuation;
  push(with_context(user_message(words), decision));
}

/// Keeps the context of a gate that stays open for the model that works next: the main agent reads it with the next
/// prompt, and a subagent's context goes to the main agent, behind the answer.
void Loop::keep_for_later(const Decision& decision) {
  const std::string context = hook_context(decision);
  if (context.empty()) return;
  if (!actor_.is_subagent()) return push(user_message(context));
  result_.answer += (result_.answer.empty() ? "" : "\n\n") + context;
}

/// Ends a turn that cannot go on, whatever the gate's hooks say. They are asked all the same.
void Loop::end_regardless(Ending ending, std::string_view stop_reason, std::string reason) {
  end(ending, std::move(reason));
  result_.answer = last_text();
  stop_reason_ = stop_reason;
  const Decision decision = fire_gate(cancel_);
  gate_was_asked_ = true;
  if (cancel_.stop_requested()) return end(Ending::Interrupted, "interrupted");
  clear_if_asked(decision);
  if (decision.effects.stop) core_.ui->show(Stopped{gate(), decision.stop_reason()});
  tell_next_turn(gate(), decision);
}

void Loop::tell_next_turn(EventKind event, const Decision& decision) {
  if (!decision.denied()) return keep_for_later(decision);
  core_.ui->show(Blocked{event, decision.reason()});
  push(with_context(user_message("[Hook Feedback]\n" + decision.reason()), decision));
}

/// Fires SubagentStop for a subagent that ended in another way than through its gate: its model failed, a hook blocked
/// or stopped it, or the user interrupted. Hooks that clean up run after an interrupt, too, so they cannot be
/// cancelled.
void Loop::end_subagent() {
  if (!actor_.is_subagent() || gate_was_asked_) return;
  stop_reason_ = to_string(result_.ending);
  tell_next_turn(gate(), fire_gate({}));
}

/// Fires Stop, or SubagentStop in a subagent. `StopHookActive` tells a hook that it has already sent the model back
/// once.
Decision Loop::fire_gate(std::stop_token cancel) {
  const Json answer = Json::string(last_text());
  if (actor_.is_subagent()) {
    // Nothing has been decided yet about a subagent whose model is done; if its hooks agree, it has succeeded.
    const bool success = result_.ending == Ending::Answered || result_.ending == Ending::Stopped;
    return core_.hooks.fire(EventKind::SubagentStop, core_.facts,
                            {{Field::AgentId, Json::string(actor_.agent_id)},
                             {Field::AgentName, Json::string(actor_.type)},
                             {Field::AgentType, Json::string(actor_.type)},
                             {Field::TaskDescription, Json::string(actor_.task)},
                             {Field::StopReason, Json::string(stop_reason_)},
                             {Field::Success, Json::boolean(success)},
                             {Field::Error, success ? Json() : Json::string(result_.reason)},
                             {Field::StopHookActive, Json::boolean(gate_was_closed_)},
                             {Field::FinalResponse, answer},
                             {Field::ResultSummary, Json::string(result_.answer.substr(0, kMaxSummary))}},
                            std::move(cancel));
  }
  return core_.hooks.fire(EventKind::Stop, actor_.facts,
                          {{Field::StopReason, Json::string(stop_reason_)},
                           {Field::Prompt, Json::string(prompt_)},
                           {Field::FinalResponse, answer},
                           {Field::TurnText, Json::string(join_lines(said_))},
                           {Field::StopHookActive, Json::boolean(gate_was_closed_)},
                           {Field::StepCount, Json::number(result_.model_calls)}},
                          std::move(cancel));
}

/// Tells Notification hooks about a turn that did not end as the person wished. The person reads it in the result.
void Loop::notify_of_ending() {
  if (actor_.is_subagent()) return;
  if (result_.ending == Ending::Failed) fire_notification(core_, "error", result_.reason, cancel_);
  if (result_.ending == Ending::MaxTurns) fire_notification(core_, "warning", result_.reason, cancel_);
}

/// Fires TurnEnd, which stop hooks watch, unless the user interrupted or the model failed. Building the event copies
/// the whole conversation, so it is skipped when no hook listens.
void Loop::end_turn() {
  if (actor_.is_subagent() || result_.ending == Ending::Interrupted || result_.ending == Ending::Failed) return;
  if (!core_.engine->hook_counts().contains(EventKind::TurnEnd)) return;
  StopHookContext context;
  context.messages = to_json(messages_);
  context.final_response = last_text();
  context.tool_calls = tool_calls_;
  context.reached_max_iterations = result_.ending == Ending::MaxTurns;
  const Event turn_end = context.to_event();
  Fields fields = {{Field::StopReason, Json::string(stop_reason_)},
                   {Field::StepCount, Json::number(result_.model_calls)}};
  for (const Field field : {Field::Messages, Field::FinalResponse, Field::ToolCalls, Field::ReachedMaxIterations}) {
    fields.emplace_back(field, turn_end.get(field));
  }
  // Each stop hook's line is shown when that hook ends (`create_session`).
  const Decision decision = core_.hooks.fire(EventKind::TurnEnd, actor_.facts, fields, cancel_);
  tell_stop_is_ignored(*core_.ui, EventKind::TurnEnd, decision);
  tell_next_turn(EventKind::TurnEnd, decision);
}

}  // namespace grapnel::agent
