#include "fleet/outbox.h"

#include <unistd.h>

#include <algorithm>

#include <sys/stat.h>

#include "history/record_facts.h"
#include "history/record_files.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel::fleet {

namespace {

/// A writer that could not get the chain's lock in time may still write into a file that was just renamed. No writer
/// waits that long.
constexpr std::chrono::seconds kSettled{2};

/// Whether nobody can append to the file any more. Only the newest one gets new records.
bool is_settled(const RecordFile& file) {
  struct stat st;
  if (::fstat(file.fd.get(), &st) != 0) return false;
  const auto changed = std::chrono::system_clock::from_time_t(st.st_mtim.tv_sec);
  return std::chrono::system_clock::now() - changed > kSettled;
}

/// Where reading begins.
struct Start {
  size_t file = 0;
  int64_t offset = 0;
};

/// Whether a record with that hash ends there.
bool ends_there(const RecordFile& file, const Position& position) {
  if (position.offset > static_cast<int64_t>(file.size) || position.offset <= 0) return false;
  // The hash is near the end of its line.
  std::string bytes(128, '\0');
  const auto size = std::min<int64_t>(static_cast<int64_t>(bytes.size()), position.offset);
  const ssize_t count = ::pread(file.fd.get(), bytes.data(), static_cast<size_t>(size), position.offset - size);
  return count == size && bytes.find(position.hash + "\"}\n") != std::string::npos;
}

Start find_start(const std::vector<RecordFile>& files, const Position& from) {
  for (size_t i = 0; i < files.size() && !from.file.empty(); ++i) {
    if (first_line_digest(files[i]) == from.file && ends_there(files[i], from)) return {i, from.offset};
  }
  return {};
}

}  // namespace

/// A batch that grows.
class Outbox::Draft {
 public:
  Draft(const std::string& directory, const std::set<std::string>& sent, const Position& from)
      : directory_(directory), sent_(sent) {
    batch_.after = from;
    batch_.upto = from;
  }

  /// False when the batch is full; then the line is not in it.
  bool take(std::string_view line, const std::string& file, size_t end) {
    const auto link = read_link(line);
    if (!link) return true;  // no record
    if (!batch_.lines.empty() && bytes_ + line.size() > kBatchBytes) return false;
    if (!take_registry(line)) return false;
    bytes_ += line.size();
    batch_.lines.emplace_back(line);
    batch_.upto = {file, static_cast<int64_t>(end), link->hash};
    return true;
  }

  bool is_empty() const { return batch_.lines.empty(); }
  Batch finish() { return std::move(batch_); }

 private:
  /// The configuration that the record names has to be in this batch, or in an earlier one.
  bool take_registry(std::string_view line) {
    const auto facts = read_facts(std::string(line));
    const std::string digest = facts ? facts->registry : "";
    const auto is_same = [&](const auto& known) { return known.first == digest; };
    if (digest.empty() || sent_.contains(digest) || std::ranges::any_of(batch_.registries, is_same)) return true;
    const auto text = os::read_file(directory_ + "/registries/" + digest + ".json", kMaxRegistryBytes);
    auto body = text ? Json::parse(*text) : std::unexpected(text.error());
    if (!body) return true;  // it is gone, or too long to be sent
    if (!batch_.lines.empty() && registry_bytes_ + text->size() > kMaxRegistryBytes) return false;
    registry_bytes_ += text->size();
    batch_.registries.emplace_back(digest, std::move(*body));
    return true;
  }

  const std::string& directory_;
  const std::set<std::string>& sent_;
  Batch batch_;
  size_t bytes_ = 0;
  size_t registry_bytes_ = 0;
};

// A batch is never of two files, so that its records follow each other.
Result<Batch> Outbox::next(const Position& from) {
  const std::vector<RecordFile> files = open_record_files(directory_);
  const Start start = find_start(files, from);
  Draft draft(directory_, sent_, from);
  for (size_t i = start.file; i < files.size() && draft.is_empty(); ++i) {
    const std::string name = first_line_digest(files[i]);
    const auto offset = static_cast<size_t>(i == start.file ? start.offset : 0);
    const auto end = read_lines(files[i], offset, [&](std::string_view line, size_t at) -> Result<bool> {
      return draft.take(line, name, at + line.size() + 1);
    });
    if (!end) return std::unexpected(end.error());
    if (draft.is_empty() && i + 1 < files.size() && !is_settled(files[i])) break;
  }
  Batch batch = draft.finish();
  for (const auto& [digest, body] : batch.registries) sent_.insert(digest);
  return batch;
}

int64_t Outbox::waiting_bytes(const Position& from) const {
  const std::vector<RecordFile> files = open_record_files(directory_);
  const Start start = find_start(files, from);
  int64_t bytes = 0;
  for (size_t i = start.file; i < files.size(); ++i) bytes += static_cast<int64_t>(files[i].size);
  return bytes - start.offset;
}

}  // namespace grapnel::fleet
