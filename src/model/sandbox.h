#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// What a hook's processes may do (`sandbox:`), as its file and people's settings say it.
///
///   off       nothing is done about them, not even at the deadline: only the process group ends
///   contain   the default: nothing that it started is left after its deadline or a cancel
///   guard     also: no network, writes only to a directory of its own, reads of the project and the system
///   a map     what it names
///
/// Several people may say something about one hook: its author, the user, the administrator. What one of them forbids
/// stays forbidden (`narrow`). src/run turns the names of places into paths, and src/os has the kernel enforce it.
namespace grapnel {

/// What happens to processes that a hook has left behind when it ended by itself.
enum class Leftovers : uint8_t {
  Tell,  ///< they go on running; people are told once
  Kill,
  Keep,  ///< they go on running, and nothing is said
};
inline constexpr std::array<std::string_view, 3> kLeftoversWords = {"tell", "kill", "keep"};

/// The files that one person allows. Names are absolute, below the project, `~/…`, or words: `project`, `system`,
/// `$TMPDIR` (the private directory), `home`.
struct SandboxFiles {
  std::optional<std::vector<std::string>> read;   ///< not set: everything
  std::optional<std::vector<std::string>> write;  ///< not set: everything
  bool operator==(const SandboxFiles&) const = default;
};

struct Sandbox {
  bool is_off = false;
  std::string word;  ///< `guard` if that is what was said, for people; "" for a map
  bool network = true;
  std::vector<SandboxFiles> files;  ///< every one of them must allow an access
  uint64_t memory = 0;              ///< bytes for each process; 0: no limit
  uint64_t cpu_seconds = 0;         ///< for each process; 0: no limit
  uint32_t processes = 0;           ///< at the same time; 0: no limit
  Leftovers leftovers = Leftovers::Tell;
  bool required = true;  ///< false: a machine that cannot enforce it runs the hook with less

  /// Whether it takes something away. Then it must be enforced, and programs cannot get privileges in it.
  bool is_restricting() const { return !network || !files.empty() || memory > 0 || cpu_seconds > 0 || processes > 0; }
  bool operator==(const Sandbox&) const = default;
};

Sandbox guard_sandbox();

/// Takes away from `sandbox` what `other` does not allow.
void narrow(Sandbox& sandbox, const Sandbox& other);

/// `contain`, `guard`, or what is taken away: `no network, writes $TMPDIR, 64 processes`.
std::string describe(const Sandbox& sandbox);

}  // namespace grapnel
