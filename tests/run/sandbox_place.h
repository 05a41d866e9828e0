#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>

#include "model/sandbox.h"
#include "os/temp_dir.h"
#include "run/child_sandbox.h"
#include "run/harness.h"

/// What the tests of sandboxes share: somewhere to be kept in, and kernels of every age.
namespace grapnel::testing {

namespace fs = std::filesystem;

/// A project, a home beside it, and programs in a sandbox.
class Place {
 public:
  Place() {
    dir.put("project/file", "of the project\n");
    dir.put("home/.ssh/id", "SECRET\n");
    dir.put("home/.bashrc", "mine\n");
  }

  ChildSpec sh_in(const Sandbox& sandbox, std::string script, milliseconds timeout = kLong) const {
    ChildSpec spec = sh(std::move(script), timeout);
    spec.cwd = dir / "project";
    spec.env.set("HOME", dir / "home");
    spec.env.set("OUTSIDE", dir / "home");
    spec.env.set("AGENT", std::to_string(::getpid()));
    spec.sandbox = sandbox_for(sandbox, {dir / "project", spec.env, {}});
    spec.leftovers = sandbox.leftovers;
    if (spec.sandbox && spec.sandbox->temporary) spec.env.set("TMPDIR", spec.sandbox->temporary->path());
    return spec;
  }

  TempDir dir;
};

inline bool has_program(const char* name) {
  for (const char* directory : {"/usr/bin/", "/bin/", "/usr/sbin/", "/usr/local/bin/"}) {
    if (fs::exists(std::string(directory) + name)) return true;
  }
  return false;
}

/// The kernel of Debian 12 knows version 2, and this one more; the older ones are played by refusing what they do not
/// know.
inline int landlock_cap = 0;
inline os::Calls with_landlock(int version) {
  landlock_cap = version;
  os::Calls calls = os::real_calls();
  calls.landlock_create = [](const void* attributes, size_t size, unsigned flags) {
    if (landlock_cap == 0) return errno = ENOSYS, -1;
    const int real = os::real_calls().landlock_create(attributes, size, flags);
    if (attributes == nullptr) return std::min(real, landlock_cap);
    const auto* words = static_cast<const uint64_t*>(attributes);
    constexpr uint64_t kFiles[] = {0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF, 0xFFFF, 0xFFFF};
    const size_t most = landlock_cap >= 6 ? 24 : landlock_cap >= 4 ? 16 : 8;
    const bool is_unknown = size > most || (words[0] & ~kFiles[landlock_cap - 1]) != 0;
    if (!is_unknown) return real;
    ::close(real);
    return errno = EINVAL, -1;
  };
  return calls;
}

inline int real_version() {
  return os::sandbox_means(os::real_calls()).landlock;
}

}  // namespace grapnel::testing
