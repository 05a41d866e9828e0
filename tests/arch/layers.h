#pragma once

#include "arch/source_tree.h"

namespace arch {

/// A file includes its own folder and lower layers only, never a sibling folder of its own layer; a public header
/// includes the standard library and public headers only; each third-party library is visible to one folder; examples
/// use what an embedder can use. A header, public header or folder that no table here knows is a finding too: whoever
/// adds one says where it belongs.
Findings check_layers(const std::vector<SourceFile>& files);

}  // namespace arch
