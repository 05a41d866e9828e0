#include "cli/ui/chain_check.h"

#include <malloc.h>

#include "history/record_files.h"
#include "history/verify.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxBytes = size_t{256} << 20;

}  // namespace

ChainCheck::ChainCheck(const Environment& env) {
  thread_ = std::thread([this, directory = env.state_dir()] {
    size_t bytes = 0;
    for (const RecordFile& file : open_record_files(directory)) bytes += file.size;
    if (bytes > kMaxBytes) return;
    if (const auto report = verify_chain(directory)) note(report->faults.empty());
    // It had to remember the hash of every record; what is free now would stay with this process otherwise.
    ::malloc_trim(0);
  });
}

std::string ChainCheck::state() const {
  const State state = state_;
  return state == State::Unknown ? "unknown" : state == State::Intact ? "ok" : "broken";
}

}  // namespace grapnel::cli
