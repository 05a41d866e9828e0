#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Records that could not be written, told where that is still possible.
///
///   records.lost    a line for each: when, and why it could not be written
///
/// It stands beside the records or, when nothing can be written there, in another directory. Where that fails, too, a
/// process counts for itself.
namespace grapnel {

inline constexpr std::string_view kLostFile = "/records.lost";

/// The side that writes. Thread: one.
class LostRecords {
 public:
  LostRecords(const std::string& directory, const std::string& fallback_dir);

  void note(const std::string& time, const std::string& why) noexcept;
  /// How many nothing was noted of.
  uint64_t unnoted() const { return unnoted_; }
  /// They are on record now.
  void told() { unnoted_ = 0; }

 private:
  std::vector<std::string> directories_;
  uint64_t unnoted_ = 0;
};

/// What such files say.
struct LostReport {
  uint64_t count = 0;
  std::string since;  ///< the time of the first, "" when there is none
  std::string last;   ///< the time of the last
  std::string why;    ///< of the last
};

LostReport read_lost(const std::string& directory);

/// Removes the file when everything in it is from before that time.
void forget_lost(const std::string& directory, const std::string& oldest_kept);

}  // namespace grapnel
