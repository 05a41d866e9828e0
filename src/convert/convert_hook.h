#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/registry.h"

/// Translates one hook, key by key, with the help of the dialects' tables. convert.cc then puts the hooks of all files
/// together.
namespace grapnel {

/// A hook as it will be in its new file.
struct TargetHook {
  const HookSpec* source = nullptr;
  std::string event;                   ///< as files of the target spell it
  std::bitset<kEventKindCount> kinds;  ///< the kinds of this event that the source listens to
  std::string group_name;
  bool sequential = false;
  Json matcher;
  Json entry;
};

/// The result for one hook. Losses are sentences for people.
struct ConvertedHook {
  std::vector<TargetHook> hooks;  ///< empty if the target cannot express it; several if one event became two
  std::vector<std::string> losses;
};

/// Converts one hook. Everything for which the target's table has a key is written, and the rest is listed as a loss.
ConvertedHook convert_hook(const HookSpec& spec, const Dialect& to);

/// The dialect's word for a failure policy, or "".
std::string_view failure_word(const Dialect& dialect, OnFailure meaning);

/// The hook's name if somebody gave it one; "" if it is only named after its command.
std::string given_name(const HookSpec& spec);

/// Whether a text uses a shell variable, as `$NAME` or `${NAME…`.
bool uses_variable(std::string_view text, std::string_view name);

/// The command and its arguments as one line for a shell.
std::string command_line_of(const CommandHandler& handler);

}  // namespace grapnel
