#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "grapnel/record.h"

#include "os/temp_dir.h"

namespace grapnel::testing {

/// A journal that the real sink writes.
class OwnJournal {
 public:
  explicit OwnJournal(std::string directory)
      : directory_(std::move(directory)), sink_(make_file_record_sink(directory_, {})) {}

  const std::string& directory() const { return directory_; }

  /// Adds a record about the command. Returns nothing that could be lost: the file is written when this returns.
  void add(const std::string& subject, const std::string& registry = "", const std::vector<std::string>& jobs = {}) {
    Record record;
    record.id = "event-" + std::to_string(++count_);
    record.time = "2026-01-02T03:04:05.678Z";
    record.event = EventKind::PreToolUse;
    record.dialect = "claude";
    record.subject = subject;
    record.registry_digest = registry;
    for (const std::string& job : jobs) record.jobs.push_back({.id = job, .hook = "tell"});
    sink_->record(record);
  }

  /// As a reader does it when the file has grown large.
  void rotate(const std::string& name) const {
    std::filesystem::rename(directory_ + "/records.jsonl", directory_ + "/" + name);
    const std::string path = directory_ + "/" + name;
    // Long ago, so that no writer has it open.
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }

 private:
  std::string directory_;
  std::unique_ptr<RecordSink> sink_;
  int count_ = 0;
};

}  // namespace grapnel::testing
