#pragma once

#include <string>
#include <string_view>

#include "discover/discover.h"

/// The stamps of many files as bytes that can be compared with the disk without unpacking them.
///
/// Stamps are grouped by a common directory: the one they are in or, for a file that is alone in its directory like
/// HOOK.md, the one above. Files of a large group are checked relative to the opened directory, which is faster.
namespace grapnel {

std::string write_watched(const Sources::Stamps& stamps);

/// Whether any file differs from its stamp. Malformed bytes count as a change.
bool has_changed(std::string_view watched);

/// The stamps, or nothing when the bytes are malformed.
std::optional<Sources::Stamps> read_watched(std::string_view watched);

}  // namespace grapnel
