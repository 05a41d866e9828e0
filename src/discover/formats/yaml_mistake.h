#pragma once

#include <string_view>

#include "grapnel/error.h"

#include "model/registry.h"

/// Says in words about the file what is wrong with a YAML text, and how to mend it.
///
///   illegal map value                        deny: Not here: ask Maria      the text contains ': '; put it in quotes
///   the referenced anchor is not defined     path: **/.env                  write '**/.env'
///
/// A parser complains where it cannot go on, which is often lines after the mistake: a quote that is not closed ends
/// the file for it. The file is looked at once more for the mistakes that people make, from its start to the place of
/// the complaint, and the first of them is reported at its own place.
namespace grapnel {

/// The error of a parser as a problem with a hint. `document` is the whole file that the error's position refers to.
/// What is not recognised keeps the parser's words.
ConfigProblem explain_yaml_error(std::string_view document, const Error& error);

}  // namespace grapnel
