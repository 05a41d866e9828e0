#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>

#include <sys/resource.h>

#include "engine/fixture.h"
#include "run/harness.h"
#include "run/ways_out.h"

// Hooks that no event waits for, each of which does what it can so that something of it is left. They end at their own
// timeout, and the engine ends after them.

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

struct Level {
  const char* note;
  const char* sandbox;
  std::vector<std::string> means;  ///< of which the machine has one
};
const Level kByMark{"by mark", "", {"mark"}};
const Level kInASandbox{"in a sandbox", ", sandbox: { network: false }", {"scope", "sealed mark"}};
const Level kByGroup{"by group", "", {"group"}};

class AsyncHooks : public EngineTest {
 protected:
  /// One hook for each way out; `what` is the key of what it runs. They all run at the same time.
  std::string rules(const char* what, const Level& level, std::span<const WayOut> ways, milliseconds timeout) const {
    std::string out = "version: 1\nhooks:\n";
    for (size_t i = 0; i < ways.size(); ++i) {
      const std::string name = "way-" + std::to_string(i);
      dir_.put("project/" + name, "ready=" + ready(i) + "; export ready\n" + ways[i].script + "\n");
      out += "  - {name: " + name + ", on: PreToolUse, async: true, " + what + ": sh " + name +
             ", timeout: " + std::to_string(timeout.count()) + "ms" + level.sandbox + "}\n";
    }
    return out;
  }

  std::string ready(size_t way) const { return dir_ / ("ready/" + std::to_string(way)); }

  /// Fires the event and ends the engine.
  void fire_once(const std::string& rules) {
    dir_.put("home/.config/agents/grapnel.yaml", rules);
    EngineOptions with = options();
    with.env->push_back("GRAPNEL_TEST_OF=" + std::string(sh("").env.get("GRAPNEL_TEST_OF")));
    with.limits.term_grace = 100ms;
    auto engine = Engine::create(std::move(with));
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    engine->fire(pre_tool("Bash", "{}"));
  }

  /// Each has time enough to get away: on a busy machine that takes longer.
  void check_nothing_is_left(const char* what, const Level& level, std::span<const WayOut> ways) {
    SCOPED_TRACE(std::string(what) + ", " + level.note);
    const NothingLeft check;
    fs::remove_all(dir_ / "ready");
    fs::create_directories(dir_ / "ready");
    const auto have_got_away = [&] {
      for (size_t i = 0; i < ways.size(); ++i) {
        if (!fs::exists(ready(i))) return false;
      }
      return true;
    };
    for (milliseconds timeout = 400ms; !have_got_away(); timeout *= 2) {
      ASSERT_LT(timeout, kLong);
      sink_->records.clear();
      fire_once(rules(what, level, ways, timeout));
      check_record(level, ways);
    }
    for (size_t i = 0; i < ways.size(); ++i)
      EXPECT_TRUE(becomes_true([&] { return !is_left(ready(i)); })) << ways[i].note;
  }

  void check_record(const Level& level, std::span<const WayOut> ways) const {
    ASSERT_EQ(sink_->records.size(), 2u) << "of the event, and of its hooks";
    const Record& record = sink_->records.back();
    EXPECT_TRUE(record.in_background);
    ASSERT_EQ(record.hooks.size(), ways.size());
    for (size_t i = 0; i < ways.size(); ++i) {
      EXPECT_TRUE(record.hooks[i].detail.starts_with("timed out")) << ways[i].note << ": " << record.hooks[i].detail;
      EXPECT_EQ(std::ranges::count(level.means, record.hooks[i].contained.means), 1)
          << ways[i].note << ": " << record.hooks[i].contained.means;
    }
  }
};

TEST_F(AsyncHooks, LeaveNothingBehind) {
  check_nothing_is_left("run", kByMark, kWaysOut);
  check_nothing_is_left("run", kInASandbox, kWaysOut);
}

TEST_F(AsyncHooks, ThatAreWorkersLeaveNothingBehind) {
  check_nothing_is_left("worker", kByMark, kWaysOut);
  check_nothing_is_left("worker", kInASandbox, kWaysOut);
}

// The host uses the limit for what it is for, so that there is no mark.
TEST_F(AsyncHooks, LeaveNothingInTheirGroup) {
  std::vector<WayOut> ways;
  std::ranges::copy_if(kWaysOut, std::back_inserter(ways),
                       [](const WayOut& way) { return way.group == InGroup::Ends; });
  EXPECT_EQ(in_another_host([&] {
              const rlimit own{.rlim_cur = 1U << 30U, .rlim_max = 1U << 30U};
              if (::setrlimit(RLIMIT_RTTIME, &own) != 0) return 100;
              check_nothing_is_left("run", kByGroup, ways);
              check_nothing_is_left("worker", kByGroup, ways);
              return ::testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

}  // namespace
}  // namespace grapnel::testing
