#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/session_store.h"

#include "model/hook_spec.h"

/// What a session remembers about single hooks: whether a `once` hook already ran, how often a hook closed a gate, the
/// state of the files with which a hook last passed, and which texts were already injected.
///
/// While the hooks of an event run, `HookHistory` collects their results. `apply` writes them to the session's state at
/// the end of the event.
namespace grapnel {

/// Why a hook is skipped that has closed a gate as often as its `max_blocks` allows.
inline constexpr std::string_view kWornOut = "it reached its limit of blocks for this turn";

/// The key of a hook in the session's state.
std::string session_key(const HookSpec& hook);

/// The results of one event's hooks, as far as later events depend on them.
class HookHistory {
 public:
  /// Why the session's history keeps the hook from running; nullopt when the hook may run. `is_gate` says whether the
  /// event is a gate.
  std::optional<std::string> reason_to_skip(const HookSpec& hook, const SessionState& session, bool is_gate,
                                            const std::string& project);
  /// Whether a text that is injected only once was already injected.
  static bool is_injected(const HookSpec& hook, const Inject& inject, const SessionState& session);

  /// Notes that a hook ran. Hooks on which nothing depends later are not kept.
  void add(const HookSpec& hook, Verdict verdict, bool failed);

  bool empty() const { return ran_.empty(); }
  /// Writes the collected results to the state.
  void apply(SessionState& session, bool is_gate) const;

 private:
  struct Ran {
    const HookSpec* hook;
    Verdict verdict;
    bool failed;
  };
  std::map<const HookSpec*, std::string> digests_;  ///< state of the files before the hook ran
  std::vector<Ran> ran_;
};

/// Forgets the texts that are injected once per compaction, because the model no longer has them afterwards.
void forget_injected(SessionState& session);

/// A digest of the files below `project` that match, from their names, sizes, inodes and times. Returns "" when the
/// project has too many files or cannot be read. Limit: 50,000 directory entries. `.git` and `node_modules` are left
/// out.
std::string digest_files(const std::vector<Matcher>& patterns, const std::string& project);

}  // namespace grapnel
