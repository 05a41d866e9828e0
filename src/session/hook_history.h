#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/session_store.h"

#include "model/hook_spec.h"

/// What a session remembers of single hooks: which ran once, which closed a gate how often, with which files one
/// passed, which text was injected.
namespace grapnel {

/// How a session names a hook.
std::string session_key(const HookSpec& hook);

/// What hooks of one event leave behind, gathered while they run.
class HookHistory {
 public:
  /// Why the session keeps the hook from running; nothing when it does not. `is_gate` says that the event is one.
  std::optional<std::string> reason_to_skip(const HookSpec& hook, const SessionState& session, bool is_gate,
                                            const std::string& project);
  /// Whether a text that is injected once is still to be injected.
  static bool is_injected(const HookSpec& hook, const Inject& inject, const SessionState& session);

  /// A hook ran.
  void add(const HookSpec& hook, Verdict verdict, bool failed);

  bool empty() const { return ran_.empty(); }
  void apply(SessionState& session, bool is_gate) const;

 private:
  struct Ran {
    const HookSpec* hook;
    Verdict verdict;
    bool failed;
  };
  std::map<const HookSpec*, std::string> digests_;  ///< of the files, before the hook ran
  std::vector<Ran> ran_;
};

/// After a compaction the model does not have what was injected before it.
void forget_injected(SessionState& session);

/// A digest of the files below `project` that match, by name, size, inode and time; "" when they are too many.
/// Limit: 50,000 directory entries. Repositories' own directories and installed packages are left out.
std::string digest_files(const std::vector<Matcher>& patterns, const std::string& project);

}  // namespace grapnel
