#include "abi/texts.h"

#include <array>
#include <cstdlib>
#include <cstring>

namespace grapnel::abi {

namespace {

/// In the order of `Errc`.
constexpr auto kKinds =
    std::to_array<std::string_view>({"bad input", "bad config", "invalid pattern", "limit exceeded", "not found",
                                     "refused", "unavailable", "cancelled", "system", "internal"});
static_assert(kKinds.size() == static_cast<size_t>(Errc::Internal) + 1);

}  // namespace

char* to_c(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

std::string describe(const Error& error) {
  return std::string(kKinds[static_cast<size_t>(error.code)]) + ": " + error.to_string();
}

void report(char** error, std::string_view text) {
  if (error != nullptr) *error = to_c(text);
}

}  // namespace grapnel::abi
