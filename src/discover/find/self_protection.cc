#include "discover/find/self_protection.h"

#include "discover/find/grapnel_settings.h"

namespace grapnel {

bool wants_self_protection(const PlaceRoots& roots) {
  const Json wish = grapnel_setting(roots, "self_protection");
  // `off` is plain text in this YAML; `false` works too. Anything else leaves the protection on.
  if (wish.equals_string("off")) return false;
  return wish.as_bool().value_or(true);
}

}  // namespace grapnel
