#pragma once

#include <string>
#include <vector>

#include "call/call.h"

/// Programs that run other programs. These functions are the callback that `shell::parse` uses to look inside `sudo`,
/// `bash -c`, `find -exec` and so on. They return what a command runs, either as words (`Inner::command`) or as text
/// that the parser has to read (`Inner::script`).
namespace grapnel::call {

using shell::Feed;
using shell::Inner;

/// What `command` runs; empty when it is not a wrapper. Code that cannot be read becomes the unknown command.
std::vector<Inner> unwrap(const SimpleCommand& command, const Feed& feed);

/// The part of `unwrap` for programs that are not shells but can start programs when given code: interpreters, `tar
/// --to-command`, `git -c`.
std::vector<Inner> unwrap_code(const SimpleCommand& command, const Feed& feed);

/// Adds the words, joined with spaces, as the text of a script. Each gap becomes an expansion (`${_}`) in that text.
/// Since a gap may contain any code, the unknown command is added as well.
void add_script(const std::vector<Word>& words, const std::string& wrapper, std::vector<Inner>& found);

/// Adds the unknown command, which may be anything.
void add_unknown(const std::string& wrapper, std::vector<Inner>& found);

/// Adds the unknown command for code whose text is known but not read: all words of `command`, the values it is given
/// in variables, and what it reads. `mention.h` can then tell what it may be about. If `code` (the word that holds the
/// code, or null if the code comes from standard input) is nothing but a gap, there is no text.
void add_unread(const std::string& wrapper, const SimpleCommand& command, const Word* code, const Feed& feed,
                std::vector<Inner>& found);

}  // namespace grapnel::call
