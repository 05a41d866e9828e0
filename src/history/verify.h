#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

namespace grapnel {

/// Something wrong with the chain of records (`chain.h`), and where it shows.
struct ChainFault {
  std::string file;
  size_t line = 0;  ///< 0: at the end
  std::string what;
};

struct ChainReport {
  size_t records = 0;
  size_t torn = 0;  ///< lines that a writer could not finish; no record refers to them
  std::vector<ChainFault> faults;
};

/// Goes through every record of the directory: is each as it was written, is the one before it there, and is the last
/// one the last that was written? Fails: System.
Result<ChainReport> verify_chain(const std::string& directory);

}  // namespace grapnel
