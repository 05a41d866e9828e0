#pragma once

#include <string>

#include "cli/pack/pack.h"

/// A bundle: the rules, scripts and tests of a policy, which are those of a pack, as one text. Machines know it by the
/// SHA-256 of the text.
namespace grapnel::cli {

std::string bundle_text(const Pack& pack);
/// Fails: BadInput; Refused for a path that leads elsewhere; LimitExceeded.
Result<Pack> read_bundle(const std::string& text);

/// The pieces in which a bundle is sent.
inline constexpr size_t kBundlePiece = size_t{128} << 10;
size_t bundle_pieces(size_t bytes);

}  // namespace grapnel::cli
