#include "history/record_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

#include "record/chain.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kChunk = size_t{1} << 20;
constexpr size_t kOpening = 128;

/// Whether this is an older record file, such as `records.000001.jsonl`.
bool is_set_aside(std::string_view name) {
  return name.starts_with("records.") && name.ends_with(".jsonl") && name != kRecordFile.substr(1);
}

}  // namespace

std::vector<RecordFile> open_record_files(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (is_set_aside(entry.path().filename().string())) paths.push_back(entry.path().string());
  }
  // The numbers have leading zeros, so the order of the names is the order of age.
  std::ranges::sort(paths);
  paths.push_back(directory + std::string(kRecordFile));
  std::vector<RecordFile> files;
  for (const std::string& path : paths) {
    // All files are opened at once. From then on it does not matter if a reader renames one of them.
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat st;
    // Only regular files can contain records.
    if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
    files.push_back({path, static_cast<int64_t>(st.st_ino), static_cast<size_t>(st.st_size), std::move(fd)});
  }
  return files;
}

std::string opening_of(const RecordFile& file) {
  std::string bytes(kOpening, '\0');
  const ssize_t count = ::pread(file.fd.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return bytes;
}

std::string first_line_digest(const RecordFile& file) {
  std::string digest;
  static_cast<void>(read_lines(file, 0, [&](std::string_view line, size_t) -> Result<bool> {
    digest = sha256_of(line);
    return false;
  }));
  return digest;
}

/// Reads in chunks, so a large file needs little memory. `pending` has the bytes of a line that is not complete yet.
Result<size_t> read_lines(const RecordFile& file, size_t offset, const TakeLine& take) {
  std::string pending;
  std::string chunk(kChunk, '\0');
  for (size_t at = offset;;) {
    const ssize_t count = ::pread(file.fd.get(), chunk.data(), chunk.size(), static_cast<off_t>(at));
    if (count < 0) return fail_errno("cannot read " + file.path);
    // The end of the file. An incomplete line stays in `pending` and is read again the next time.
    if (count == 0) return offset;
    at += static_cast<size_t>(count);
    pending.append(chunk, 0, static_cast<size_t>(count));
    size_t start = 0;
    for (size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
      const auto goes_on = take(std::string_view(pending).substr(start, end - start), offset + start);
      if (!goes_on) return std::unexpected(goes_on.error());
      if (!*goes_on) return offset + end + 1;
    }
    pending.erase(0, start);
    offset += start;
  }
}

/// Starts near the end of the file, and earlier if the last line is longer.
Result<std::string> read_last_line(const RecordFile& file) {
  for (size_t size = kChunk;; size *= 4) {
    const size_t from = file.size > size ? file.size - size : 0;
    std::string last;
    bool is_first = from > 0;  // it may be the rest of a line
    const auto end = read_lines(file, from, [&](std::string_view line, size_t) -> Result<bool> {
      if (!is_first && line.ends_with('}')) last = line;
      is_first = false;
      return true;
    });
    if (!end) return std::unexpected(end.error());
    if (!last.empty() || from == 0) return last;
  }
}

}  // namespace grapnel
