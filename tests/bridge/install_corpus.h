#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Settings files as people have them.
namespace grapnel::testing {

struct SettingsCase {
  const char* note;
  std::string text;
  bool plain = true;  ///< JSON without comments, trailing commas and byte-order marks
};

/// Of agents whose settings are JSON; every one can be installed into.
std::vector<SettingsCase> json_settings();

/// Of agents whose settings are TOML.
std::vector<SettingsCase> toml_settings();

/// What cannot be installed into, and the place that is wrong.
struct BrokenCase {
  const char* note;
  std::string text;
  uint32_t line;
  uint32_t column;
};
std::vector<BrokenCase> broken_json_settings();
std::vector<BrokenCase> broken_toml_settings();

}  // namespace grapnel::testing
