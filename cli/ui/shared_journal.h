#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/environment.h"
#include "history/journal_reader.h"

namespace grapnel::cli {

/// The journal, for all threads of the program: one at a time.
class SharedJournal {
 public:
  /// Fails: System.
  static Result<std::unique_ptr<SharedJournal>> open(const Environment& env);

  /// What `work` makes of the journal. It must not keep the reference.
  template <typename Work>
  auto with(Work&& work) {
    const std::scoped_lock lock(mutex_);
    return std::forward<Work>(work)(reader_);
  }

 private:
  explicit SharedJournal(JournalReader reader) : reader_(std::move(reader)) {}

  std::mutex mutex_;
  JournalReader reader_;
};

}  // namespace grapnel::cli
