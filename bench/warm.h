#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "grapnel/engine.h"

/// The same hook in three languages, started for each event, before it, or once for all: what people wait for.
namespace grapnel::bench {

enum class Start : uint8_t { Cold, Warm, Worker };

/// A hook that reads its event as JSON and lets it pass, behind an engine. Thread: one.
class LanguageHook {
 public:
  /// `sh`, `python` or `node`.
  LanguageHook(std::string_view language, Start start);
  LanguageHook(const LanguageHook&) = delete;
  LanguageHook& operator=(const LanguageHook&) = delete;
  ~LanguageHook();

  void fire();
  /// Returns when the next process waits for its event and has nothing else left to do. A person or a model takes
  /// longer between two events.
  void wait_until_ready() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace grapnel::bench
