#pragma once

#include "call/call.h"

/// Which commands change nothing, whatever happens: the list behind `effect: readonly`.
///
/// It is a list of what is allowed, program by program and option by option. A program that is not in it, an option
/// that is not in its row, an operand that the row does not expect: each of them is enough for a no. So a new option
/// that writes a file, or an abbreviation of a known one, is never approved by accident.
namespace grapnel::call {

/// Whether the command only reads, with these words. What a wrapper runs is a command of its own. Whether the program
/// is the one that it is called like is not asked here (`program_place.h`).
bool is_harmless(const SimpleCommand& command);

}  // namespace grapnel::call
