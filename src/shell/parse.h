#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Shell commands as a shell sees them.
///
///   text ──▶ syntax (grammar) ──▶ words (quotes, braces, variables) ──▶ simple commands
///
/// `parse` returns a flat list of all simple commands anywhere in the text: in pipelines, lists, subshells, groups,
/// conditions, loops, functions and substitutions. This folder knows the language of shells, but no programs. That
/// `sudo` and `bash -c` run other commands is known to `src/call`, which gives `parse` a function that says what a
/// command runs. The parser then reads that text, or takes those words, in the same way. Both the wrapper and the
/// commands that it runs are in the list.
///
/// Some parts of a text are only known to the running shell; they are called *dynamic*. A word has gaps in the places
/// of unknown text, and a command may get more words than the text shows (`is_open`).
///
/// Everything here is pure. Thread: any.
namespace grapnel::shell {

/// A word after quote removal.
struct Word {
  std::string text;          ///< the known part
  std::vector<size_t> gaps;  ///< offsets in `text` at which unknown text is missing, ascending
  bool splits = false;       ///< a gap may contain word breaks, or make the word vanish
  bool has_glob = false;     ///< `*`, `?` or `[…]` stood outside quotes
  bool is_odd = false;       ///< contains invisible characters, or letters that look like others
  size_t begin = 0;          ///< where it stands in the source…
  size_t end = 0;            ///< …and ends; 0 if it is not one word there

  /// Whether it is unknown what the word is when the command runs.
  bool is_dynamic() const { return !gaps.empty() || is_odd; }
  bool operator==(const Word&) const = default;
};

/// Variables whose value is known.
using Variables = std::map<std::string, std::string, std::less<>>;

/// `NAME=value` in front of a command, or alone.
struct Assignment {
  std::string name;
  Word value;
  bool operator==(const Assignment&) const = default;
};

/// `> file`. For here-documents and here-strings (`<<`, `<<<`), the target is their text.
struct Redirection {
  std::string op;
  Word target;
  bool operator==(const Redirection&) const = default;
};

/// One program with its words.
struct SimpleCommand {
  std::vector<Word> words;  ///< empty when there are only assignments or redirections
  std::vector<Assignment> assignments;
  std::vector<Redirection> redirections;
  std::vector<std::string> wrappers;  ///< the wrappers that run it, outermost first: `sudo`, `bash -c`
  bool is_open = false;               ///< more words follow that are not in the text (`xargs`)
  bool is_remote = false;             ///< runs on another machine (`ssh`)
  /// Of the unknown command: the text of the code that it stands for, if it is there to be looked at.
  std::optional<std::string> code;
  size_t begin = 0;  ///< where it, or the wrapper it is in, stands in the source
  size_t end = 0;

  bool operator==(const SimpleCommand&) const = default;
};

/// All the commands of a text.
struct ParsedCommand {
  std::vector<SimpleCommand> commands;
  bool is_unclear = false;  ///< the grammar did not understand all of it
  bool has_blocks = false;  ///< there are loops, conditions, tests, functions or groups: more than commands in a row

  bool operator==(const ParsedCommand&) const = default;
};

/// Longer texts are not parsed, and are unclear as a whole.
inline constexpr size_t kMaxText = 256UL * 1024;

/// What a text writes to files, by their base names, as far as that is known; `? NAME` for a file with unknown content.
using Written = std::map<std::string, std::string, std::less<>>;

/// The standard input of a command, as far as the text tells, and the files that the text has written so far.
struct Feed {
  bool is_there = false;            ///< something in the text feeds it
  std::optional<std::string> text;  ///< set when it is known
  Written* written = nullptr;       ///< null when nobody asks; `Unwrap` may add what a command writes
};

/// Something that a wrapper runs: a command, or the text of a script.
struct Inner {
  std::string wrapper;  ///< its entry in `SimpleCommand::wrappers`; "" if its name is not known
  std::optional<std::string> script;
  SimpleCommand command;  ///< when there is no script
  bool is_open = false;   ///< words are added to its last command
  bool is_remote = false;
};

/// Says what a command runs. Empty if it runs no other command.
using Unwrap = std::vector<Inner> (*)(const SimpleCommand& command, const Feed& feed);

/// The commands of `text` and, with `unwrap`, those that they run. Never fails: `is_unclear` marks a text that was not
/// understood completely. `known` are variables whose values are known unless the text changes them.
ParsedCommand parse(std::string_view text, Unwrap unwrap = nullptr, const Variables* known = nullptr);

/// The same without the fast path for plain words; tests compare the two.
ParsedCommand parse_by_grammar(std::string_view text, Unwrap unwrap = nullptr);

/// A command of which nothing is known: it may be any program with any words. `code` is the text that it stands for, if
/// there is one in a language that is not read here.
SimpleCommand unknown_command(std::optional<std::string> code = {});

/// The part of a program's name behind the last slash.
std::string_view base_name(std::string_view path);

}  // namespace grapnel::shell
