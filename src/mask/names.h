#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Which names tell that their value is secret.
namespace grapnel::mask {

enum class Telling : uint8_t {
  No,
  IfDigits,  ///< only a value of three to eight digits: `pin`, `otp`
  IfOdd,     ///< only a value that looks made up: `key`, `sid`. Many of these are no secrets.
  Yes,       ///< any value that is not plainly harmless
  Header,    ///< as `Yes`, and the value may have blanks: `Authorization: Bearer …`
};

/// Compares the words of the name, however they are joined: `db_password`, `dbPassword`, `DB-PASSWORD`.
Telling how_telling(std::string_view name);

/// Whether the text may contain a telling name. A quick check: most texts contain none.
bool may_tell(std::string_view text);

/// Whether numbers under this name are amounts: `max_tokens: 100`. A password may well be a number.
bool counts_something(std::string_view name);

/// The words of a name in lower case, without digits: `dbPassword2` is `db`, `password`.
std::vector<std::string> words_of_name(std::string_view name);

}  // namespace grapnel::mask
