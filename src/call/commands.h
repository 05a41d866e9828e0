#pragma once

#include <string_view>

#include "call/call.h"

namespace grapnel::call {

/// Every simple command anywhere in `text`: in pipelines, lists, subshells, groups, conditions, loops, functions and
/// substitutions, and inside whatever a known wrapper runs (`sudo`, `xargs`, `bash -c`, `find -exec`, `ssh`, a
/// here-document fed to a shell). The list contains the wrapper itself, followed by what it runs.
///
/// Code that cannot be read, because it is not shell code or comes from elsewhere (`python -c`, `curl … | sh`), appears
/// as the unknown command: its only word is a gap. Never fails: text that is not understood sets `is_unclear`. Thread:
/// any. `known` are variables whose values are known unless the text changes them.
ParsedCommand commands_of(std::string_view text, const shell::Variables* known = nullptr);

}  // namespace grapnel::call
