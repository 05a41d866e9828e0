#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

namespace grapnel {

/// A hook file that counts for nothing as it is, although it may have guarded something before. Its hooks must not
/// disappear in silence: an earlier version holds instead, or the policy `on_broken_config` decides, and people are
/// told.
struct BrokenFile {
  /// `Unreadable`: it cannot be read or understood as a whole. `Emptied`: it was read, but has none of the hooks that
  /// it had. `Gone`: it does not exist any more.
  enum class State : uint8_t { Unreadable, Emptied, Gone };
  State state = State::Unreadable;
  SourcePos at;
  std::string why;
  Scope scope = Scope::User;
  std::string project = {};    ///< the name of its project in the trust store; "" if it is not a project's
  std::string good_name = {};  ///< the name under which its good versions are kept
  std::string good_from = {};  ///< when the version was saved that holds instead; "": none does
  uint32_t good_hooks = 0;     ///< how many hooks the last good version has
  bool was_trusted = true;     ///< it is the user's own file, or hooks of it were trusted. False: nothing is lost
};

/// All configured hooks, in the order in which they run, and all mistakes in their files. Immutable once it is built;
/// all events share it until files change.
struct Registry {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  std::vector<BrokenFile> broken;
  std::string digest;  ///< over all definitions, switches and problems, in order
};

}  // namespace grapnel
