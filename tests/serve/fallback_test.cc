#include <csignal>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "cli/client/wire.h"
#include "serve/world.h"

/// Whatever is at the place of a server, `fire` answers.
namespace grapnel::testing {

namespace {

constexpr std::string_view kGarbage = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}";
static_assert(kGarbage.size() > sizeof(ReplyHead));

void send_bytes(int connection, const void* bytes, size_t size) {
  ::send(connection, bytes, size, MSG_NOSIGNAL);
}

void read_a_little(int connection) {
  char buffer[4096];
  static_cast<void>(::recv(connection, buffer, sizeof buffer, 0));
}

void wait_for_hang_up(int connection) {
  char buffer[4096];
  while (::recv(connection, buffer, sizeof buffer, 0) > 0) {
  }
}

/// An impostor that says yes to everything, in a reply that is wrong in one respect.
Impostor::Behaviour says_yes(ReplyHead head, std::string texts) {
  return [=](int connection) {
    read_a_little(connection);
    send_bytes(connection, &head, sizeof head);
    send_bytes(connection, texts.data(), texts.size());
  };
}

struct FallbackCase {
  const char* note;
  Impostor::Behaviour behaviour;
};

TEST(Fallback, FromImpostors) {
  const ReplyHead yes{.magic = SERVE_MAGIC, .kind = kReplyAnswer, .status = 0, .out = 2};
  ReplyHead of_another_version = yes, of_another_kind = yes, declined = yes;
  of_another_version.magic += 1;
  of_another_kind.kind = 99;
  declined.kind = kReplyDeclined;
  const FallbackCase cases[] = {
      {"hangs up at once", [](int) {}},
      {"hangs up when it has read", read_a_little},
      {"speaks garbage", [](int connection) { send_bytes(connection, kGarbage.data(), kGarbage.size()); }},
      {"speaks another version", says_yes(of_another_version, "{}")},
      {"says what there is no word for", says_yes(of_another_kind, "{}")},
      {"declines", says_yes(declined, "")},
      {"says half an answer", says_yes(yes, "{")},
      {"says half a head", [&](int connection) { read_a_little(connection), send_bytes(connection, &yes, 12); }},
      {"says nothing for good", wait_for_hang_up},
  };
  for (const FallbackCase& one : cases) {
    SCOPED_TRACE(one.note);
    World world;
    world.configure_hook("echo run >> ../runs; cat >&2; exit 2");
    const Impostor impostor(world, one.behaviour);
    const Ended ended = world.fire();
    EXPECT_EQ(world.dir().read("runs"), "run\n");
    EXPECT_TRUE(ended.denies());
    EXPECT_EQ(ended, world.fire_alone());
  }
}

TEST(Fallback, ThereIsNoServer) {
  struct Place {
    const char* note;
    std::function<void(const World&)> make;
  };
  const Place places[] = {
      {"nothing", [](const World&) {}},
      {"a file", [](const World& world) { world.dir().put("run/grapnel/serve.sock", "x"); }},
      {"a socket nobody listens at", [](const World& world) { const Impostor gone(world, [](int) {}); }},
      {"a directory", [](const World& world) { std::filesystem::create_directories(world.socket()); }},
  };
  for (const Place& place : places) {
    SCOPED_TRACE(place.note);
    World world;
    world.configure_hook("echo no >&2; exit 2");
    place.make(world);
    EXPECT_EQ(world.fire(), world.fire_alone());
    EXPECT_TRUE(world.fire().denies());
  }
}

TEST(Fallback, ServerIsKilledInTheMiddle) {
  World world;
  world.configure_hook("echo run >> ../runs; while [ ! -e ../go ]; do sleep 0.02; done; echo no >&2; exit 2");
  const RunningServer server(world);
  Ended ended;
  std::thread client([&] { ended = world.fire(); });
  EXPECT_TRUE(becomes_true([&] { return !world.dir().read("runs").empty(); }));
  server.send(SIGKILL);
  EXPECT_TRUE(becomes_true([&] { return world.dir().read("runs") == "run\nrun\n"; }));
  world.dir().put("go", "");
  client.join();
  EXPECT_EQ(ended, world.fire_alone());
  EXPECT_TRUE(ended.denies());
}

TEST(Fallback, ServerIsStopped) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  const RunningServer server(world);
  server.send(SIGSTOP);
  EXPECT_EQ(world.fire(), world.fire_alone());
}

TEST(Fallback, ServerOfAnotherBuild) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  std::filesystem::create_directories(world.dir() / "bin");
  std::filesystem::copy_file(GRAPNEL_COMMAND, world.dir() / "bin/grapnel");
  std::filesystem::copy_file(GRAPNEL_ENGINE, world.dir() / "bin/grapnel-engine");
  world.use_program(world.dir() / "bin/grapnel");
  RunningServer server(world);
  const Ended want = world.fire();
  EXPECT_EQ(world.requests(), 1);

  World other_program;
  world.use_program(GRAPNEL_COMMAND);
  EXPECT_EQ(world.fire(), want);
  EXPECT_EQ(world.requests(), 1) << "asked by another program, and declined";

  world.use_program(world.dir() / "bin/grapnel");
  std::filesystem::copy_file(GRAPNEL_ENGINE, world.dir() / "bin/next");
  std::filesystem::rename(world.dir() / "bin/next", world.dir() / "bin/grapnel-engine");
  EXPECT_EQ(world.fire(), want);
  EXPECT_EQ(server.wait(), 0) << "a program that was replaced leaves";
}

/// By whatever name the program is started, the one beside its file is meant.
TEST(Fallback, StartedByALink) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  const RunningServer server(world);
  std::filesystem::create_directories(world.dir() / "links");
  std::filesystem::create_symlink(GRAPNEL_COMMAND, world.dir() / "links/grapnel");
  world.dir().put("links/grapnel-engine", "#!/bin/sh\necho another\n", 0755);
  world.use_program(world.dir() / "links/grapnel");
  EXPECT_TRUE(world.fire().denies());
  EXPECT_EQ(world.requests(), 1);
  EXPECT_EQ(world.fire(), world.fire_alone());
}

TEST(Fallback, TheFullProgramIsNotThere) {
  struct Missing {
    const char* note;
    std::vector<std::string> words;
    int status;
  };
  const Missing cases[] = {
      {"an agent must neither be blocked nor told that all is well", {"fire", "--as", "gemini"}, 1},
      {"a person", {"list"}, 3},
  };
  World world;
  std::filesystem::create_directories(world.dir() / "bin");
  std::filesystem::copy_file(GRAPNEL_COMMAND, world.dir() / "bin/grapnel");
  world.use_program(world.dir() / "bin/grapnel");
  for (const Missing& one : cases) {
    SCOPED_TRACE(one.note);
    const std::string why =
        "grapnel: cannot start " + (world.dir() / "bin/grapnel-engine") +
        ": the file does not exist\n"
        "grapnel: this program works only with grapnel-engine in the same directory. Copy the whole bin/ of the "
        "release, run its install.sh, or use a link to grapnel instead of a copy.\n";
    EXPECT_EQ(world.run(one.words, tool_call()), (Ended{one.status, "", why}));
  }
}

TEST(Fallback, OverTheLimitOfRequests) {
  World world;
  world.configure_hook("while [ ! -e ../go ]; do sleep 0.05; done; echo no >&2; exit 2");
  const RunningServer server(world);
  std::vector<Ended> all;
  std::thread clients([&] { all = world.fire_many(70); });
  EXPECT_TRUE(becomes_true([&] { return world.requests() == 64 || world.status()["error"]; }));
  world.dir().put("go", "");
  clients.join();
  const Ended want = world.fire_alone();
  for (const Ended& ended : all) EXPECT_EQ(ended, want);
}

}  // namespace

}  // namespace grapnel::testing
