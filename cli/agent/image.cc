#include "cli/agent/image.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxImage = size_t{20} << 20;

/// A format is recognised by its first bytes. WebP is a kind of RIFF file, whose own kind is at offset 8.
struct Format {
  std::string_view media_type;
  std::string_view start;
  std::string_view at_eight;
};
constexpr auto kFormats = std::to_array<Format>({
    {"image/png", "\x89PNG\r\n", ""},
    {"image/jpeg", "\xFF\xD8\xFF", ""},
    {"image/gif", "GIF8", ""},
    {"image/webp", "RIFF", "WEBP"},
});

/// "" for any format that is not in the table.
std::string_view media_type_of(std::string_view bytes) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format& format) {
    return bytes.starts_with(format.start) &&
           (format.at_eight.empty() || (bytes.size() > 8 && bytes.substr(8).starts_with(format.at_eight)));
  });
  return found == kFormats.end() ? "" : found->media_type;
}

/// Three bytes become four digits. A group that is not full is padded with `=`.
std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0);
    for (size_t i = 0; i < 4; ++i) out += i <= group.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

}  // namespace

/// Models get images as base64 in the request, so the whole file is read into memory.
Result<llm::ImagePart> load_image(const std::string& path) {
  const auto bytes = os::read_file(path, kMaxImage);
  if (!bytes) return std::unexpected(bytes.error());
  const std::string_view media_type = media_type_of(*bytes);
  if (media_type.empty()) return fail(Errc::BadInput, path + " is not an image; use PNG, JPEG, GIF or WebP");
  return llm::ImagePart{std::string(media_type), to_base64(*bytes)};
}

}  // namespace grapnel::cli
