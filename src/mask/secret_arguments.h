#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The tables of `commands.cc`: which arguments of which programs are secrets.
namespace grapnel::mask {

/// Where the secret stands behind the program.
enum class Place : uint8_t {
  Next,      ///< the word behind the option, or what follows `=`
  Attached,  ///< the rest of the option's word: `mysql -psecret`
  Either,    ///< both
  Pair,      ///< the part behind a `:` in either: `curl -u user:secret`
  Comma,     ///< the part behind a `,`: `lftp -u user,secret`
  Percent,   ///< the part behind a `%`: `smbclient -U user%secret`
  Word,      ///< the n-th word that is no option; the option column holds n
  Last,      ///< the last word
  OddWord,   ///< the last word, if it looks made up
  Values,    ///< the value of every `NAME=value`
};

struct ArgumentRow {
  std::string_view program;  ///< several are separated by `|`; behind a blank stands a word that must follow it
  std::string_view option;
  Place place;
};

/// A program's name and a row about it.
struct ProgramRow {
  std::string_view name;
  const ArgumentRow* row;
};

/// The rows about a program; none for most words.
std::span<const ProgramRow> rows_about(std::string_view program);

/// Whether the command reads a secret from its standard input: what is piped or fed into it is one.
bool reads_secret(std::string_view command);

}  // namespace grapnel::mask
