#include <cstdint>

#include "settings_check.h"

// Input: a settings file in JSON.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  grapnel::fuzz::check_settings(content, grapnel::PlaceFormat::Settings);
  return 0;
}
