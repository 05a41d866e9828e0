#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The tables of `harmless.h`: which words of which programs change nothing.
namespace grapnel::call {

/// What else has to be true of the words.
enum class Check : uint8_t {
  None,
  Sed,      ///< the script only prints and edits what is printed
  Awk,      ///< the program has no output but standard output
  Find,     ///< the expression only looks
  Format,   ///< operands start with `+`: `date +%F`
  Version,  ///< nothing but a question for the version
  List,     ///< operands only together with an option that makes it a list: `git
            ///< branch --list x`
  Get,      ///< one operand, or an option that makes it a question: `git config
            ///< user.name`
  Names,    ///< operands are names of variables in lower case: `read line`
  Local,    ///< no operand names another machine: `tar tf host:a.tar`
  Plain,    ///< no operand is a file with more options: `nm @file`
};

/// A program and the words that it may have.
struct HarmlessRow {
  std::string_view program;       ///< with the words of its subcommand
  std::string_view letters = "";  ///< of short options; "*": all
  std::string_view longs = "";    ///< long options, a space around each; "*": all
  int max_operands = 1000;
  Check check = Check::None;
  std::string_view needs = "";  ///< options of which one has to be there, a space around each
};

/// Programs that change nothing, whatever their words.
std::span<const std::string_view> always_harmless();

std::span<const HarmlessRow> harmless_rows();

}  // namespace grapnel::call
