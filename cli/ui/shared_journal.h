#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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

  /// Imports what is new, in parts, between which others may ask. `go_on` is called after each part; the import ends
  /// when it returns false.
  void import_new(const std::function<bool()>& go_on);
  /// How far a long import is; nothing if none is going on.
  std::optional<ImportProgress> progress() const;

  /// What `work` makes of the journal. It must not keep the reference.
  template <typename Work>
  auto with(Work&& work) {
    const std::scoped_lock lock(mutex_);
    return std::forward<Work>(work)(reader_);
  }

 private:
  explicit SharedJournal(JournalReader reader) : reader_(std::move(reader)) {}

  mutable std::mutex progress_mutex_;
  std::optional<ImportProgress> progress_;
  std::mutex mutex_;
  JournalReader reader_;
};

}  // namespace grapnel::cli
