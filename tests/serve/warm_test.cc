#include <dirent.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "serve/world.h"

/// Warm hooks with real servers: who is killed, and when, loses no verdict and leaves nothing behind.
namespace grapnel::testing {

namespace {

constexpr std::string_view kMark = "GRAPNEL_TEST_MARK";

/// Hooks are warm whatever their format, and all that is started carries a mark.
class WarmWorld : public World {
 public:
  WarmWorld() {
    dir().put("home/.config/grapnel/settings.yaml", "warm: ['*']\n");
    set(mark());
  }

  /// Runs of this world's hooks: waiting, or at work. Only hooks are told how deeply they are nested.
  std::vector<pid_t> hook_processes() const { return processes("GRAPNEL_DEPTH="); }
  /// All that this world has started and that has not ended.
  std::vector<pid_t> all_processes() const { return processes(""); }

  Json warm() const { return status()["warm"]; }
  /// Whoever calls with other variables has a process of their own.
  bool is_waiting() const {
    const Json now = warm();
    return now["waiting"].as_integer().value_or(0) >= 1 && now["pending"].as_integer() == 0;
  }
  int64_t used() const { return warm()["used"].as_integer().value_or(-1); }

 private:
  std::string mark() const { return std::string(kMark) + "=" + dir().path(); }
  std::vector<pid_t> processes(std::string_view variable) const {
    std::vector<pid_t> out;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const std::string variables = text_of(entry.path() / "environ");
      if (variables.find(mark()) == std::string::npos || variables.find(variable) == std::string::npos) continue;
      out.push_back(std::stoi(name));
    }
    return out;
  }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST(WarmServed, AnswersAsTheCommandDoes) {
  struct Case {
    const char* note;
    std::string command;
  };
  const Case cases[] = {
      {"denies with its exit status", "cat >/dev/null; echo no >&2; exit 2"},
      {"denies in JSON", R"(cat >/dev/null; echo '{"decision":"deny","reason":"no"}')"},
      {"takes its answer back", R"(cat >/dev/null; echo '{"decision":"allow"}'; exec >&-; exit 2)"},
      {"fails", "cat >/dev/null; exit 7"},
      {"lets it pass", "cat >/dev/null"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    // People are told some things once, so each has a world of its own.
    WarmWorld world, cold;
    for (WarmWorld* each : {&world, &cold}) each->configure_hook(one.command);
    const RunningServer server(world);
    EXPECT_EQ(world.fire(), cold.fire_alone());
    ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
    EXPECT_EQ(world.fire(), cold.fire_alone());
    EXPECT_EQ(world.used(), 1);
  }
}

TEST(WarmServed, TheRecordSaysHowItWasStarted) {
  WarmWorld world;
  world.configure_hook("cat >/dev/null");
  const RunningServer server(world);
  world.fire();
  ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
  EXPECT_NE(world.run({"why"}).out.find("cold: no process was waiting\n"), std::string::npos);
  world.fire();
  EXPECT_NE(world.run({"why"}).out.find("warm: its process was started before the event\n"), std::string::npos);
  world.fire_alone();
  const std::string alone = world.run({"why"}).out;
  EXPECT_EQ(alone.find("cold:"), std::string::npos) << "without a server the mark has no effect";
}

TEST(WarmServed, ChangesCountAtOnce) {
  WarmWorld world;
  const std::string script = world.dir().put("guard.sh", "cat >/dev/null\n");
  world.configure_hook("sh " + script);
  const RunningServer server(world);
  world.fire();
  ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
  world.dir().put("guard.sh", "cat >/dev/null; echo no >&2; exit 2\n");
  EXPECT_TRUE(world.fire().denies()) << "the script";
  ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
  world.configure_hook("cat >/dev/null");
  EXPECT_FALSE(world.fire().denies()) << "the definition";
  world.dir().put("home/.config/grapnel/settings.yaml", "");
  world.fire();
  EXPECT_TRUE(becomes_true([&] { return world.hook_processes().empty(); })) << "nobody is warm any more";
}

TEST(WarmServed, FilesBesideHookFilesChangeNothing) {
  WarmWorld world;
  world.configure_hook("cat >/dev/null");
  const RunningServer server(world);
  world.fire();
  ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
  // Directories in which hook files could be have new stamps, so all hook files are read again.
  for (const char* name : {"new.txt", "home/new.txt", "home/.config/new.txt"}) world.dir().put(name, "x");
  world.fire();
  EXPECT_EQ(world.used(), 1);
}

TEST(WarmServed, TwoCallersHaveTheirOwn) {
  WarmWorld world;
  world.configure_hook("cat >/dev/null; echo $WHO >&2; exit 2");
  const RunningServer server(world);
  for (int round = 0; round < 3; ++round) {
    for (const char* who : {"ann", "bob"}) {
      const Ended ended = world.run({"fire", "--as", "gemini"}, tool_call(), {std::string("WHO=") + who});
      EXPECT_NE(ended.out.find(who), std::string::npos) << ended;
      ASSERT_TRUE(becomes_true([&] { return world.warm()["pending"].as_integer() == 0; }));
    }
  }
  EXPECT_EQ(world.used(), 4);
}

TEST(WarmServed, EndsWithTheServer) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    SCOPED_TRACE(signal);
    WarmWorld world;
    world.configure_hook("cat >/dev/null; echo no >&2; exit 2");
    RunningServer server(world);
    world.fire();
    ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
    EXPECT_FALSE(world.hook_processes().empty());
    server.send(signal);
    server.wait();
    EXPECT_TRUE(becomes_true([&] { return world.hook_processes().empty(); }));
  }
}

/// Starts an agent that asks its hooks about a call, gives it some time, and kills it.
void kill_agent(const WarmWorld& world, std::chrono::microseconds moment) {
  const std::string ask = std::string(GRAPNEL_COMMAND) + " fire --as gemini; :";
  World::Started agent = world.start_program("/bin/sh", {"sh", "-c", ask});
  const std::string call = tool_call();
  ASSERT_EQ(::write(agent.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
  std::this_thread::sleep_for(moment);
  ::kill(agent.pid, SIGKILL);
  ::waitpid(agent.pid, nullptr, 0);
}

/// Kills somebody at a moment that nobody chose, again and again.
TEST(WarmServed, NoVerdictIsLostWhoeverIsKilled) {
  constexpr int kRounds = 25;
  enum class Victim : uint8_t { Waiting, Server, Client, Agent };
  for (const Victim victim : {Victim::Waiting, Victim::Server, Victim::Client, Victim::Agent}) {
    SCOPED_TRACE(static_cast<int>(victim));
    WarmWorld world;
    world.configure_hook("cat >/dev/null; echo no >&2; exit 2");
    const Ended want = world.fire_alone();
    ASSERT_TRUE(want.denies());
    auto server = std::make_unique<RunningServer>(world);
    std::minstd_rand random(7);
    for (int round = 0; round < kRounds; ++round) {
      SCOPED_TRACE(round);
      EXPECT_EQ(world.fire(), want);
      ASSERT_TRUE(becomes_true([&] { return world.is_waiting(); }));
      // A fire takes some milliseconds; under a sanitizer, some dozens.
      const std::chrono::microseconds moment(random() % 40'000);
      if (victim == Victim::Agent) {
        kill_agent(world, moment);
        continue;
      }
      if (victim == Victim::Client) {
        World::Started client = world.start({"fire", "--as", "gemini"});
        const std::string call = tool_call();
        ASSERT_EQ(::write(client.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
        client.input.reset();
        std::this_thread::sleep_for(moment);
        ::kill(client.pid, SIGKILL);
        ::waitpid(client.pid, nullptr, 0);
        continue;
      }
      Ended ended;
      std::thread client([&] { ended = world.fire(); });
      std::this_thread::sleep_for(moment);
      if (victim == Victim::Server) {
        server->send(SIGKILL);
        server->wait();
      } else {
        for (const pid_t pid : world.hook_processes()) ::kill(pid, SIGKILL);
      }
      client.join();
      EXPECT_EQ(ended, want);
      if (victim == Victim::Server) server = std::make_unique<RunningServer>(world);
    }
    server->send(SIGTERM);
    server->wait();
    EXPECT_TRUE(becomes_true([&] { return world.all_processes().empty(); })) << "something was left behind";
  }
}

}  // namespace

}  // namespace grapnel::testing
