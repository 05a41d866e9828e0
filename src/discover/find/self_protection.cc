#include "discover/find/self_protection.h"

namespace grapnel {

bool wants_self_protection(const GrapnelSettings& settings) {
  const Json wish = settings["self_protection"];
  // `off` is plain text in this YAML; `false` works too. Anything else leaves the protection on.
  if (wish.equals_string("off")) return false;
  return wish.as_bool().value_or(true);
}

}  // namespace grapnel
