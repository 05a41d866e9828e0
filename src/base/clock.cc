#include "base/clock.h"

namespace grapnel {

namespace {
/// The clock of the machine.
class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return std::chrono::system_clock::now(); }
};
}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

// Written by hand, because gmtime_r first reads the time zone files, and printf costs as much as all the rest of a
// small event.
std::string format_timestamp(std::chrono::system_clock::time_point t) {
  using namespace std::chrono;
  const auto day = floor<days>(t);
  const year_month_day date(day);
  const hh_mm_ss time(floor<milliseconds>(t) - day);
  std::string text = "0000-00-00T00:00:00.000Z";
  // Writes the digits of a number from right to left over the zeros of the template.
  const auto put = [&](size_t last_digit, int64_t value) {
    for (; value > 0; value /= 10) text[last_digit--] = static_cast<char>('0' + value % 10);
  };
  put(3, static_cast<int>(date.year()));
  put(6, static_cast<unsigned>(date.month()));
  put(9, static_cast<unsigned>(date.day()));
  put(12, time.hours().count());
  put(15, time.minutes().count());
  put(18, time.seconds().count());
  put(22, time.subseconds().count());
  return text;
}

}  // namespace grapnel
