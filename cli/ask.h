#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"

/// Questions to the person at the terminal. Consent is never assumed: without a terminal nobody is asked, and the
/// caller has to do without an answer.
namespace grapnel::cli {

/// Whether standard input and standard output are a terminal, so that a person can see a question and answer it.
bool can_ask(const Console& console);

/// Prints the question and reads a line, without blanks around it; "" at the end of the input.
std::string answer_to(Console& console, std::string_view question);

/// Asks a question that is answered with y or n. Enter alone means `fallback`; anything else is a no.
bool says_yes(Console& console, std::string_view question, bool fallback = false);

}  // namespace grapnel::cli
