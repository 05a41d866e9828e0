#include "grapnel/stop_hook.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

namespace {

// Stop hooks are callbacks on the TurnEnd event. Their context travels as the fields of an event, so that hooks from
// files can listen to the same event.

constexpr std::string_view kMessagePrefix = "[StopHook] ";
constexpr std::string_view kErrorPrefix = "Stop hook execution failed: ";

// Members of an entry of Field::ToolCalls.
constexpr std::string_view kToolName = "tool_name";
constexpr std::string_view kInput = "input";
constexpr std::string_view kOutput = "output";
constexpr std::string_view kSuccess = "success";

Json to_json(const ToolCallRecord& call) {
  return Json::object({{kToolName, Json::string(call.tool_name)},
                       {kInput, call.input},
                       {kOutput, call.output},
                       {kSuccess, Json::boolean(call.success)}});
}

/// The reverse of `to_json`. A call that says nothing about its success counts as successful.
ToolCallRecord call_from(const Json& json) {
  return {json[kToolName].as_string().value_or(""), json[kInput], json[kOutput],
          json[kSuccess].as_bool().value_or(true)};
}

/// Wraps the hook: the event becomes its context, its message and data become effects. It cannot give a verdict.
HookCallback as_callback(const std::string& name, StopHook hook) {
  return [name, hook = std::move(hook)](const Event& event, const std::stop_token&) {
    const StopHookResult result = hook(StopHookContext::from_event(event));
    Effects effects;
    if (!text::trim(result.message).empty()) effects.messages.push_back({name, result.message});
    if (result.data) effects.data.emplace_back(name, result.data);
    return effects;
  };
}

/// What a hook that has ended wants to show. `effects` may also have the messages of other hooks.
std::vector<StopHookLine> lines_of(const HookFate& fate, const Effects& effects) {
  std::vector<StopHookLine> lines;
  if (fate.kind == HookFate::Kind::Failed) lines.push_back({std::string(kErrorPrefix) + fate.detail, true});
  if (fate.kind != HookFate::Kind::Ran) return lines;
  for (const Attributed& message : effects.messages) {
    if (message.hook == fate.name) lines.push_back({std::string(kMessagePrefix) + message.text});
  }
  return lines;
}

}  // namespace

Event StopHookContext::to_event() const {
  std::vector<std::pair<std::string, Json>> fields;
  const auto add = [&](Field field, Json value) { fields.emplace_back(to_string(field), std::move(value)); };
  std::vector<Json> calls;
  for (const ToolCallRecord& call : tool_calls) calls.push_back(to_json(call));
  if (session_id) add(Field::SessionId, Json::string(*session_id));
  add(Field::Cwd, Json::string(cwd));
  add(Field::Messages, messages ? messages : Json::array());
  add(Field::FinalResponse, Json::string(final_response));
  add(Field::ToolCalls, Json::array(calls));
  add(Field::ReachedMaxIterations, Json::boolean(reached_max_iterations));
  return {EventKind::TurnEnd, Json::object(fields)};
}

StopHookContext StopHookContext::from_event(const Event& event) {
  StopHookContext context;
  context.session_id = event.get(Field::SessionId).as_string();
  context.cwd = event.text(Field::Cwd);
  context.messages = event.get(Field::Messages);
  context.final_response = event.text(Field::FinalResponse);
  for (const Json& call : event.get(Field::ToolCalls).elements()) context.tool_calls.push_back(call_from(call));
  context.reached_max_iterations = event.get(Field::ReachedMaxIterations).as_bool().value_or(false);
  return context;
}

StopHooks::~StopHooks() {
  for (const std::string& name : names_) engine_->unregister_callback(name);
}

Result<std::string> StopHooks::add(StopHook hook, StopHookOptions options) {
  // Callbacks need unique names, so a stop hook without one gets a number. The hook that was added last runs first.
  std::string name =
      options.name.empty() ? std::string(kMadeUpName) + std::to_string(++made_up_) : std::move(options.name);
  CallbackHook callback{.name = name,
                        .events = {EventKind::TurnEnd},
                        .call = as_callback(name, std::move(hook)),
                        .timeout = options.timeout,
                        .last_in_first = true};
  if (show_) {
    callback.ended = [show = show_](const HookFate& fate, const Effects& so_far) {
      for (const StopHookLine& line : lines_of(fate, so_far)) show(line);
    };
  }
  auto added = engine_->register_callback(std::move(callback));
  if (!added) return std::unexpected(added.error());
  names_.push_back(name);
  return name;
}

/// Only stop hooks of this object can be removed, not other callbacks of the engine.
bool StopHooks::remove(std::string_view name) {
  return std::erase(names_, name) > 0 && engine_->unregister_callback(name);
}

StopHooks::Report StopHooks::run(const StopHookContext& context, std::stop_token cancel) {
  return report(engine_->fire(context.to_event(), std::move(cancel)));
}

/// Picks the parts of the decision that belong to these stop hooks. Other hooks of the event are in `decision`.
StopHooks::Report StopHooks::report(Decision decision) const {
  const auto is_ours = [&](const std::string& name) { return std::ranges::find(names_, name) != names_.end(); };
  Report report;
  for (const HookFate& fate : decision.hooks) {
    // Hooks from files may listen to the same event; their results are only in `report.decision`.
    if (!is_ours(fate.name)) continue;
    for (StopHookLine& line : lines_of(fate, decision.effects)) {
      (line.is_error ? report.errors : report.messages).push_back(std::move(line.text));
    }
  }
  std::ranges::copy_if(decision.effects.data, std::back_inserter(report.data),
                       [&](const auto& item) { return is_ours(item.first); });
  report.decision = std::move(decision);
  return report;
}

}  // namespace grapnel
