#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/registry.h"

namespace grapnel {

/// A hook as its new file will have it.
struct TargetHook {
  const HookSpec* source = nullptr;
  std::string event;                   ///< as files spell it
  std::bitset<kEventKindCount> kinds;  ///< those of its event that the source listens to
  std::string group_name;
  bool sequential = false;
  Json matcher;
  Json entry;
};

struct ConvertedHook {
  std::vector<TargetHook> hooks;  ///< none when it cannot be said at all, several when one event became two
  std::vector<std::string> losses;
};

/// One hook in another dialect: what its table has a key for is written, the rest is listed.
ConvertedHook convert_hook(const HookSpec& spec, const Dialect& to);

/// How failures of a hook are spelled in a dialect, or "".
std::string_view failure_word(const Dialect& dialect, OnFailure meaning);

/// The hook's name when somebody gave it one, "" when it is called like its command.
std::string given_name(const HookSpec& spec);

/// Whether a text uses a shell variable, `$NAME` or `${NAME…`.
bool uses_variable(std::string_view text, std::string_view name);

/// The command as one line for a shell.
std::string command_line_of(const CommandHandler& handler);

}  // namespace grapnel
