#include "agent/new_id.h"

#include <array>
#include <random>

namespace grapnel::agent {

std::string new_id() {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  constexpr std::string_view kIdShape = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::random_device random;
  std::string id(kIdShape);
  for (char& c : id) {
    if (c == 'x') c = kHexDigits[random() % 16];
    // RFC 9562 fixes two bits of this digit (the variant), which leaves 8, 9, a and b.
    if (c == 'y') c = kHexDigits[8 + random() % 4];
  }
  return id;
}

}  // namespace grapnel::agent
