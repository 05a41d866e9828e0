#include "history/verify.h"

#include <set>

#include "base/text.h"
#include "history/record_files.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel {

namespace {

constexpr size_t kSmallFile = 4096;

/// Reads the lines in order and remembers all hashes so far. The predecessor of a record need not be the line right
/// before it: without the lock, two writers may continue from the same record. So it is enough that `prev` is one of
/// the known hashes.
class Verifier {
 public:
  explicit Verifier(std::string base) { known_.insert(std::move(base)); }

  void take(std::string_view line) {
    ++line_;
    if (line.empty()) return;
    const auto link = read_link(line);
    // A line without hashes is one that a writer could not finish.
    if (!link) {
      ++report_.torn;
      return;
    }
    ++report_.records;
    if (!link->is_intact) report("was changed");
    if (!known_.contains(link->prev)) report("the record before it is missing, or was moved");
    if (!known_.insert(link->hash).second) report("appears twice");
  }

  Result<void> read(const RecordFile& file) {
    file_ = file.path;
    line_ = 0;
    const auto end = read_lines(file, 0, [&](std::string_view line, size_t) -> Result<bool> {
      take(line);
      return true;
    });
    if (!end) return std::unexpected(end.error());
    // The last line has no newline.
    if (*end < file.size) ++report_.torn;
    return {};
  }

  /// The head names the last record that was written. If it was not found, the end of the chain was cut off.
  ChainReport finish(const std::optional<ChainHead>& head) {
    line_ = 0;
    if (head && !known_.contains(head->hash)) report("the last records are missing");
    return std::move(report_);
  }

 private:
  void report(const char* what) { report_.faults.push_back({file_, line_, what}); }

  std::set<std::string> known_;
  std::string file_;
  size_t line_ = 0;
  ChainReport report_;
};

}  // namespace

Result<ChainReport> verify_chain(const std::string& directory) {
  // The head is read first. Read last, it could name a record that was appended after the files had been read.
  const auto head = os::read_file(directory + std::string(kHeadFile), kSmallFile);
  const auto base = os::read_file(directory + std::string(kBaseFile), kSmallFile);
  Verifier verifier(base ? std::string(text::trim(*base)) : "");
  for (const RecordFile& file : open_record_files(directory)) {
    if (auto done = verifier.read(file); !done) return std::unexpected(done.error());
  }
  return verifier.finish(head ? ChainHead::parse(*head) : std::nullopt);
}

}  // namespace grapnel
