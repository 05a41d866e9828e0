#include "history/journal_query.h"

#include <chrono>

#include "base/clock.h"

namespace grapnel {

namespace {

/// The parts of a time: where each one starts, how long it is, the least value, and the separator behind it.
struct TimePart {
  size_t at;
  size_t size;
  int least;
};
constexpr auto kTimeParts =
    std::to_array<TimePart>({{0, 4, 1}, {5, 2, 1}, {8, 2, 1}, {11, 2, 0}, {14, 2, 0}, {17, 2, 0}, {20, 3, 0}});

}  // namespace

int64_t ms_of(std::string_view time) {
  std::array<int, kTimeParts.size()> values{};
  for (size_t i = 0; i < kTimeParts.size(); ++i) {
    const TimePart& part = kTimeParts[i];
    values[i] = part.least;
    if (time.size() < part.at + part.size) continue;
    int value = 0;
    for (const char c : time.substr(part.at, part.size)) {
      if (c < '0' || c > '9') return 0;
      value = value * 10 + (c - '0');
    }
    values[i] = value;
  }
  if (time.size() < kTimeParts[0].size) return 0;
  using namespace std::chrono;
  const year_month_day day{year(values[0]), month(static_cast<unsigned>(values[1])),
                           std::chrono::day(static_cast<unsigned>(values[2]))};
  if (!day.ok()) return 0;
  const auto at = sys_days(day) + hours(values[3]) + minutes(values[4]) + seconds(values[5]) + milliseconds(values[6]);
  return duration_cast<milliseconds>(at.time_since_epoch()).count();
}

std::string time_of(int64_t ms) {
  return format_timestamp(std::chrono::system_clock::time_point(std::chrono::milliseconds(ms)));
}

}  // namespace grapnel
