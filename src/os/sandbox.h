#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <linux/filter.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/unique_fd.h"
#include "os/calls.h"

/// What a child and its descendants may do, enforced by the kernel for as long as they live.
///
///   files        Landlock rulesets, one per layer; what one layer does not allow, no other can
///   calls        a filter of system calls (call_filter.h)
///   limits       resource limits, each for every single process
///
/// Everything is built here, in the parent. Between clone and exec, the child only puts it on (`spawn.cc`). From then
/// on it cannot get privileges by executing a program: `sudo` and its like do not work in a sandbox.
namespace grapnel::os {

/// The files of one layer. Names that do not exist allow nothing.
struct SandboxLayer {
  bool limits_reads = false;
  bool limits_writes = false;
  std::vector<std::string> read;   ///< files, and directories with all below: also to be executed
  std::vector<std::string> write;  ///< the same, and to be read
};

struct SandboxSpec {
  std::vector<SandboxLayer> layers;
  bool allows_network = true;
  uint64_t memory = 0;       ///< bytes that a process may allocate; 0: no limit
  uint64_t cpu_seconds = 0;  ///< of each process; 0: no limit
  uint64_t file_size = 0;    ///< bytes that a file may have; 0: no limit
  uint32_t processes = 0;    ///< that somebody counts; 0: nobody does
};
/// A limit of so many processes is only against those that multiply without end. It need not be exact, and whether they
/// can be counted is no condition: at the deadline all of them end.
inline constexpr uint32_t kManyProcesses = 256;

/// What a kernel can enforce, found by asking it.
struct SandboxMeans {
  int landlock = 0;  ///< the version of Landlock; 0: none
};
SandboxMeans sandbox_means(const Calls& calls);

/// The versions of Landlock from which it knows…
inline constexpr int kLandlockTruncates = 3, kLandlockKnowsDevices = 5, kLandlockKnowsSignals = 6;

/// A sandbox that is ready to be put on. Immutable. Thread: any.
class Sandbox {
 public:
  /// Fails: Unavailable if the kernel cannot enforce it.
  static Result<std::shared_ptr<const Sandbox>> build(const SandboxSpec& spec, const Calls& calls);

  // For the child.
  static constexpr size_t kMaxLayers = 8;
  struct Limit {
    int resource;
    rlimit64 limit;
  };
  size_t ruleset_count() const { return ruleset_count_; }
  int ruleset(size_t layer) const { return rulesets_[layer].get(); }
  const std::vector<Limit>& limits() const { return limits_; }
  const sock_fprog& filter() const { return program_; }
  /// Whether the child is an administrator's and loses the capabilities that sandboxes do not need.
  bool drops_capabilities() const { return drops_capabilities_; }

  /// Whether all of its processes must be found.
  bool counts_processes() const { return counts_processes_; }
  /// Whether signals stay inside.
  bool scopes_signals() const { return scopes_signals_; }

 private:
  Sandbox() = default;
  Result<void> add_layer(const SandboxLayer& layer, int version, const Calls& calls);

  std::array<UniqueFd, kMaxLayers> rulesets_;
  size_t ruleset_count_ = 0;
  std::vector<Limit> limits_;
  std::vector<sock_filter> filter_;
  sock_fprog program_{};
  bool drops_capabilities_ = false;
  bool scopes_signals_ = false;
  bool counts_processes_ = false;
};

}  // namespace grapnel::os
