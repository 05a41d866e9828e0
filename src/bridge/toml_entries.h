#pragma once

#include <string>
#include <vector>

#include "bridge/entry.h"

/// Our entries in a settings file in TOML: tables behind everything else or, where the list stands in brackets, behind
/// its last element. Everything else in the file stays byte for byte.
namespace grapnel {

/// Fails: BadConfig at the place (file left empty) of what cannot be read or is no list of entries.
Result<std::string> add_toml_entries(std::string_view text, const Wiring& wiring);

/// Without any entry of ours. Fails: BadConfig at the place.
Result<std::string> remove_toml_entries(std::string_view text, const Dialect& dialect);

/// The events our entries in a text are for, as it spells them.
std::vector<std::string> find_toml_entries(std::string_view text, const Dialect& dialect);

}  // namespace grapnel
