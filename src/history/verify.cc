#include "history/verify.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text.h"
#include "history/record_files.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel {

namespace {

constexpr size_t kSmallFile = 4096;

/// A hash as bytes. That of no record, "", is all zeros.
using Hash = std::array<uint8_t, 32>;

/// Nothing if the text is neither "" nor 64 hexadecimal digits.
std::optional<Hash> read_hash(std::string_view text) {
  Hash hash{};
  if (text.empty()) return hash;
  if (text.size() != 2 * hash.size()) return std::nullopt;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t digit = std::string_view("0123456789abcdef").find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    hash[i / 2] = static_cast<uint8_t>(hash[i / 2] << 4 | digit);
  }
  return hash;
}

/// Many hashes in one piece of memory. As nodes of a tree they would take four times as much, and leave a process that
/// lives on with memory in small pieces.
class Hashes {
 public:
  bool contains(const Hash& hash) const { return is_taken_[place_of(hash)]; }

  /// False if it was there already.
  bool insert(const Hash& hash) {
    const size_t place = place_of(hash);
    if (is_taken_[place]) return false;
    is_taken_[place] = true;
    all_[place] = hash;
    if (++count_ > all_.size() / 2) grow();
    return true;
  }

 private:
  /// Where it is, or where it would be. Hashes are random, so their first bytes tell where to look.
  size_t place_of(const Hash& hash) const {
    size_t place = 0;
    for (size_t i = 0; i < sizeof place; ++i) place = place << 8 | hash[i];
    for (place %= all_.size(); is_taken_[place] && all_[place] != hash; place = (place + 1) % all_.size()) continue;
    return place;
  }

  void grow() {
    Hashes larger;
    larger.all_.resize(all_.size() * 2);
    larger.is_taken_.resize(all_.size() * 2);
    for (size_t place = 0; place < all_.size(); ++place) {
      if (is_taken_[place]) larger.insert(all_[place]);
    }
    *this = std::move(larger);
  }

  std::vector<Hash> all_ = std::vector<Hash>(1024);
  std::vector<bool> is_taken_ = std::vector<bool>(1024);
  size_t count_ = 0;
};

/// Reads the lines in order and remembers all hashes so far. The predecessor of a record need not be the line right
/// before it: without the lock, two writers may continue from the same record. So it is enough that `prev` is one of
/// the known hashes.
class Verifier {
 public:
  explicit Verifier(std::string_view base) {
    if (const auto hash = read_hash(base)) known_.insert(*hash);
  }

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
    const auto prev = read_hash(link->prev), hash = read_hash(link->hash);
    if (!prev || !known_.contains(*prev)) report("the record before it is missing, or was moved");
    if (hash && !known_.insert(*hash)) report("appears twice");
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
    const auto last = head ? read_hash(head->hash) : std::nullopt;
    if (head && (!last || !known_.contains(*last))) report("the last records are missing");
    return std::move(report_);
  }

 private:
  void report(const char* what) { report_.faults.push_back({file_, line_, what}); }

  Hashes known_;
  std::string file_;
  size_t line_ = 0;
  ChainReport report_;
};

}  // namespace

Result<ChainReport> verify_chain(const std::string& directory) {
  // The head is read first. Read last, it could name a record that was appended after the files had been read.
  const auto head = os::read_file(directory + std::string(kHeadFile), kSmallFile);
  const auto base = os::read_file(directory + std::string(kBaseFile), kSmallFile);
  Verifier verifier(base ? text::trim(*base) : "");
  for (const RecordFile& file : open_record_files(directory)) {
    if (auto done = verifier.read(file); !done) return std::unexpected(done.error());
  }
  return verifier.finish(head ? ChainHead::parse(*head) : std::nullopt);
}

}  // namespace grapnel
