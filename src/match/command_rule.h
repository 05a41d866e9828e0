#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A pattern over shell commands, as permission rules write them: `git push *`, `npm run*`, `rm:*`.
///
///   *            any text, also spaces and slashes
///   a trailing ` *` or `:*` ends at a word: `git push *` fits `git push` and `git push -f`, not `git pushd`
///   without a *  the whole command
///
/// The subject is a command line. Each of its simple commands is tested, with leading assignments taken off, and so are
/// those inside `$( )`, `<( )` and backticks. What a command does that is only known when the shell runs it (its name
/// or arguments come from an expansion) or a line that cannot be read (open quotes, here-documents) counts as a match:
/// who asks wants to know whether a guard can be left out.
namespace grapnel::match {

class CommandRule {
 public:
  explicit CommandRule(std::string_view pattern);

  bool matches(std::string_view line) const;
  /// The other way round, for who grants by it: every command of the line fits, nothing depends on an expansion or
  /// a variable set in front, and no file is redirected to unless the pattern names it.
  bool covers(std::string_view line) const;

 private:
  bool fits(std::string_view command) const;
  bool may_fit(std::string_view command) const;

  std::vector<std::string> parts_;  ///< the texts around each `*`
  std::string name_;                ///< the first word
  bool ends_at_word_ = false;
  bool is_name_only_ = false;  ///< it says nothing about arguments
  bool redirects_ = false;     ///< it names a redirection itself
};

/// The simple commands of a line.
struct SplitLine {
  struct Command {
    std::string text;
    bool expands = false;  ///< what it is depends on an expansion
    bool assigns = false;  ///< variables are set for it
  };
  std::vector<Command> commands;
  bool is_clear = true;  ///< the whole line was understood
};
SplitLine split_commands(std::string_view line);

}  // namespace grapnel::match
