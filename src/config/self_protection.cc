#include "config/self_protection.h"

#include "config/own_settings.h"

namespace grapnel {

bool wants_self_protection(const PlaceRoots& roots) {
  const Json wish = own_setting(roots, "self_protection");
  if (wish.equals_string("off")) return false;
  return wish.as_bool().value_or(true);
}

}  // namespace grapnel
