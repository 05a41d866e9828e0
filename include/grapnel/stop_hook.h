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

/// Stop hooks: functions of the host that watch the end of a turn. They gate nothing; what they return is shown or
/// handed on. The last one added runs first; one that fails is reported and the others run all the same.
namespace grapnel {

/// A tool call of the turn that ends.
struct ToolCallRecord {
  std::string tool_name;
  Json input;
  Json output;
  bool success = true;
};

/// What a stop hook is told.
struct StopHookContext {
  std::optional<std::string> session_id;
  std::string cwd;
  Json messages;  ///< the whole conversation, an array
  std::string final_response;
  std::vector<ToolCallRecord> tool_calls;
  bool reached_max_iterations = false;  ///< the turn ended because it had run for too long

  /// As an event, for hooks of every kind, and back.
  Event to_event() const;
  static StopHookContext from_event(const Event& event);
};

struct StopHookResult {
  std::string message = {};  ///< shown to people, when not empty
  Json data = {};            ///< for the host; missing when there is none
};

/// A function of a `StopHookContext` that returns a `StopHookResult`, nothing, or a future of either.
class StopHook {
 public:
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

struct StopHookOptions {
  std::string name = {};  ///< "": one is made up
  std::chrono::milliseconds timeout{0};
};

/// The stop hooks of one engine. They go when this goes. Thread: one at a time.
class StopHooks {
 public:
  /// What became of them at one turn's end.
  struct Report {
    std::vector<std::string> messages;  ///< with their prefix, in the order they were said
    std::vector<std::string> errors;
    std::vector<std::pair<std::string, Json>> data;  ///< by name
    Decision decision;                               ///< of all hooks at this moment
  };

  /// How the names of those begin that were added without one.
  static constexpr std::string_view kMadeUpName = "stop-hook-";

  explicit StopHooks(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
  StopHooks(const StopHooks&) = delete;
  StopHooks& operator=(const StopHooks&) = delete;
  ~StopHooks();

  /// Returns its name. Fails: BadConfig when the name is taken.
  Result<std::string> add(StopHook hook, StopHookOptions options = {});
  bool remove(std::string_view name);

  /// Fires the end of a turn. Not to be called when the user interrupted it.
  Report run(const StopHookContext& context, std::stop_token cancel = {});
  /// What the stop hooks did at a turn's end that the host has fired itself.
  Report report(Decision decision) const;

 private:
  std::shared_ptr<Engine> engine_;
  std::vector<std::string> names_;
  size_t made_up_ = 0;
};

}  // namespace grapnel
