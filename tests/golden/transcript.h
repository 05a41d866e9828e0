#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

/// A text that says what commands print: a transcript (`*.txt`) or a page of documentation (`*.md`).
///
/// README.md beside this file has the format. Reading keeps every line, so that printing gives the same file again
/// and `--update` touches only what a command prints.
namespace grapnel::golden {

using Lines = std::vector<std::string>;

/// Lines that mean nothing to us.
struct Prose {
  Lines lines;
};

/// A file to make before (transcripts) or when the page comes to it (documentation).
struct File {
  std::string path;
  Lines lines;
};

/// A command and what it shall print.
struct Step {
  size_t line = 0;  ///< where it stands, from 1
  Lines command;    ///< with `$ ` and `> ` in front
  Lines expected;   ///< standard output, then standard error with `! ` in front, then `[exit N]` unless 0

  /// The text for the shell.
  std::string script() const;
};

struct Transcript {
  bool is_page = false;  ///< documentation: both outputs in one, files where they stand
  std::vector<std::variant<Prose, File, Step>> parts;

  std::string print() const;
};

Transcript read_transcript(const std::string& text, bool is_page);

/// Whether the lines are as expected: exactly, by regex (` (re)` at the end), with `[..]` for any text inside a line
/// and `...` for any number of lines.
bool matches(const Lines& expected, const Lines& actual);

Lines split_lines(const std::string& text);

}  // namespace grapnel::golden
