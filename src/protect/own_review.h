#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"

/// Commands that are directed against Grapnel itself rather than against one of its files: its own verbs for people,
/// ending its processes, taking it off the machine, variables that redirect it, another agent without hooks.
namespace grapnel::protect {

/// Whether the base name of a program is one of Grapnel's programs.
bool is_own_program(std::string_view base_name);

/// The names of Grapnel's programs.
std::vector<std::string_view> own_programs();

/// The environment variables that say where agents and Grapnel look for hooks, apart from `HOME` and `XDG_*`.
const std::vector<std::string_view>& place_variables();

/// Whether a text names Grapnel and, a few words further on, a verb for people. That may be code of any language.
bool names_verb_for_people(std::string_view text);

/// Whether the word is a verb that hardly any other program has together with Grapnel's name in the text.
bool is_verb_of_ours(std::string_view word);

/// Whether the name of a program is a glob that fits one of ours: `g?apnel`.
bool fits_own_program(const std::string& glob);

/// Whether the text names Grapnel, one of the variables above or a switch of an agent's hooks. What is harmless to
/// write into a start file of a shell is not harmless with one of these.
bool mentions_guards(std::string_view text);

/// Why this command of the text is for people only; "" if it is not. `runs_own` says that its program is Grapnel under
/// another name (a link).
std::string concern_about_own(const shell::SimpleCommand& command, std::string_view text, bool runs_own);

/// Whether the command only shows its words or keeps them as text, so that nothing in them is run.
bool only_tells(const shell::SimpleCommand& command);

}  // namespace grapnel::protect
