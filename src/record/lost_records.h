#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Records that could not be written. Even if a record is lost, people should learn that it is, so its loss is noted
/// where that is still possible:
///
///   records.lost    one line for each lost record: the time, and why it could not be written
///
/// The file is in the directory of the records or, if that cannot be written, in a fallback directory. If that fails,
/// too, the process counts the losses and puts the number into its next record (`lost_before`).
namespace grapnel {

inline constexpr std::string_view kLostFile = "/records.lost";

/// The writing side. Thread: one.
class LostRecords {
 public:
  LostRecords(const std::string& directory, const std::string& fallback_dir);

  /// Notes one lost record. The directories are tried in order.
  void note(const std::string& time, const std::string& why) noexcept;
  /// How many losses could be noted in no file.
  uint64_t unnoted() const { return unnoted_; }
  /// A record with their number was written, so the count starts again.
  void told() { unnoted_ = 0; }

 private:
  std::vector<std::string> directories_;
  uint64_t unnoted_ = 0;
};

/// The content of a `records.lost`.
struct LostReport {
  uint64_t count = 0;
  std::string since;  ///< time of the first loss; "" when there is none
  std::string last;   ///< time of the last loss
  std::string why;    ///< reason of the last loss
};

LostReport read_lost(const std::string& directory);

/// Removes the file if all losses in it are older than that time.
void forget_lost(const std::string& directory, const std::string& oldest_kept);

}  // namespace grapnel
