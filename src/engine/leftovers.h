#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grapnel/decision.h"

#include "engine/off_guards.h"

/// Processes that hooks left running when they ended by themselves. People are told once in a session, and `grapnel
/// status` lists them. The list is a private file, one JSON object in each line; what has ended is dropped from it.
namespace grapnel {

struct KnownLeftover {
  std::string hook;
  std::string time;
  HookLeftover process;
};

/// Adds what a hook has left behind. A list that cannot be written is not worth a failure: the record has it, too.
void add_leftovers(const std::string& path, const std::string& hook, const std::vector<HookLeftover>& left);

/// Those that still run.
std::vector<KnownLeftover> running_leftovers(const std::string& path);

/// What has to be told about them.
std::vector<GuardOff> told_leftovers(const std::string& path);
/// The same about one hook that has just ended.
GuardOff told_leftover(const std::string& hook, const std::vector<HookLeftover>& left);

}  // namespace grapnel
