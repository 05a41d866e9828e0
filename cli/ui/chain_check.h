#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "base/environment.h"

namespace grapnel::cli {

/// Whether the chain of records is intact, as far as somebody has looked. It is looked at once, at the start, and
/// whenever a person opens the screen of `doctor`.
class ChainCheck {
 public:
  /// Starts to look, unless there are so many records that it would take long.
  explicit ChainCheck(const Environment& env);
  ChainCheck(const ChainCheck&) = delete;
  ChainCheck& operator=(const ChainCheck&) = delete;
  ~ChainCheck() { thread_.join(); }

  /// `ok`, `broken` or `unknown`.
  std::string state() const;
  void note(bool is_intact) { state_ = is_intact ? State::Intact : State::Broken; }

 private:
  enum class State : uint8_t { Unknown, Intact, Broken };
  std::atomic<State> state_ = State::Unknown;
  std::thread thread_;
};

}  // namespace grapnel::cli
