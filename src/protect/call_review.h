#pragma once

#include <string>
#include <string_view>

#include "grapnel/event.h"

#include "protect/places.h"

namespace grapnel::protect {

/// How the check is called where hooks are listed and recorded.
inline constexpr std::string_view kName = "grapnel:self-protection";

/// Looks at tool calls. Immutable; Thread: any.
class CallReview {
 public:
  /// ProtectedPlaces are looked for when a call comes that might write to one.
  CallReview(PlaceFinders find_places, std::string project_dir, std::string home);

  /// Why a person has to agree to this event's tool call; "" when there is no reason. Costs a few system calls for
  /// tools that write or run something, and next to nothing for others.
  std::string concern(const Event& event) const;

 private:
  ProtectedPlaces places_;
  std::string project_dir_;
  std::string home_;
};

}  // namespace grapnel::protect
