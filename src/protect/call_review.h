#pragma once

#include <string>
#include <string_view>

#include "grapnel/event.h"

#include "protect/places.h"
#include "shell/parse.h"

/// The review of a whole tool call. It decides which parts of the input are names of files, shell commands or patches,
/// and asks about each of them.
namespace grapnel::protect {

/// The name of this check in lists of hooks and in records.
inline constexpr std::string_view kName = "grapnel:self-protection";

/// Reviews tool calls. Immutable; Thread: any.
class CallReview {
 public:
  /// The places are searched when the first call comes that might write to one.
  CallReview(PlaceFinders find_places, std::string project_dir, std::string home, shell::Variables known = {});

  /// Why a person has to agree to the tool call of this event; "" if there is no reason. Costs a few system calls for
  /// tools that write or run something, and next to nothing for others.
  std::string concern(const Event& event) const;

 private:
  ProtectedPlaces places_;
  ProtectedPlaces with_starters_;  ///< for calls that mention Grapnel
  std::string project_dir_;
  std::string home_;
  shell::Variables known_;  ///< whose values commands use
};

}  // namespace grapnel::protect
