#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/record.h"

#include "history/journal_reader.h"

/// Records to write, and what a reader finds of them.
namespace grapnel::testing {

inline Record make_record(std::string id, std::string time = "2026-01-31T10:00:00.000Z") {
  Record record;
  record.id = std::move(id);
  record.time = std::move(time);
  record.event = EventKind::PreToolUse;
  record.dialect = "canonical";
  return record;
}

/// One sink per record, as `grapnel fire` has it.
inline void write_records(const std::string& directory, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) make_file_record_sink(directory)->record(make_record(id));
}

inline std::string ids_of(const std::vector<JournalEntry>& entries) {
  std::string out;
  for (const JournalEntry& entry : entries) out += (out.empty() ? "" : " ") + *entry.record["id"].as_string();
  return out;
}

/// The ids a fresh look finds, with blanks between.
inline std::string ids_found(JournalReader& reader, const JournalQuery& query = {}) {
  if (const auto done = reader.refresh(); !done) return done.error().message;
  const auto entries = reader.find(query);
  return entries ? ids_of(*entries) : entries.error().message;
}

inline std::string ids_found(const std::string& directory) {
  auto reader = JournalReader::open(directory);
  return reader ? ids_found(*reader) : reader.error().message;
}

}  // namespace grapnel::testing
