#include "discover/find/broken_config.h"

#include "discover/find/grapnel_settings.h"

namespace grapnel {

OnFailure on_broken_config(const PlaceRoots& roots) {
  const Json wish = grapnel_setting(roots, "on_broken_config");
  for (const OnFailure policy : {OnFailure::Open, OnFailure::Closed}) {
    if (wish.equals_string(to_string(policy))) return policy;
  }
  // A word that we do not know must not open the door.
  return OnFailure::Ask;
}

}  // namespace grapnel
