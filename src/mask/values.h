#pragma once

#include <string_view>

#include "mask/secrets.h"

/// Reads the value that a name, an option or a word leads to, and judges it.
namespace grapnel::mask {

struct Value {
  Span span;
  bool is_quoted = false;
};

/// The value at `at`: what is between quotes (also escaped ones, as in JSON inside a string), or the word. A word ends
/// at a blank, and at `,;&)` only if what follows shows that the value is over: a password may contain them.
Value value_at(std::string_view text, size_t at);

/// The value of a header: it has blanks, and ends with the line or the quote around the header. A scheme in front
/// (`Bearer `) stays outside.
Span header_value_at(std::string_view text, size_t at);

/// Whether nobody would mind reading it, although its name is telling: a variable, a placeholder, a type, a call, a
/// path.
bool is_harmless(std::string_view value, bool is_quoted);

/// Whether it is a single word that is neither a word of a language nor a name, a number, a path, a version or a date.
bool looks_made_up(std::string_view value);
/// The same for values that are very likely a secret: `hunter2` is enough, `sha256` is not.
bool has_odd_part(std::string_view value);

/// Whether the word is so long and mixed that only a machine can have made it. Digests in hexadecimal and UUIDs are not
/// random in this sense.
bool is_random(std::string_view word);

/// Only digits, with or without `.`, `,`, `-` and `:` between them.
bool is_number(std::string_view value);
bool is_uuid(std::string_view word);

}  // namespace grapnel::mask
