#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Shell commands as a shell sees them.
///
///   text ──▶ syntax (grammar) ──▶ words (quotes, braces, variables) ──▶ simple commands
///
/// `parse` gives a flat list of every simple command anywhere in the text: in pipelines, lists, subshells, groups,
/// conditions, loops, functions and substitutions. This folder knows the shell's language and no program. That `sudo`
/// and `bash -c` run other commands is known to `src/call`, which hands `parse` a function that says what a command
/// runs; the parser then reads that text, or takes those words, the same way. A wrapper is in the list itself, and so
/// is what it runs.
///
/// What only the running shell knows is *dynamic*: a word has gaps where unknown text stands, and a command may get
/// more words than are seen (`is_open`).
///
/// Everything here is pure. Thread: any.
namespace grapnel::shell {

/// A word after quote removal.
struct Word {
  std::string text;          ///< without what is unknown
  std::vector<size_t> gaps;  ///< offsets in `text` where unknown text stands, ascending
  bool splits = false;       ///< a gap may hold word breaks, or leave no word at all
  bool has_glob = false;     ///< `*`, `?` or `[…]` stood outside quotes
  bool is_odd = false;       ///< holds invisible characters, or letters that look like others
  size_t begin = 0;          ///< where it stands in the source…
  size_t end = 0;            ///< …and ends; 0 when it does not stand there as one word

  /// What the word is at run time cannot be known.
  bool is_dynamic() const { return !gaps.empty() || is_odd; }
  bool operator==(const Word&) const = default;
};

/// `NAME=value` in front of a command, or alone.
struct Assignment {
  std::string name;
  Word value;
  bool operator==(const Assignment&) const = default;
};

/// `> file`; here-documents and here-strings (`<<`, `<<<`) have their text as the target.
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
  std::vector<std::string> wrappers;  ///< what runs it, outermost first: `sudo`, `bash -c`
  bool is_open = false;               ///< more words follow that are not in the text (`xargs`)
  bool is_remote = false;             ///< runs on another machine (`ssh`)
  size_t begin = 0;                   ///< where it, or the wrapper it is in, stands in the source
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

/// Longer texts are unclear as a whole.
inline constexpr size_t kMaxText = 256UL * 1024;

/// What a command reads on its standard input, as far as the text tells.
struct Feed {
  bool is_there = false;            ///< something in the text feeds it
  std::optional<std::string> text;  ///< set when it is known
};

/// What a wrapper runs: a command, or the text of a script.
struct Inner {
  std::string wrapper;  ///< what runs it, as in SimpleCommand::wrappers; "" when its name is not known
  std::optional<std::string> script;
  SimpleCommand command;  ///< when there is no script
  bool is_open = false;   ///< words are added to its last command
  bool is_remote = false;
};

/// Says what a command runs; empty when it runs no other.
using Unwrap = std::vector<Inner> (*)(const SimpleCommand& command, const Feed& feed);

/// The commands of `text`, and, with `unwrap`, what they run. Never fails: what is not understood is marked.
ParsedCommand parse(std::string_view text, Unwrap unwrap = nullptr);

/// The same without the short cut for plain words; tests compare the two.
ParsedCommand parse_by_grammar(std::string_view text, Unwrap unwrap = nullptr);

/// A command of which nothing is known.
SimpleCommand unknown_command();

/// The part of a program's name behind the last slash.
std::string_view base_name(std::string_view path);

}  // namespace grapnel::shell
