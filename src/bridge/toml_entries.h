#pragma once

#include <string>
#include <vector>

#include "bridge/entry.h"

/// Our entries in a TOML settings file. They are tables at the end of the file or, if the list is written in brackets,
/// elements at the end of the list. Everything else in the file stays byte for byte.
namespace grapnel {

/// Adds our entries. Fails: BadConfig, with the position but without the file name, when the text cannot be read or the
/// value is not a list of entries.
Result<std::string> add_toml_entries(std::string_view text, const Wiring& wiring);

/// Removes all our entries. Fails: BadConfig, with the position.
Result<std::string> remove_toml_entries(std::string_view text, const Dialect& dialect);

/// Our entries in a text. They are one list, so they have no groups.
std::vector<FoundEntry> find_toml_entries(std::string_view text, const Dialect& dialect);

}  // namespace grapnel
