#include "base/clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace grapnel {

namespace {
class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return std::chrono::system_clock::now(); }
};
}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::string format_timestamp(std::chrono::system_clock::time_point t) {
  const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
  const std::time_t seconds = static_cast<std::time_t>(since_epoch / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900, utc.tm_mon + 1,
                utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, static_cast<int>(since_epoch % 1000));
  return buffer.data();
}

}  // namespace grapnel
