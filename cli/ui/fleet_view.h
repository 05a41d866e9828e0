#pragma once

#include <chrono>
#include <mutex>
#include <optional>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "base/environment.h"

namespace grapnel::cli {

/// What a fleet's collector says, for `grapnel ui --fleet`. Thread: any.
class FleetView {
 public:
  FleetView(const Environment& env, bool is_wanted) : env_(env), is_wanted_(is_wanted) {}

  bool is_wanted() const { return is_wanted_; }
  /// Asks through `grapnel-fleet`, at most every two seconds. Fails: NotFound without `--fleet`, or without that
  /// program; Unavailable with its words.
  Result<Json> show();

 private:
  const Environment& env_;
  bool is_wanted_;
  std::mutex mutex_;
  std::optional<Result<Json>> last_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace grapnel::cli
