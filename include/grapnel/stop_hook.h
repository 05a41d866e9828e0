#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "grapnel/engine.h"

/// Stop hooks: functions of the host that watch how a turn of the agent ends.
///
/// They only watch. What they return is shown to people or passed to the host; to keep an agent working, use a hook for
/// the event `Stop` instead. The hook that was added last runs first. If one fails, that is reported and the others
/// still run.
///
///   StopHooks stop_hooks(engine);
///   stop_hooks.add([](const StopHookContext& turn) {
///     return StopHookResult{.message = std::to_string(turn.tool_calls.size()) + " tool calls"};
///   });
///   const StopHooks::Report report = stop_hooks.run({.final_response = "Done."});
///   for (const std::string& line : report.messages) std::cout << line << "\n";   // [StopHook] 0 tool calls
///
/// Internally they are callbacks for the event TurnEnd, so hooks from files can watch the same moment.
namespace grapnel {

/// A tool call that was made during the turn.
struct ToolCallRecord {
  std::string tool_name;
  Json input;
  Json output;
  bool success = true;
};

/// What a stop hook learns about the turn.
struct StopHookContext {
  std::optional<std::string> session_id;
  std::string cwd;
  Json messages;  ///< the whole conversation as an array
  std::string final_response;
  std::vector<ToolCallRecord> tool_calls;
  /// Whether the turn was cut off because it had made too many steps.
  bool reached_max_iterations = false;

  /// The same facts as a TurnEnd event, which hooks of every kind can receive, and back.
  Event to_event() const;
  static StopHookContext from_event(const Event& event);
};

/// What a stop hook returns.
struct StopHookResult {
  std::string message = {};  ///< shown to people unless it is empty
  Json data = {};            ///< passed to the host in `Report::data`
};

/// Any function that takes a `StopHookContext` and returns a `StopHookResult`, nothing, or a future of either. It
/// converts implicitly, so that a lambda can be passed to `StopHooks::add`.
class StopHook {
 public:
  /// Takes any such function. A future is waited for when the hook runs, not when it is added.
  template <typename Call>
    requires std::invocable<const Call&, const StopHookContext&> && (!std::same_as<std::decay_t<Call>, StopHook>)
  StopHook(Call call)
      : call_([call = std::move(call)](const StopHookContext& context) {
          if constexpr (requires { call(context).get(); }) {
            return finish([&] { return call(context).get(); });
          } else {
            return finish([&] { return call(context); });
          }
        }) {}

  /// Calls the function, waits for its future if it returned one, and returns its result.
  StopHookResult operator()(const StopHookContext& context) const { return call_(context); }

 private:
  template <typename Step>
  static StopHookResult finish(const Step& step) {
    if constexpr (std::is_void_v<decltype(step())>) {
      step();
      return {};
    } else {
      return step();
    }
  }

  std::function<StopHookResult(const StopHookContext&)> call_;
};

/// Options of one stop hook.
struct StopHookOptions {
  std::string name = {};  ///< "": `stop-hook-` and a number
  /// 0: no limit.
  std::chrono::milliseconds timeout{0};
};

/// A line that the host should show to people: a hook's message, or the error of one that failed.
struct StopHookLine {
  std::string text;
  bool is_error = false;
};

/// The stop hooks of one engine. The host creates it; its destructor unregisters them. Owns: a share of the engine.
/// Thread: one at a time.
class StopHooks {
 public:
  /// What the stop hooks did at the end of one turn. The host prints the lines, unless `show` already did, and may use
  /// the data.
  struct Report {
    /// Lines to show, with the prefix `[StopHook] `, in the order in which the hooks ran.
    std::vector<std::string> messages;
    /// One line for each hook that failed.
    std::vector<std::string> errors;
    /// The data that hooks returned, with the name of each hook.
    std::vector<std::pair<std::string, Json>> data;
    /// The decision of the TurnEnd event, which includes hooks that are no stop hooks.
    Decision decision;
  };

  /// The beginning of the names of hooks that were added without one.
  static constexpr std::string_view kMadeUpName = "stop-hook-";

  /// The engine must not be null. `show` gets each line as soon as its hook has ended, before the next hook starts; it
  /// may be empty.
  explicit StopHooks(std::shared_ptr<Engine> engine, std::function<void(const StopHookLine&)> show = {})
      : engine_(std::move(engine)), show_(std::move(show)) {}
  StopHooks(const StopHooks&) = delete;
  StopHooks& operator=(const StopHooks&) = delete;
  ~StopHooks();

  /// Adds a hook and returns its name. Fails: BadConfig if the name is taken.
  Result<std::string> add(StopHook hook, StopHookOptions options = {});
  /// Removes a hook. False if there is none with that name.
  bool remove(std::string_view name);

  /// Fires TurnEnd and collects what the stop hooks did. Do not call it if the user interrupted the turn.
  Report run(const StopHookContext& context, std::stop_token cancel = {});
  /// The same for a host that has fired TurnEnd itself and has the decision.
  Report report(Decision decision) const;

 private:
  std::shared_ptr<Engine> engine_;
  std::function<void(const StopHookLine&)> show_;
  std::vector<std::string> names_;
  size_t made_up_ = 0;
};

}  // namespace grapnel
