#include "agent/new_id.h"

#include <array>
#include <random>

namespace grapnel::agent {

std::string new_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::random_device random;
  std::string id(kShape);
  for (char& c : id) {
    if (c == 'x') c = kDigits[random() % 16];
    if (c == 'y') c = kDigits[8 + random() % 4];
  }
  return id;
}

}  // namespace grapnel::agent
