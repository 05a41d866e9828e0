#pragma once

#include <string_view>
#include <vector>

/// What the tables know about the options of programs; `has_flag` (`words.h`) uses it.
namespace grapnel::call {

/// All spellings of an option of this program, including `flag` itself: `-r`, `-R`, `--recursive` for rm.
std::vector<std::string_view> spellings_of(std::string_view program, std::string_view flag);
/// The same for whatever program.
std::vector<std::string_view> spellings_of(std::string_view flag);

/// Whether the program's options are words behind one dash (`find -delete`), so that `-rf` is not a bundle of letters.
bool has_long_single_dash(std::string_view program);

/// The letters of options that take a value. The value may be attached (`-ofile`), so the characters behind such a
/// letter are not options.
std::string_view valued_letters(std::string_view program);

/// Completes an abbreviated long option, as GNU programs do. Returns false when the program's options are not in the
/// table. Otherwise `full` is the option that `given` stands for, or "" when none or several start with it.
bool complete_option(std::string_view program, std::string_view given, std::string_view& full);

}  // namespace grapnel::call
