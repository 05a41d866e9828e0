#pragma once

#include <string>
#include <vector>

namespace grapnel::cli {

/// What `grapnel` prints with these words, on both streams.
std::string output_of(const std::string& words);

/// All verbs, from the program's own help, which is made from the table of verbs.
std::vector<std::string> all_verbs();

}  // namespace grapnel::cli
