#pragma once

#include <string_view>
#include <vector>

/// What is known of programs' options.
namespace grapnel::call {

/// Other spellings of an option of a program, itself included: `-r`, `-R`, `--recursive` for rm.
std::vector<std::string_view> spellings_of(std::string_view program, std::string_view flag);

/// The program's options are words behind one dash (`find -delete`): letters are not bundled.
bool has_long_single_dash(std::string_view program);

/// Letters of options that take a value, which may be attached (`-ofile`); nothing behind them is a letter.
std::string_view valued_letters(std::string_view program);

/// The long option that `given` abbreviates among the program's own; "" when none or several do. False: the
/// program's options are not known.
bool complete_option(std::string_view program, std::string_view given, std::string_view& full);

}  // namespace grapnel::call
