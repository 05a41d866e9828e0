#pragma once

#include <string>
#include <vector>

#include "call/call.h"

/// What commands do, looked up in a table of programs and options.
///
///   readonly     changes nothing; only for programs known to be harmless
///   writes       changes files or other state on this machine
///   network      talks to other machines
///   destructive  loses data that cannot be recovered: rm, dd, mkfs, `git reset --hard`, `git push --force`, `>
///   /dev/sda`
///
/// A program without a row may write and may use the network (`Maybe`), but is not called destructive: otherwise every
/// unknown tool would look dangerous. A command whose program is dynamic may be anything.
namespace grapnel::call {

/// One answer for each effect. `readonly` follows from the others: it is `Yes` when all of them are `No`.
struct Effects {
  Certainty readonly = Certainty::Yes;
  Certainty writes = Certainty::No;
  Certainty network = Certainty::No;
  Certainty destructive = Certainty::No;

  bool operator==(const Effects&) const = default;
};

/// The effects of one command. What a wrapper runs is a separate command with its own effects.
Effects effects_of(const SimpleCommand& command);

/// The effects of all commands together. An unclear text may have any effect.
Effects effects_of(const ParsedCommand& parsed);

/// A word that names a file, as far as that can be said without knowing every program's options.
struct PathUse {
  Word path;
  bool is_written = false;  ///< target of a redirection, or operand of a program that writes or may write

  bool operator==(const PathUse&) const = default;
};

/// The file operands of all commands, the values of `--option=path` that contain a slash, and the targets of
/// redirections. Operands of echo, printf and similar programs are not files, nor are the patterns of grep and sed.
/// Commands on other machines (`ssh`) name no files here.
std::vector<PathUse> paths_of(const ParsedCommand& parsed);

}  // namespace grapnel::call
