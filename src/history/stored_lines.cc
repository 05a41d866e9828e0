#include "history/stored_lines.h"

#include <unistd.h>

#include <algorithm>

#include "history/importer.h"

namespace grapnel {

namespace {

/// Enough for `{"v":2,"id":"…"` of every id that Grapnel makes.
constexpr size_t kStart = 96;
constexpr std::string_view kId = "\"id\":\"";

}  // namespace

void StoredLines::set_files(std::vector<RecordFile> files) {
  files_ = std::move(files);
  inodes_.clear();
  stale_ = 0;
}

const RecordFile* StoredLines::find(Database& database, int64_t file) {
  const auto [at, is_unknown] = inodes_.try_emplace(file);
  if (is_unknown) {
    auto select = database.prepare("SELECT inode FROM files WHERE number = ?1");
    if (select && select->bind(1, file).step().value_or(false)) at->second = select->number(0);
  }
  const auto found = std::ranges::find(files_, at->second, &RecordFile::inode);
  return found == files_.end() ? nullptr : &*found;
}

std::string StoredLines::read_bytes(Database& database, const LinePlace& place, size_t length) {
  const RecordFile* file = find(database, place.file);
  if (file == nullptr) return "";
  std::string bytes(std::min(length, place.length), '\0');
  const ssize_t count = ::pread(file->fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(place.offset));
  bytes.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return bytes;
}

std::optional<Json> StoredLines::read(Database& database, const LinePlace& place) {
  auto record = Json::parse(read_bytes(database, place, place.length));
  if (record && id_key((*record)["id"].as_string().value_or("")) == place.id) return *record;
  stale_ = inodes_[place.file];
  return std::nullopt;
}

std::string StoredLines::read_id(Database& database, const LinePlace& place) {
  const std::string start = read_bytes(database, place, kStart);
  const size_t at = start.find(kId);
  const size_t end = at == std::string::npos ? at : start.find_first_of("\"\\", at + kId.size());
  if (end != std::string::npos && start[end] == '"') {
    std::string id = start.substr(at + kId.size(), end - at - kId.size());
    if (id_key(id) == place.id) return id;
  }
  const auto record = read(database, place);
  return record ? (*record)["id"].as_string().value_or("") : "";
}

}  // namespace grapnel
