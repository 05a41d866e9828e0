#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

/// Checks the chain of records, for `grapnel log --verify`.
namespace grapnel {

/// Something that is wrong with the chain of records (record/chain.h), and where it shows.
struct ChainFault {
  std::string file;
  size_t line = 0;  ///< 0: after the last line
  std::string what;
};

/// The result of a check. The chain is intact if there are no faults.
struct ChainReport {
  size_t records = 0;
  size_t torn = 0;  ///< lines that a writer could not finish; that is not a fault
  std::vector<ChainFault> faults;
};

/// Checks every record of the directory: is it unchanged, does the record before it exist, and is the last record the
/// last one that was written? Fails: System.
Result<ChainReport> verify_chain(const std::string& directory);

}  // namespace grapnel
