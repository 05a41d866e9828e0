#include "cli/nats_version.h"

#include <array>
#include <charconv>
#include <optional>

namespace grapnel::cli {

namespace {

using Version = std::array<int, 3>;

std::optional<Version> read_version(std::string_view text) {
  Version out{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < out.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, out[i]);
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  return out;
}

/// A hole, and the versions in which it was closed: in each of two lines, and in everything newer.
struct Hole {
  std::string_view name;
  Version first_line, second_line;
};
constexpr auto kHoles = std::to_array<Hole>({
    {"CVE-2023-47090", {2, 9, 23}, {2, 10, 2}},
    {"CVE-2025-30215", {2, 10, 27}, {2, 11, 1}},
});

/// Older ones lost what they had acknowledged when servers of a cluster were killed. Grapnel does not rely on it, but
/// has to send such records again.
constexpr Version kRecommended = {2, 15, 0};

bool has(const Hole& hole, const Version& version) {
  const bool is_in_first_line = version[0] == hole.first_line[0] && version[1] <= hole.first_line[1];
  return version < (is_in_first_line ? hole.first_line : hole.second_line);
}

}  // namespace

std::string trouble_with_server(std::string_view version) {
  const auto known = read_version(version);
  if (!known || *known >= kRecommended) return "";
  std::string holes;
  for (const Hole& hole : kHoles) {
    if (has(hole, *known)) holes += (holes.empty() ? "" : " and ") + std::string(hole.name);
  }
  const std::string text(version);
  return holes.empty() ? "nats-server " + text + " is old: take 2.15 or newer"
                       : "nats-server " + text + " has known holes (" + holes + "): take 2.15 or newer";
}

}  // namespace grapnel::cli
