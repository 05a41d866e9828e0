#include "discover/find/overrides.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

using std::chrono::milliseconds;

TEST(ParseDuration, ReadsWhatPeopleWrite) {
  struct Case {
    const char* text;
    int64_t milliseconds;  ///< 0: no duration
  };
  const Case cases[] = {
      {"500ms", 500},       {"30s", 30000}, {"2m", 120000},    {"1h", 3600000},  {"5", 5000},
      {"1.5s", 1500},       {"0.5", 500},   {" 30 s ", 30000}, {"1e3ms", 1000},  {"1ms", 1},
      {"720h", 2592000000}, {"", 0},        {"s", 0},          {"0", 0},         {"-5s", 0},
      {"0.5ms", 0},         {"5x", 0},      {"5S", 0},         {"5 minutes", 0}, {"nan", 0},
      {"inf", 0},           {"721h", 0},    {"1e300h", 0},     {"0x10", 0},      {"five", 0},
      {"5s5s", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(parse_duration(c.text).value_or(milliseconds(0)).count(), c.milliseconds);
  }
}

TEST(Overrides, Disable) {
  struct Case {
    const char* value;
    bool all;
    std::set<std::string> names;
  };
  const Case cases[] = {
      {"", false, {}},
      {"0", false, {}},
      {" ", false, {}},
      {"1", true, {}},
      {"true", true, {}},
      {"TRUE", true, {}},
      {" all ", true, {}},
      {"guard", false, {"guard"}},
      {"a, b c ,d", false, {"a", "b c", "d"}},
      {"a,all", false, {"a", "all"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.value);
    const Overrides got = read_overrides(Environment({std::string("GRAPNEL_DISABLE=") + c.value}));
    EXPECT_EQ(got.disable_all, c.all);
    EXPECT_EQ(got.disabled_names, c.names);
  }
  EXPECT_FALSE(read_overrides(Environment()).disable_all);
}

TEST(Overrides, TimeoutAndFiles) {
  const Overrides none = read_overrides(Environment());
  EXPECT_FALSE(none.timeout);
  EXPECT_TRUE(none.config_files.empty());
  EXPECT_TRUE(none.problems.empty());

  const Overrides good = read_overrides(Environment({"GRAPNEL_TIMEOUT=1.5s", "GRAPNEL_CONFIG=/a.json::/b c.json:"}));
  EXPECT_EQ(good.timeout, milliseconds(1500));
  EXPECT_EQ(good.config_files, (std::vector<std::string>{"/a.json", "/b c.json"}));

  const Overrides bad = read_overrides(Environment({"GRAPNEL_TIMEOUT=soon"}));
  EXPECT_FALSE(bad.timeout);
  EXPECT_EQ(bad.problems,
            (std::vector<std::string>{"GRAPNEL_TIMEOUT='soon' is not a duration; write 30s, 500ms or 2m"}));

  EXPECT_TRUE(read_overrides(Environment({"GRAPNEL_SHELL=/bin/sh"})).problems.empty());
  for (const char* shell : {"/bin/shh", "dash", "/etc/passwd"}) {
    SCOPED_TRACE(shell);
    const Overrides wrong = read_overrides(Environment({std::string("GRAPNEL_SHELL=") + shell}));
    ASSERT_EQ(wrong.problems.size(), 1U);
    EXPECT_TRUE(
        wrong.problems[0].starts_with("GRAPNEL_SHELL='" + std::string(shell) + "' is not the full path of a program"));
  }
}

}  // namespace
}  // namespace grapnel
