#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "call/call.h"
#include "call/mention.h"

/// What a command text may mean beyond what it says.
///
/// `Maybe` is the answer where only the running shell knows: `$X`, `xargs`, a text that the parser gave up on. Taken by
/// itself, such an answer is nearly always wrong: `find . -name '*.py' -exec wc -l {} +` *may* read `.env`, as every
/// command with a variable may. So a `Maybe` counts only if something in the text points to what the question is about:
/// a word of it anywhere in the text, pieces it can be put together from (`A=r; B=m; $A$B`), or a decoder whose output
/// nobody can foresee. Values of variables that the text uses and the environment has are part of the text, and so is
/// what its words are when a shell reads them once more (`second_reading.h`).
namespace grapnel::call {

class Doubt {
 public:
  /// `again` are the commands of the second reading, if there is one. `env` may be null.
  Doubt(std::string_view text, const ParsedCommand& parsed, const std::vector<SimpleCommand>& again,
        const Environment* env);
  Doubt(const Doubt&) = delete;
  Doubt& operator=(const Doubt&) = delete;

  /// What points to a command that starts with these words: a word of it or for it, or "" if nothing does.
  std::string may_run(const std::vector<std::string>& pattern) const;
  bool may_have_flag(std::string_view flag) const;
  bool may_destroy() const { return mentions_.destruction(); }
  bool may_use_network() const { return mentions_.network(); }
  /// Whether code may run that neither the text nor anything on this machine shows: the text decodes something, or gets
  /// something from another machine.
  bool may_hide_code() const { return may_hide_code_; }
  /// What points to a file that the glob matches: a part of the glob, or "" if nothing does.
  std::string may_name(std::string_view glob) const;

 private:
  bool can_build(std::string_view word) const;
  bool can_bundle(std::string_view flag) const;

  std::string text_;       ///< everything that may be meant; `mentions_` points into it
  std::string flag_text_;  ///< the same without options that surely belong to some program
  Mentions mentions_;
  Mentions flag_mentions_;
  bool may_hide_code_ = false;
  std::vector<std::string> pieces_;
};

/// Whether a command of the text decodes something, so that words may appear that the text does not show.
bool decodes_text(const ParsedCommand& parsed);

/// Whether the command stands for code that nothing in the text shows: a download, a file, the output of a program.
bool is_unseen_code(const SimpleCommand& command);

/// Whether the program is named by a path of which only a part of the last name is unknown: `/bin/r?`.
bool names_program_file(const SimpleCommand& command);

/// Whether the name of the program is text that other programs of the same text put together: `$(sed s/x// <<< rxm)`.
bool makes_own_name(const SimpleCommand& command, const ParsedCommand& parsed);

/// Whether it may be such text by a way that is not followed: a variable, or a text that another command runs.
bool has_edited_name(const SimpleCommand& command, const ParsedCommand& parsed);

}  // namespace grapnel::call
