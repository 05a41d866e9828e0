#pragma once

#include <string_view>

#include "call/call.h"

namespace grapnel::call {

/// Every simple command anywhere in `text`: in pipelines, lists, subshells, groups, conditions, loops, functions and
/// substitutions, and inside what known wrappers run (`sudo`, `xargs`, `bash -c`, `find -exec`, `ssh`, here-documents
/// fed to a shell). A wrapper is in the list itself, and what it runs follows it. Code that cannot be read, since it is
/// not a shell's or comes from elsewhere (`python -c`, `curl … | sh`), appears as a command whose one word is nothing
/// but a gap. Never fails: what is not understood is marked. Thread: any.
ParsedCommand commands_of(std::string_view text);

}  // namespace grapnel::call
