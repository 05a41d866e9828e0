#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "abi/options.h"
#include "grapnel.h"

/// Callbacks of C hosts. An event becomes a question to the callback, and its answer, a JSON object that may come later
/// and from another thread, becomes effects.
namespace grapnel::abi {

/// One question. The thread that asks and whoever answers share it, and each may be gone before the other.
class Question {
 public:
  explicit Question(std::stop_token stop) : stop_(std::move(stop)) {}

  /// False if nobody waits any more or it was answered before.
  bool answer(std::string json);
  bool fail(std::string message);
  bool is_cancelled() const { return stop_.stop_requested() || is_abandoned(); }
  const std::stop_token& stop() const { return stop_; }

  /// The host's handle is gone.
  void end_handle() { handle_is_over_ = true; }
  bool is_handle_over() const { return handle_is_over_; }

  /// Waits for the answer if `is_later`; without one, or when the question is cancelled, there is no opinion (""). If
  /// the callback failed, throws std::runtime_error with its message.
  std::string wait(bool is_later);

 private:
  bool is_abandoned() const;
  bool take(std::optional<std::string>& place, std::string text);

  const std::stop_token stop_;
  std::atomic<bool> handle_is_over_ = false;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  // `mutex_` guards the rest.
  std::optional<std::string> answer_;
  std::optional<std::string> failure_;
  bool abandoned_ = false;  ///< nobody waits any more
};

/// The host's function and what it owns.
struct HostFunction {
  grapnel_callback call = nullptr;
  std::shared_ptr<void> user;
};

/// A callback for the engine that asks the host's function.
HookCallback make_callback(const HookOptions& options, HostFunction function);

}  // namespace grapnel::abi

/// The host's handle of a question.
struct grapnel_call {
  std::shared_ptr<grapnel::abi::Question> question;
  std::optional<std::stop_callback<std::function<void()>>> on_cancel = {};
};
