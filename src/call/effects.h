#pragma once

#include <string>
#include <vector>

#include "call/call.h"

/// What commands do, by a table of programs and options.
///
///   readonly     changes nothing; only programs known for it
///   writes       changes files or state here
///   network      talks to other machines
///   destructive  loses what cannot be had back: rm, dd, mkfs, `git reset --hard`, `git push --force`, `> file`
///
/// A program that no row knows may write and may use the network; it is not called destructive. An unknown command
/// may be anything.
namespace grapnel::call {

struct Effects {
  Certainty readonly = Certainty::Yes;
  Certainty writes = Certainty::No;
  Certainty network = Certainty::No;
  Certainty destructive = Certainty::No;

  bool operator==(const Effects&) const = default;
};

Effects effects_of(const SimpleCommand& command);

/// Of all the commands together.
Effects effects_of(const ParsedCommand& parsed);

/// A word that names a file, as far as can be told without knowing every program's options.
struct PathUse {
  Word path;
  bool is_written = false;  ///< redirected to, or an operand of a program that writes

  bool operator==(const PathUse&) const = default;
};

/// File operands (not of echo, printf and the like, nor patterns of grep and sed), values of `--option=path` that
/// hold a slash, and redirection targets. Of commands on other machines: none.
std::vector<PathUse> paths_of(const ParsedCommand& parsed);

}  // namespace grapnel::call
