#pragma once

#include <string_view>

#include "call/call.h"

/// What commands do, looked up in a table of programs and options.
///
///   readonly     changes nothing; only for programs and options that are known to be harmless (`harmless.h`)
///   writes       changes files or other state on this machine
///   network      talks to other machines
///   destructive  loses data that cannot be recovered: rm, dd, mkfs, `git reset --hard`, `git push --force`, `>
///   /dev/sda`
///
/// A program without a row may write and may use the network (`Maybe`), but is not called destructive: otherwise every
/// unknown tool would look dangerous. A command whose program is dynamic may be anything.
namespace grapnel::call {

/// One answer for each effect. `readonly` is `Yes` only when all the others are `No` and the command is in the list of
/// those that change nothing.
struct Effects {
  Certainty readonly = Certainty::Yes;
  Certainty writes = Certainty::No;
  Certainty network = Certainty::No;
  Certainty destructive = Certainty::No;

  bool operator==(const Effects&) const = default;
};

/// The effects of one command. What a wrapper runs is a separate command with its own effects.
Effects effects_of(const SimpleCommand& command);

/// The same by the program, its subcommand and its options alone, without a look at the files that it names.
Effects effects_by_table(const SimpleCommand& command);

/// The effects of all commands together. An unclear text may have any effect.
Effects effects_of(const ParsedCommand& parsed);

/// Whether the tables have the program.
bool is_known_program(std::string_view program);

/// Whether a redirection writes a file: neither a copy of a descriptor nor one of the devices that keep nothing.
bool writes_file(const Redirection& redirection);
/// `2>&1` duplicates a descriptor; it names no file.
bool is_duplicate(const Redirection& redirection);

}  // namespace grapnel::call
