#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.h"

/// The guards that are off as long as nobody does something about it: hooks of the project that are not trusted, hook
/// files that are broken or gone, entries with mistakes.
namespace grapnel {

/// One cause, for people. Two causes with the same key are the same one, whatever their texts.
struct GuardOff {
  std::string key;  ///< "" if it is never the same one
  std::string text;
};

/// Whether there may be a cause. Cheap: usually there is none.
bool may_be_off(const Snapshot& snapshot);
std::vector<GuardOff> off_guards(const Snapshot& snapshot, const std::string& project_dir, const std::string& home);

}  // namespace grapnel
