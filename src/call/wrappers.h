#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"
#include "call/options.h"

/// Programs that run other programs. These functions are the callback that `shell::parse` uses to look inside `sudo`,
/// `bash -c`, `find -exec` and so on. They return what a command runs, either as words (`Inner::command`) or as text
/// that the parser has to read (`Inner::script`).
namespace grapnel::call {

using shell::Feed;
using shell::Inner;

/// What `command` runs; empty when it is not a wrapper. Code that cannot be read becomes the unknown command.
std::vector<Inner> unwrap(const SimpleCommand& command, const Feed& feed);

/// The part of `unwrap` for programs that are not shells but can start programs when given code: interpreters, `tar
/// --to-command`.
std::vector<Inner> unwrap_code(const SimpleCommand& command, const Feed& feed);
/// Whether the program is an interpreter of another language than a shell's.
bool is_interpreter(std::string_view program);

/// The part of `unwrap` for wrappers whose operands are a command: `sudo cmd`, `docker run image cmd`.
void unwrap_prefix(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found);
/// Whether the program is such a wrapper.
bool is_prefix(std::string_view program);

/// The part of `unwrap` for git: aliases and other settings that are commands, `git submodule foreach`, `git-push`.
void unwrap_git(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found);
/// Whether the program is git, one of its subcommands, or hands its words to git.
bool is_git(std::string_view program);
/// Whether git runs no hooks of the project because of this variable: `HUSKY=0`.
bool drops_hooks(const Assignment& assignment);
/// What git runs because of this setting: `alias.p` with the value `push --force`.
void unwrap_git_setting(std::string_view key, const Word& value, std::vector<Inner>& found);

/// The part of `unwrap` for variables whose value is run by a shell or by a program: `PAGER='rm x' git log`.
void unwrap_variables(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found);
/// What the same text wrote to the files that a shell reads first: `BASH_ENV=file`. Noted by `unwrap_variables`.
void unwrap_start_files(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found);

/// Files that the same text writes and then runs (`written.cc`). What it wrote to this file; null when it wrote none,
/// or nobody knows what.
const std::string* written_to(const Feed& feed, const Word& file);
/// Whether the text has written the file, and nobody knows what.
bool is_written_unseen(const Feed& feed, const Word& file);
/// Adds the script that the same text wrote to a file. With a `#!` line of another language it is not shell code.
void add_written(const std::string& text, const SimpleCommand& command, std::vector<Inner>& found);
/// The part of `unwrap` for programs that take what they run from a file, or from standard input.
void unwrap_files(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found);
/// Notes what programs write to files, apart from redirections: `tee`, `dd of=`, copies of files that are known.
void note_written(std::string_view name, const SimpleCommand& command, const Feed& feed);
/// Whether a redirection empties a git hook, or makes one that does nothing.
bool empties_git_hook(const SimpleCommand& command);

/// The words from the first operand on, for programs that join them to a command line.
std::vector<Word> operands_of(std::span<const Word> words, const OptionRow* row, size_t at = 1);

/// Whether the text is a sed script that only prints and edits what is printed.
bool is_harmless_sed(std::string_view script);

/// Whether an awk program has nothing that writes, runs or reads from elsewhere.
bool is_harmless_awk(std::string_view program);

/// `NAME=value`.
bool is_assignment(const Word& word);

/// Puts a gap in place of each `mark`, the placeholder (`{}`) that xargs, find or parallel replaces with an argument.
void replace_all_with_gaps(std::vector<Word>& words, std::string_view mark);

/// Adds the words, joined with spaces, as the text of a script. Each gap becomes an expansion (`${_}`) in that text.
/// Since a gap may contain any code, the unknown command is added as well.
void add_script(const std::vector<Word>& words, const std::string& wrapper, std::vector<Inner>& found);

/// Adds what a shell reads from standard input.
void add_feed(const std::string& wrapper, const Feed& feed, std::vector<Inner>& found);

/// Adds the unknown command, which may be anything.
void add_unknown(const std::string& wrapper, std::vector<Inner>& found);

/// Adds the unknown command for code whose text is known but not read: all words of `command`, the values it is given
/// in variables, and what it reads. `mention.h` can then tell what it may be about. If `code` (the word that holds the
/// code, or null if the code comes from standard input) is nothing but a gap, there is no text.
void add_unread(const std::string& wrapper, const SimpleCommand& command, const Word* code, const Feed& feed,
                std::vector<Inner>& found);

}  // namespace grapnel::call
