#pragma once

#include <cstdint>

#include "shell/parse.h"

/// call: answers one question for everybody, "what does this tool call do?"
///
/// A tool call is the name of a tool and an input. The input rarely says plainly what will happen: a shell command
/// hides a program behind `sudo`, `env`, `bash -c`, quotes or a path; a patch names its files in header lines; one file
/// has many names. Rules, permission rules, self-protection, trust and the runner all have to know, so they all ask
/// here and get the same answer.
///
///   commands.h         text ──▶ every simple command in it, including those that wrappers run
///   words.h            does a command start with these words, does it have that option?
///   effects.h          what a command does (reads, writes, network, destroys) and which files it names
///   mention.h          what code in other languages mentions
///   doubt.h            whether something in the text points to what is asked for
///   reach.h            files that a command uses without naming them
///   git_index.h        the files that git tracks
///   patch.h            the files that a patch is about
///   path_name.h        the many names of one file
///   tool_call.h        an event's tool call; offers all of the above and computes it on first use
///   command_pattern.h  `git push *`: the part of a permission rule that is about commands
///   permission_rule.h  `Bash(git push *)`: a tool and a pattern over its command or path
///   hook_command.h     a hook's own command: the words it mentions, and whether it needs a shell
///
/// The model. A command text becomes a `ParsedCommand`: a flat list of `SimpleCommand`s, each of them one program with
/// its words, assignments and redirections. `sudo bash -c 'rm -rf x | tee log'` gives four: `sudo …`, `bash -c …`, `rm
/// …` and `tee …`. Each inner command lists the wrappers around it. Nesting is gone, so a question about a command is a
/// loop.
///
/// Some things are known only to the shell that runs the text. Four terms describe them; the first three are fields:
///
///   dynamic  A word is dynamic when its final text is not known: it contains a *gap* (`$X`, `$(…)`) or characters that
///            look like others. `rm $X` has a known program and a dynamic operand; `$X -rf` has a dynamic program.
///   open     A command is open (`is_open`) when it gets more words than the text shows, as with `xargs rm`.
///   unclear  A text is unclear (`is_unclear`) when the parser did not understand all of it, or it exceeds a limit.
///   There
///            may be commands in it that the list does not have.
///   unknown  The unknown command stands for code that cannot be read: `python -c …`, `curl … | sh`. It has one word,
///            which is nothing but a gap, and it is open, so it may be any command.
///
/// Answers therefore have three values (`Certainty`): `Yes`, `No` and `Maybe`. Doubt is an answer of its own, and what
/// it leads to depends on who asks:
///
///   deny, ask, run a guard   ask "is there *some* command like this?"; `Maybe` is enough if something in the text
///                            points to it (`doubt.h`). `$X -rf /; echo rm` may be `rm`, so a rule against `rm` is in
///                            doubt, and does what its `unsure` says.
///   allow                    asks "is *every* command like this?"; only `Yes` is enough. One dynamic, open or unclear
///                            part takes the permission away.
///
/// Functions that answer for one side only say so, for example
/// `CommandPattern::matches` (deny) and `covers` (allow), or `PermissionRule::may_hold` and `surely_holds`.
///
/// The layer below is `src/shell`. It knows the language of shells but no programs: it splits a text into simple
/// commands. What programs do with their words (that `sudo` runs them, that git's `-C` takes a directory) is known only
/// here. A script inside `bash -c '…'` has to go through the same parser again, so `shell::parse` takes a callback that
/// tells what a command runs (`wrappers.h`); `commands_of` combines the two.
namespace grapnel::call {

/// Ordered, so that `std::max` combines answers of which one suffices, and `std::min` answers that all have to be true.
enum class Certainty : uint8_t { No, Maybe, Yes };

using shell::Assignment;
using shell::base_name;
using shell::ParsedCommand;
using shell::Redirection;
using shell::SimpleCommand;
using shell::Word;

}  // namespace grapnel::call
