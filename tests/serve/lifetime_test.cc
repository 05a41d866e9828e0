#include <algorithm>
#include <atomic>
#include <csignal>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "serve/world.h"

/// How servers come and go, and who they serve.
namespace grapnel::testing {

namespace {

bool is_alive(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

TEST(Lifetime, SocketIsForItsUserAlone) {
  World world;
  const RunningServer server(world);
  struct stat socket, directory;
  ASSERT_EQ(::stat(world.socket().c_str(), &socket), 0);
  ASSERT_EQ(::stat((world.dir() / "run/grapnel").c_str(), &directory), 0);
  EXPECT_EQ(socket.st_mode & 0777, 0600u);
  EXPECT_EQ(directory.st_mode & 0777, 0700u);
}

TEST(Lifetime, NoServerInADirectoryThatOthersEnter) {
  World world;
  std::filesystem::create_directories(world.dir() / "run/grapnel");
  ::chmod((world.dir() / "run/grapnel").c_str(), 0755);
  const Ended ended = world.run({"serve"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.err.find("nobody else may have access to it"), std::string::npos) << ended;
}

TEST(Lifetime, EndsOnRequestAndOnSignals) {
  for (const int signal : {0, SIGTERM, SIGINT, SIGHUP}) {
    SCOPED_TRACE(signal);
    World world;
    RunningServer server(world);
    if (signal == 0) {
      EXPECT_EQ(world.run({"serve", "--stop", "--yes"}).status, 0);
    } else {
      server.send(signal);
    }
    EXPECT_EQ(server.wait(), 0);
    EXPECT_FALSE(std::filesystem::exists(world.socket()));
    EXPECT_EQ(world.run({"serve", "--status"}), (Ended{1, "", "grapnel: no server is running\n"}));
  }
}

TEST(Lifetime, EndsWhenIdle) {
  World world;
  RunningServer server(world, {"--idle", "300ms"});
  EXPECT_EQ(server.wait(), 0);
}

TEST(Lifetime, EndsWhenItsSocketIsGone) {
  World world;
  RunningServer server(world);
  std::filesystem::remove(world.socket());
  EXPECT_EQ(server.wait(), 0);
}

TEST(Lifetime, OfTwoThatStartAtOnceOneStays) {
  World world;
  std::vector<Ended> ended(4);
  std::vector<std::thread> threads;
  std::atomic<int> gone = 0;
  for (Ended& one : ended) threads.emplace_back([&] { one = world.run({"serve", "--idle", "1h"}), ++gone; });
  EXPECT_TRUE(becomes_true([&] { return gone == 3; }));
  EXPECT_EQ(world.run({"serve", "--stop", "--yes"}).status, 0);
  for (std::thread& thread : threads) thread.join();
  const Ended refused{1, "", "grapnel: a server is already running\n"};
  EXPECT_EQ(std::ranges::count(ended, refused), 3);
  EXPECT_EQ(std::ranges::count(ended, Ended{0, "", ""}), 1);
}

TEST(Lifetime, TakesOverFromOneThatWasKilled) {
  World world;
  world.configure_hook("exit 2");
  {
    const RunningServer killed(world);
    EXPECT_TRUE(world.fire().denies());
  }
  EXPECT_TRUE(std::filesystem::exists(world.socket()));
  const RunningServer server(world);
  EXPECT_TRUE(world.fire().denies());
  EXPECT_EQ(world.requests(), 1);
}

struct Wish {
  const char* note;
  const char* setting;   ///< in settings.yaml, or ""
  const char* variable;  ///< or ""
  bool is_started;
};

TEST(Lifetime, StartsOnDemand) {
  const Wish wishes[] = {
      {"nothing is said", "", "", false},
      {"by variable", "", "GRAPNEL_SERVE=auto", true},
      {"by setting", "serve: auto\n", "", true},
      {"setting off", "serve: off\n", "", false},
      {"the variable counts", "serve: auto\n", "GRAPNEL_SERVE=off", false},
  };
  for (const Wish& wish : wishes) {
    SCOPED_TRACE(wish.note);
    World world;
    world.configure_hook("exit 2");
    if (*wish.setting != '\0') world.dir().put("home/.config/grapnel/settings.yaml", wish.setting);
    if (*wish.variable != '\0') world.set(wish.variable);
    EXPECT_TRUE(world.fire().denies());
    EXPECT_TRUE(world.fire().denies());
    if (!wish.is_started) {
      EXPECT_FALSE(std::filesystem::exists(world.dir() / "run/grapnel/serve.lock"));
      continue;
    }
    EXPECT_TRUE(becomes_true([&] { return world.status().is_object(); }));
    EXPECT_TRUE(world.fire().denies());
    EXPECT_GE(world.requests(), 1);
    EXPECT_EQ(world.run({"serve", "--stop", "--yes"}).status, 0);
  }
}

TEST(Lifetime, Status) {
  World world;
  EXPECT_EQ(world.run({"serve", "--status", "--json"}), (Ended{1, "null\n", ""}));
  EXPECT_EQ(world.run({"serve", "--background"}), (Ended{0, "", ""}));
  EXPECT_EQ(world.run({"serve", "--background"}), (Ended{0, "", ""})) << "one is enough";
  world.configure_hook("exit 0");
  world.fire();
  const Json status = world.status();
  EXPECT_EQ(status["requests"].as_integer(), 1);
  EXPECT_EQ(status["engines"].as_integer(), 1);
  EXPECT_EQ(status["running"].as_integer(), 0);
  EXPECT_EQ(status["workers"].as_integer(), 0);
  EXPECT_TRUE(status["socket"].equals_string(world.socket()));
  const auto pid = static_cast<pid_t>(status["pid"].as_integer().value_or(0));
  EXPECT_TRUE(is_alive(pid));
  EXPECT_NE(world.run({"serve", "--status"}).out.find("1 request, 0 running, 1 engine, 0 workers, 0 warm\n"),
            std::string::npos);
  EXPECT_EQ(world.run({"serve", "--stop", "--yes"}).status, 0);
  EXPECT_TRUE(becomes_true([&] { return !is_alive(pid); }));
}

TEST(Lifetime, AClientThatDiesTakesItsHooksAlong) {
  World world;
  world.configure_hook("echo $$ > ../pid; exec sleep 600");
  const RunningServer server(world);
  World::Started client = world.start({"fire", "--as", "gemini"});
  const std::string call = tool_call();
  ASSERT_EQ(::write(client.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
  const auto hook = [&] { return std::atoi(world.dir().read("pid").c_str()); };
  ASSERT_TRUE(becomes_true([&] { return hook() > 0; }));
  ::kill(client.pid, SIGKILL);
  ::waitpid(client.pid, nullptr, 0);
  EXPECT_TRUE(becomes_true([&] { return !is_alive(hook()); }));
  EXPECT_TRUE(becomes_true([&] { return world.status()["running"].as_integer() == 0; }));
}

TEST(Lifetime, WhatRunsIsLetToItsEnd) {
  World world;
  world.configure_hook("touch ../started; while [ ! -e ../go ]; do sleep 0.02; done; echo no >&2; exit 2");
  RunningServer server(world);
  Ended ended;
  std::thread client([&] { ended = world.fire(); });
  EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(world.dir() / "started"); }));
  server.send(SIGTERM);
  EXPECT_TRUE(becomes_true([&] { return !std::filesystem::exists(world.socket()); }));
  world.dir().put("go", "");
  client.join();
  EXPECT_EQ(server.wait(), 0);
  EXPECT_TRUE(ended.denies()) << ended;
}

/// Hooks that no event waits for are waited for by the server.
TEST(Lifetime, AsyncHooksEndFirst) {
  World world;
  world.dir().put("home/.claude/settings.json", R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","async":true,
    "command":"touch ../started; while [ ! -e ../go ]; do sleep 0.02; done; touch ../done"}]}]}})");
  RunningServer server(world);
  EXPECT_EQ(
      world.run({"fire", "--as", "claude"}, R"({"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}})")
          .status,
      0);
  EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(world.dir() / "started"); }));
  server.send(SIGTERM);
  EXPECT_TRUE(becomes_true([&] { return !std::filesystem::exists(world.socket()); }));
  EXPECT_FALSE(std::filesystem::exists(world.dir() / "done"));
  world.dir().put("go", "");
  EXPECT_EQ(server.wait(), 0);
  EXPECT_TRUE(std::filesystem::exists(world.dir() / "done"));
}

/// Nobody asks for it, and no event waits for it.
TEST(Lifetime, TidiesUpByItself) {
  World world;
  world.configure_hook("cat >/dev/null");
  const std::string state = "home/.local/state/grapnel/";
  EXPECT_EQ(world.fire_alone().status, 0);
  const std::string old_session = world.dir().put("run/grapnel/" + std::string(32, 'a') + ".json", "{}");
  std::filesystem::last_write_time(old_session, std::filesystem::file_time_type::clock::now() - std::chrono::days(40));
  const std::string time = "\"time\":\"20";
  std::string records = world.dir().read(state + "records.jsonl");
  ASSERT_NE(records.find(time), std::string::npos);
  world.dir().put(state + "records.jsonl", records.replace(records.find(time) + time.size(), 2, "20"));
  const RunningServer server(world);
  EXPECT_TRUE(becomes_true([&] { return !std::filesystem::exists(old_session); })) << "a session of long ago";
  const auto has_old_records = [&] {
    return std::filesystem::exists(world.dir() / (state + "records.000001.jsonl")) ||
           world.dir().read(state + "records.jsonl").find("\"time\":\"2020") != std::string::npos;
  };
  EXPECT_TRUE(becomes_true([&] { return !has_old_records(); })) << "records of years ago";
}

}  // namespace

}  // namespace grapnel::testing
