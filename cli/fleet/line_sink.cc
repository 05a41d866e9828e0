#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "cli/fleet/export_sink.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

std::string lines_of(std::span<const fleet::CentralRecord> records) {
  std::string out;
  for (const fleet::CentralRecord& one : records) {
    out += Json::object(
               {{"number", Json::number(one.number)}, {"machine", Json::string(one.machine)}, {"record", one.record}})
               .dump() +
           "\n";
  }
  return out;
}

class FileSink final : public ExportSink {
 public:
  explicit FileSink(std::string path) : path_(std::move(path)) {}

  std::string target() const override { return "file " + path_; }

  Result<void> deliver(std::span<const fleet::CentralRecord> records) override {
    const auto file = os::open_append(path_, 0600);
    if (!file) return std::unexpected(file.error());
    const off_t size = ::lseek(file->get(), 0, SEEK_END);
    const std::string lines = (ends_whole(file->get(), size) ? "" : "\n") + lines_of(records);
    if (write_all(file->get(), lines) && ::fdatasync(file->get()) == 0) return {};
    const Error error = fail_errno("cannot write " + path_).error();
    // No half of a line stays, for example when the disk is full.
    static_cast<void>(::ftruncate(file->get(), size));
    return fail(Errc::Unavailable, error.message);
  }

 private:
  /// Whether the last line is whole; it is not if the power went away at the wrong moment.
  bool ends_whole(int file, off_t size) const {
    if (size <= 0) return true;
    char last = 0;
    const UniqueFd reader(::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC));
    return ::pread(reader.get(), &last, 1, size - 1) != 1 || last == '\n';
  }

  static bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file, text.data(), text.size());
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) text.remove_prefix(static_cast<size_t>(written));
    }
    return true;
  }

  std::string path_;
};

class PipeSink final : public ExportSink {
 public:
  explicit PipeSink(Console& console) : console_(console) {}

  std::string target() const override { return "standard output"; }

  Result<void> deliver(std::span<const fleet::CentralRecord> records) override {
    console_.out(lines_of(records));
    if (!console_.flush() || console_.reader_left())
      return fail(Errc::Refused, "nobody reads standard output any more");
    return {};
  }

 private:
  Console& console_;
};

}  // namespace

std::unique_ptr<ExportSink> make_line_sink(const std::string& file, Console& console) {
  if (file == "-") return std::make_unique<PipeSink>(console);
  return std::make_unique<FileSink>(file);
}

}  // namespace grapnel::cli
