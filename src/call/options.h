#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "call/call.h"

/// Which options of a program take a value.
///
/// Everybody who reads the words of a command has to know that in `timeout -s KILL 5 rm` the word `KILL` belongs to
/// `-s`. All of them ask here: this is the only table about values of options. A test compares the rows with what the
/// programs themselves print for `--help`.
namespace grapnel::call {

/// The options of a program, or of one of its subcommands.
struct OptionRow {
  std::string_view program;        ///< `timeout`; `git push` for a subcommand
  std::string_view letters = "";   ///< of the short options that take a value, attached or as the next word
  std::string_view longs = "";     ///< of the long options that take one, without dashes; " * ": all but `flags`
  std::string_view flags = "";     ///< long options without a value, for those programs whose list is complete
  bool has_long_letters = false;   ///< long options have one dash (`find -delete`), and there are no bundles
  std::string_view attached = "";  ///< letters whose value is never the next word: `gawk -dFILE`
};

/// The row of the program with this subcommand, or else the one of the program; null when there is neither.
const OptionRow* find_options(std::string_view program, std::string_view subcommand = "");
/// The row for this command, by its program and its subcommand.
const OptionRow* find_options(const SimpleCommand& command);

/// One word of a command, read as an option.
struct OptionUse {
  std::string name = "";                     ///< `-o` or `--output`, abbreviations completed; of a bundle, the last one
  size_t value_at = std::string_view::npos;  ///< where in the word an attached value begins
  bool takes_next = false;                   ///< the next word is its value
};

/// Whether the value of such an option is text for people, a pattern or code, whatever the program: `--message`.
bool takes_text(std::string_view option);

/// Whether the name is in the list.
inline bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}
/// Whether the name is in the text, in which each name has a space on both sides.
bool has_name(std::string_view names, std::string_view name);

/// Whether the text is an option: a dash, and something behind it.
bool is_option(std::string_view text);

/// Reads the word as an option of this program. Of a program without a row, an option takes no value from the next
/// word.
OptionUse read_option(const OptionRow* row, std::string_view text);

/// The option that `given` (without dashes) stands for: itself, or the only one that it abbreviates. "" if there is
/// none.
std::string_view complete_long(const OptionRow& row, std::string_view given);

}  // namespace grapnel::call
