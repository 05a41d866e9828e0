#include "mcp/header_value.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace grapnel::mcp {

namespace {

constexpr std::string_view kMark = "=?base64?";
constexpr std::string_view kEnd = "?=";
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += at + i > bytes.size() ? '=' : kDigits[group >> (18 - 6 * i) & 0x3f];
    }
  }
  return out;
}

bool is_plain(std::string_view text) {
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
  const bool has_blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool looks_encoded = text.starts_with(kMark) && text.ends_with(kEnd);
  return is_ascii && !has_blank_ends && !looks_encoded;
}

}  // namespace

std::string header_value(std::string_view text) {
  return is_plain(text) ? std::string(text) : std::string(kMark) + to_base64(text) + std::string(kEnd);
}

}  // namespace grapnel::mcp
