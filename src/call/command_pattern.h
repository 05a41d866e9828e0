#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"

namespace grapnel::call {

/// A pattern over shell commands, as permission rules write them: `git push *`, `npm run*`, `rm:*`.
///
///   *            any text, also spaces and slashes; in quotes it is itself
///   a trailing ` *` or `:*` ends at a word: `git push *` fits `git push` and `git push -f`, not `git pushd`
///   without a *  the whole command
///   > log        a redirection, which a pattern has to name before it can allow one
///
/// Patterns are compared with words after quote removal, so that `g"i"t push` is `git push`. A pattern is asked in one
/// of two ways.
///
/// `matches` is for whoever denies, asks, or has to know whether a guard may be left out: is one of the commands such a
/// one? All commands count, also those that wrappers run and those inside substitutions; the program is compared by its
/// base name (unless the pattern has a slash), options in front of a subcommand are skipped (`git -C . push`), and
/// options that the pattern names are found however they are spelled. What only the running shell knows is `Maybe`.
///
/// `covers` is for whoever allows: is the line nothing but such commands? Each command that the text itself has must
/// fit just as it is written: no path in front of the program, no wrapper (unless the pattern names the wrapper; then
/// what it runs is its business), no variables set, nothing dynamic, no redirection that the pattern does not name, no
/// loops, conditions or functions.
///
/// Immutable. Thread: any.
class CommandPattern {
 public:
  explicit CommandPattern(std::string_view pattern);

  Certainty matches(const ParsedCommand& parsed) const;
  bool covers(const ParsedCommand& parsed) const;

 private:
  Certainty matches_one(const SimpleCommand& command) const;
  bool covers_one(const SimpleCommand& command) const;
  Certainty fits(std::string_view command) const;

  std::string text_;                ///< words and redirections with a mark between them, and a mark for each `*`
  std::vector<std::string> words_;  ///< the same for `matches_command`; empty when it cannot say it
  size_t redirections_ = 0;
  bool ends_at_word_ = false;
  bool has_path_ = false;  ///< the program is written with a slash
};

}  // namespace grapnel::call
