#pragma once

#include <vector>

#include "call/call.h"

/// Which words of a command are files, and what happens to them.
///
/// `cp /etc/hosts build/h` reads one file and writes another, and a rule about writes below `/etc` must know which. So
/// a table says for each program which operands and which options name files that it writes; all others are read. Of a
/// program that is in no table, every operand may be written.
namespace grapnel::call {

/// A word that names a file, as far as that can be said without knowing every program's options.
struct PathUse {
  Word path;
  bool is_written = false;   ///< target of a redirection, or of a program that writes or may write
  bool is_guess = false;     ///< nobody knows whether the program writes it
  bool is_anywhere = false;  ///< an archive says which files these are, and they may be any: `tar -P`

  bool operator==(const PathUse&) const = default;
};

/// The files that the commands name: operands, values of options in all their spellings (`-o/etc/x`, `--data @file`),
/// and the targets of redirections. Operands of echo, printf and similar programs are not files, nor are the patterns
/// of grep and sed. Commands on other machines (`ssh`) name no files here.
std::vector<PathUse> paths_of(const ParsedCommand& parsed);

/// The directories that commands go to before they do anything: `cd x`, `env -C x cmd`, `sudo -D x cmd`. A target that
/// is not known is a word with a gap.
std::vector<Word> directories_of(const ParsedCommand& parsed);

}  // namespace grapnel::call
