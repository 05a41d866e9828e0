#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "history/importer.h"
#include "history/journal_reader.h"
#include "history/record_files.h"
#include "os/files.h"
#include "record/chain.h"
#include "record/lost_records.h"

namespace grapnel {

namespace {

// Writers never remove or rename anything, so readers tidy up. A file is renamed when it has become too large or too
// old, and whole files are removed, oldest first. Records are never removed from the middle of a file. All of this
// happens under the writers' lock, so that no writer appends to a file that is about to go.

constexpr std::chrono::milliseconds kLockPatience{500};
constexpr size_t kDigits = 6;     // of the number in `records.000001.jsonl`
constexpr size_t kTimeSize = 24;  // of `2025-01-31T12:34:56.789Z`

std::string time_in(std::string_view line) {
  const auto record = Json::parse(std::string(line));
  return record ? (*record)["time"].as_string().value_or("") : "";
}

/// The time of a file's first record; "" when it has none. The time is near the start of a line, so the opening is
/// enough.
std::string first_time_of(const RecordFile& file) {
  constexpr std::string_view kTime = "\"time\":\"";
  const std::string opening = opening_of(file);
  const size_t at = opening.find(kTime);
  return at == std::string::npos ? "" : opening.substr(at + kTime.size(), kTimeSize);
}

/// The file's new name: the next free number.
std::string next_name(const std::vector<RecordFile>& files, const std::string& directory) {
  size_t highest = 0;
  for (const RecordFile& file : files) {
    const std::string stem = std::filesystem::path(file.path).stem().extension().string();
    if (stem.size() > 1) highest = std::max(highest, static_cast<size_t>(std::strtoul(stem.c_str() + 1, nullptr, 10)));
  }
  const std::string digits = std::to_string(highest + 1);
  return directory + "/records." + std::string(kDigits - std::min(digits.size(), kDigits), '0') + digits + ".jsonl";
}

/// Renames the newest file. Afterwards the head refers to the file that a writer will create next, so its size becomes
/// 0. The hash stays, so the chain goes on in the new file.
Result<void> set_aside(const std::string& directory, const std::vector<RecordFile>& files, int head) {
  if (::rename(files.back().path.c_str(), next_name(files, directory).c_str()) != 0) {
    return fail_errno("cannot set aside " + files.back().path);
  }
  const auto text = os::read_file(directory + std::string(kHeadFile), 4096);
  auto known = text ? ChainHead::parse(*text) : std::nullopt;
  if (!known) return {};
  known->size = 0;
  const std::string fresh = known->to_text();
  static_cast<void>(::pwrite(head, fresh.data(), fresh.size(), 0));
  return {};
}

/// How much longer records stay that the central store of a fleet does not have yet.
constexpr size_t kPatienceForMark = 10;

/// How many files, the oldest first, nobody waits for.
size_t count_arrived(const std::vector<RecordFile>& files, const Retention& retention) {
  size_t count = files.size();
  for (const std::string& marked : retention.marked_files) {
    const auto is_marked = [&](const RecordFile& file) { return first_line_digest(file) == marked; };
    const auto found = std::ranges::find_if(files, is_marked);
    // A mark that is in no file counts as one before all of them.
    count = std::min(count, found == files.end() ? 0 : static_cast<size_t>(found - files.begin()));
  }
  return count;
}

/// Whether the file goes: it is too old, or all files together are too large. `total` is their size.
bool is_due_to_go(const Retention& retention, bool has_arrived, size_t total, const std::string& last_time,
                  std::chrono::system_clock::time_point now) {
  const size_t times = has_arrived ? 1 : kPatienceForMark;
  const std::string oldest_kept = format_timestamp(now - retention.max_age * static_cast<int>(times));
  return total > retention.max_bytes * times || last_time < oldest_kept;
}

/// Notes that records are gone which the central store never had.
void note_dropped(const std::string& directory, const RecordFile& file, std::chrono::system_clock::time_point now) {
  const Json line = Json::object({{"time", Json::string(format_timestamp(now))},
                                  {"file", Json::string(std::filesystem::path(file.path).filename().string())},
                                  {"bytes", Json::number(static_cast<int64_t>(file.size))}});
  static_cast<void>(os::append_file(directory + "/fleet/dropped.jsonl", line.dump() + "\n", 0600));
}

/// The configurations that some record mentions.
Result<std::set<std::string>> select_registries(Database& database) {
  auto select =
      database.prepare("SELECT DISTINCT n.text FROM kinds k JOIN names n ON n.number = k.registry WHERE k.events > 0");
  if (!select) return std::unexpected(select.error());
  std::set<std::string> out;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return out;
    out.insert(select->text(0));
  }
}

/// Removes the configurations that no record mentions any more. A new one may belong to a record that is not imported
/// yet.
void forget_registries(const std::string& directory, const std::set<std::string>& mentioned,
                       std::chrono::system_clock::time_point oldest_kept) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory + "/registries", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    const auto stamp = os::stamp(path);
    const bool is_old = stamp && std::chrono::nanoseconds(stamp->mtime_ns) < oldest_kept.time_since_epoch();
    if (is_old && !mentioned.contains(entry->path().stem().string())) ::unlink(path.c_str());
  }
}

}  // namespace

std::vector<std::string> read_marked_files(const std::string& state_dir) {
  // Whoever is in a fleet has this file; the marks come with the first records that arrive.
  if (!os::stamp(state_dir + "/fleet/machine.json")) return {};
  const auto file_in = [&](std::string_view name) {
    const auto text = os::read_file(state_dir + "/fleet/" + std::string(name), 4096);
    const auto mark = text ? Json::parse(*text) : std::unexpected(text.error());
    return mark ? (*mark)["file"].as_string().value_or("") : "";
  };
  std::vector<std::string> out = {file_in("mark.json")};
  // Without jobs there is no such file.
  if (os::stamp(state_dir + "/fleet/jobs.json")) out.push_back(file_in("jobs.json"));
  return out;
}

/// Removes a file and the rows that were imported from it. `records.base` gets the hash of its last record, so that the
/// rest of the chain still verifies.
Result<void> JournalReader::remove(const RecordFile& file, const std::string& last_line) {
  const auto link = read_link(last_line);
  const std::string base = directory_ + std::string(kBaseFile);
  if (link) {
    if (auto done = os::write_file_atomic(base, link->hash + "\n", 0600); !done) return done;
  }
  if (::unlink(file.path.c_str()) != 0) return fail_errno("cannot remove " + file.path);
  return forget_file(database_, file.inode);
}

Result<void> JournalReader::retain(const Retention& retention, std::chrono::system_clock::time_point now) {
  const std::string oldest_kept = format_timestamp(now - retention.max_age);
  for (const std::string& directory : {directory_, fallback_dir_}) {
    if (!directory.empty()) forget_lost(directory, oldest_kept);
  }
  std::vector<RecordFile> files = open_record_files(directory_);
  if (files.empty() || in_memory_) return {};
  const std::string first_time = first_time_of(files.back());
  // The newest file is renamed if it is too large, or if its first record is too old to be kept.
  const bool is_due = files.back().path.ends_with(kRecordFile) && (files.back().size > retention.max_file_bytes ||
                                                                   (!first_time.empty() && first_time < oldest_kept));
  // The usual case returns without taking the lock.
  if (!is_due && files.size() == 1) return {};

  const auto lock = os::lock_file(directory_ + std::string(kHeadFile), kLockPatience);
  if (!lock) return std::unexpected(lock.error());
  if (is_due) {
    if (auto done = set_aside(directory_, files, lock->get()); !done) return done;
    files = open_record_files(directory_);
  }
  size_t total = 0, removed = 0;
  for (const RecordFile& file : files) total += file.size;
  const size_t arrived = count_arrived(files, retention);
  for (size_t i = 0; i < files.size(); ++i) {
    const RecordFile& file = files[i];
    // Writers append to the newest file, so it always stays.
    if (file.path.ends_with(kRecordFile)) break;
    const auto last = read_last_line(file);
    if (!last) return std::unexpected(last.error());
    if (!is_due_to_go(retention, i < arrived, total, time_in(*last), now)) break;
    if (i >= arrived) note_dropped(directory_, file, now);
    if (auto done = remove(file, *last); !done) return done;
    total -= file.size;
    ++removed;
  }
  if (removed == 0) return {};
  const auto mentioned = select_registries(database_);
  if (!mentioned) return std::unexpected(mentioned.error());
  forget_registries(directory_, *mentioned, now - retention.max_age);
  return {};
}

}  // namespace grapnel
