#include <unistd.h>

#include <mutex>
#include <set>

#include "grapnel/record.h"

#include "base/unique_fd.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// One `write` per line on an append-only descriptor, so that lines of several processes never mix.
class FileRecordSink final : public RecordSink {
 public:
  explicit FileRecordSink(std::string directory) : directory_(std::move(directory)) {}

  void record(const Record& record) noexcept override {
    const std::lock_guard lock(mutex_);
    Json json = record.to_json();
    if (lost_ > 0) json = json.with("lost_before", Json::number(static_cast<int64_t>(lost_)));
    const std::string line = json.dump() + "\n";
    if (!open() || ::write(file_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      ++lost_;
      file_.reset();
    } else {
      lost_ = 0;
    }
  }

  void snapshot(const std::string& digest, const Json& registry) noexcept override {
    const std::lock_guard lock(mutex_);
    if (!written_.insert(digest).second) return;
    const std::string folder = directory_ + "/registries";
    const std::string path = folder + "/" + digest + ".json";
    if (os::stamp(path) || !os::make_dirs(folder, 0700)) return;
    if (!os::write_file_atomic(path, registry.dump() + "\n", 0600)) written_.erase(digest);
  }

 private:
  bool open() {
    if (file_) return true;
    const std::string path = directory_ + "/records.jsonl";
    auto file = os::open_append(path, 0600);
    if (!file && os::make_dirs(directory_, 0700)) file = os::open_append(path, 0600);
    if (file) file_ = std::move(*file);
    return file.has_value();
  }

  std::string directory_;
  std::mutex mutex_;
  UniqueFd file_;
  uint64_t lost_ = 0;
  std::set<std::string> written_;
};

}  // namespace

std::unique_ptr<RecordSink> make_file_record_sink(std::string directory) {
  return std::make_unique<FileRecordSink>(std::move(directory));
}

}  // namespace grapnel
