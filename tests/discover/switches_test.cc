#include "discover/find/switches.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

using namespace std::chrono_literals;

int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

class SwitchesTest : public ::testing::Test {
 protected:
  void put(const std::string& content) { dir_.put("state/switches.json", content, 0600); }

  Discovered applied() {
    Discovered out;
    for (const auto& [name, scope] : {std::pair("guard", Scope::User), std::pair("guard", Scope::Managed),
                                      std::pair("theirs", Scope::Project), std::pair("call", Scope::Callback)}) {
      HookSpec hook;
      hook.name = name;
      hook.scope = scope;
      out.registry.hooks.push_back(std::move(hook));
    }
    apply_switches(path_, out);
    return out;
  }

  static std::string on(const Discovered& discovered) {
    std::string out;
    for (const HookSpec& hook : discovered.registry.hooks) out += hook.enabled ? '1' : '0';
    return out;
  }

  testing::TempDir dir_;
  std::string path_ = dir_ / "state/switches.json";
};

TEST_F(SwitchesTest, OffAndOnAgain) {
  EXPECT_EQ(load_switches(path_).value(), Switches{}) << "without a file nothing is off";
  ASSERT_TRUE(switch_off(path_, "guard", std::nullopt));
  ASSERT_TRUE(switch_off(path_, "a \"name\"\n", std::nullopt));
  EXPECT_EQ(load_switches(path_).value(), (Switches{{"guard", std::nullopt}, {"a \"name\"\n", std::nullopt}}));
  ASSERT_TRUE(switch_on(path_, "guard"));
  ASSERT_TRUE(switch_on(path_, "never off"));
  EXPECT_EQ(load_switches(path_).value(), (Switches{{"a \"name\"\n", std::nullopt}}));
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(SwitchesTest, ForAWhile) {
  const int64_t before = now();
  ASSERT_TRUE(switch_off(path_, "guard", 600s));
  const int64_t after = now();
  const Switches off = load_switches(path_).value();
  ASSERT_TRUE(off.at("guard"));
  EXPECT_GE(*off.at("guard"), before + 600);
  EXPECT_LE(*off.at("guard"), after + 600);
  ASSERT_TRUE(switch_off(path_, "guard", std::nullopt)) << "and then for good";
  EXPECT_FALSE(load_switches(path_).value().at("guard"));
}

TEST_F(SwitchesTest, WhatHasRunOutIsOn) {
  put(R"({"version": 1, "disabled": {"past": )" + std::to_string(now() - 1) + R"(, "future": )" +
      std::to_string(now() + 100) + R"(, "good": null}})");
  EXPECT_EQ(load_switches(path_).value().size(), 2u);
  ASSERT_TRUE(switch_on(path_, "good"));
  std::ostringstream text;
  text << std::ifstream(path_).rdbuf();
  EXPECT_EQ(text.str().find("past"), std::string::npos) << "forgotten with the next change";
}

TEST_F(SwitchesTest, WhatCannotBeReadSwitchesNothingOffAndStaysAsItIs) {
  struct Case {
    const char* note;
    const char* content;
  };
  const Case cases[] = {
      {"no JSON", "{"},
      {"empty", ""},
      {"a list", "[]"},
      {"without the list", R"({"version": 1})"},
      {"another shape", R"({"version": 1, "disabled": ["guard"]})"},
      {"a time that is none", R"({"version": 1, "disabled": {"guard": "soon"}})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    put(c.content);
    EXPECT_FALSE(load_switches(path_));
    EXPECT_FALSE(switch_off(path_, "other", std::nullopt));
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    EXPECT_EQ(text.str(), c.content);
    const Discovered discovered = applied();
    EXPECT_EQ(on(discovered), "1111");
    ASSERT_EQ(discovered.registry.problems.size(), 1u);
    EXPECT_EQ(discovered.registry.problems[0].hint, "until it can be read, no hook is switched off");
  }
}

TEST_F(SwitchesTest, AreAppliedToAllButManagedHooks) {
  EXPECT_EQ(on(applied()), "1111");
  put(R"({"version": 1, "disabled": {"guard": null, "theirs": null, "call": null, "nobody": null}})");
  EXPECT_EQ(on(applied()), "0100");
}

TEST_F(SwitchesTest, SayWhenTheFirstRunsOut) {
  EXPECT_FALSE(applied().sources.good_until);
  const int64_t soon = now() + 50;
  put(R"({"version": 1, "disabled": {"a": null, "b": )" + std::to_string(soon + 9) + R"(, "c": )" +
      std::to_string(soon) + "}}");
  Sources sources = applied().sources;
  EXPECT_EQ(sources.good_until, soon);
  EXPECT_FALSE(sources.have_changed());
  sources.good_until = now() - 1;
  EXPECT_TRUE(sources.have_changed());
}

TEST_F(SwitchesTest, TheFileIsWatchedEvenBeforeItIsThere) {
  const Sources sources = applied().sources;
  EXPECT_FALSE(sources.have_changed());
  ASSERT_TRUE(switch_off(path_, "guard", std::nullopt));
  EXPECT_TRUE(sources.have_changed());
}

TEST_F(SwitchesTest, LoseNothingWhenManyWrite) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] { EXPECT_TRUE(switch_off(path_, "h" + std::to_string(i), std::nullopt)); });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(load_switches(path_).value().size(), 8u);
}

TEST_F(SwitchesTest, CanStandInTheCurrentDirectory) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  EXPECT_TRUE(switch_off("switches.json", "guard", std::nullopt));
  EXPECT_EQ(load_switches("switches.json").value().size(), 1u);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace grapnel
