#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "call/call.h"

/// The tables of `file_roles.h`: which files programs use.
namespace grapnel::call {

/// What a program does with its operands.
enum class Operands : uint8_t {
  Read,
  Written,
  LastWritten,   ///< `cp a b`: all but the last are read, unless an option names the target
  LastOfTwo,     ///< `uniq in out`: only if there are two
  FirstWritten,  ///< `zip out in`
  None,          ///< they are no files: echo
};

/// The files of a program. A row with a subcommand is for that subcommand alone.
struct FileRow {
  std::string_view program;
  Operands operands = Operands::Read;
  std::string_view outputs = "";  ///< options whose value is written, a space around each
  bool is_pattern_first = false;  ///< the first operand is a pattern, a script or a mode
};

/// The row of the program with its subcommand, or else the one of the program; null when there is neither.
const FileRow* find_files(const SimpleCommand& command);

/// Whether the name of an option or a variable says that something is written where its value is: `--destdir`,
/// `INSTALL_PREFIX`.
bool names_target(std::string_view name);

/// Whether the value of this option of the program is no file.
bool is_text_letter(std::string_view program, char letter);

/// Programs that write a file of the machine without naming it, with the words that make them do it.
struct SystemFileRow {
  std::string_view program;
  std::string_view word;  ///< one of the words, or how it starts; "" for any
  std::string_view file;
};
std::span<const SystemFileRow> system_files();

/// The options with which a program changes its directory before it runs a command, or works on files, a space around
/// each; "" for none.
std::string_view directory_options(std::string_view program);

}  // namespace grapnel::call
