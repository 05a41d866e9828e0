#pragma once

#include <cstdint>

#include "shell/parse.h"

/// call: the one understanding of what a tool call does.
///
/// A tool call is a tool's name and an input. What it does is in there, but seldom in so many words: a shell command
/// hides a program behind `sudo`, `env`, `bash -c`, quotes or a path; a patch names files in its headers; the same file
/// has many names. Everybody who has to decide about calls (rules, permission rules, self-protection, trust, the
/// runner) asks here, so that all of them get the same answer.
///
///   commands.h         text ──▶ every simple command in it, wrappers seen through
///   words.h            does a command start with these words, has it that option?
///   effects.h          what a command does (reads, writes, network, loses data), and the files it names
///   patch.h            the files that a patch is about
///   path_name.h        the many names of one file
///   tool_call.h        an event's tool call with all of the above, worked out as far as it is asked for
///   command_pattern.h  `git push *`: the part of a permission rule that is about commands
///   permission_rule.h  `Bash(git push *)`: a tool and a pattern over its command or path
///   hook_command.h     a hook's own command: the words it mentions, and whether it needs a shell
///
/// The ground below is `src/shell`, which knows the language of shells and nothing of programs: it cuts a text into
/// simple commands. What programs do with their words (that `sudo` runs them, that `-C` of git takes a directory) is
/// known here alone. Since a script inside `bash -c '…'` has to be read by the same parser again, `shell::parse` is
/// handed a function that says what a command runs; `commands_of` is the two of them together.
///
/// Doubt is an answer. What only the running shell knows (variables, substitutions, text the grammar does not
/// understand) is `Maybe`: enough to deny, to ask or to run a guard, never enough to allow.
namespace grapnel::call {

enum class Certainty : uint8_t { No, Maybe, Yes };

using shell::Assignment;
using shell::base_name;
using shell::ParsedCommand;
using shell::Redirection;
using shell::SimpleCommand;
using shell::Word;

}  // namespace grapnel::call
