#include "base/clock.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

using namespace std::chrono;

TEST(FormatTimestamp, IsIsoInUtcWithMilliseconds) {
  struct Case {
    const char* note;
    milliseconds since_epoch;
    const char* want;
  };
  const Case cases[] = {
      {"the epoch", 0ms, "1970-01-01T00:00:00.000Z"},
      {"milliseconds have three digits", 7ms, "1970-01-01T00:00:00.007Z"},
      {"the last of a day", 86399999ms, "1970-01-01T23:59:59.999Z"},
      {"the next day", 86400000ms, "1970-01-02T00:00:00.000Z"},
      {"a leap day", 1709164800123ms, "2024-02-29T00:00:00.123Z"},
      {"no leap day in 2100", 4107542400000ms, "2100-03-01T00:00:00.000Z"},
      {"after 32-bit seconds", 4294967296000ms, "2106-02-07T06:28:16.000Z"},
      {"before the epoch", -1ms, "1969-12-31T23:59:59.999Z"},
      {"a day before", -86400001ms, "1969-12-30T23:59:59.999Z"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(format_timestamp(system_clock::time_point(c.since_epoch)), c.want);
  }
}

TEST(FormatTimestamp, CutsWhatIsBelowAMillisecond) {
  EXPECT_EQ(format_timestamp(system_clock::time_point(1999us)), "1970-01-01T00:00:00.001Z");
  EXPECT_EQ(format_timestamp(system_clock::time_point(-1us)), "1969-12-31T23:59:59.999Z");
}

TEST(SystemClock, Goes) {
  const auto before = system_clock::now();
  EXPECT_GE(grapnel::system_clock().now(), before);
}

}  // namespace
}  // namespace grapnel
