#pragma once

#include <string>
#include <string_view>

#include "discover/discover.h"

/// The stamps of many files as bytes that are compared with the disk as they stand.
///
/// They are grouped by a directory they have in common: the one they are in, or the one above where they are alone in
/// theirs, as a HOOK.md is. Files of a large group are looked at from there.
namespace grapnel {

std::string write_watched(const Sources::Stamps& stamps);

/// Whether something is not as it was; bytes that nobody wrote count as that.
bool has_changed(std::string_view watched);

/// Nothing when nobody wrote these bytes.
std::optional<Sources::Stamps> read_watched(std::string_view watched);

}  // namespace grapnel
