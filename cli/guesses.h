#pragma once

#include <span>
#include <string>
#include <string_view>

/// Words that people try because another program has them. They are no second names: each only leads to the verb or the
/// option that is meant.
namespace grapnel::cli {

struct Command;

/// One row of the table: a word, and the verb that is meant.
struct VerbGuess {
  std::string_view guess;
  std::string_view meant;  ///< with its options: `fire`, `serve --stop`
};
std::span<const VerbGuess> verb_guesses();

/// The verb to use instead, with its options; "" when nobody would know what is meant.
std::string_view verb_meant_by(std::string_view guess);

/// What to do instead of giving the verb that argument, as the end of a sentence; "" when it is not known.
std::string_view advice_on_argument(const Command& command, std::string_view word);

/// What to do instead of using that option with the verb, as the end of a sentence; "" when it is not known.
std::string_view advice_on_option(const Command& command, std::string_view option);

}  // namespace grapnel::cli
