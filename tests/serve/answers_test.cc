#include <algorithm>

#include <gtest/gtest.h>

#include "serve/world.h"

/// A server answers as the command does by itself, byte for byte, and what it should not answer it does not.
namespace grapnel::testing {

namespace {

struct Case {
  const char* note;
  std::vector<std::string> words;
  std::string input;
  bool is_served = true;
};

TEST(Served, AnswersAreThoseOfTheCommand) {
  World world;
  world.dir().put("project/more.json",
                  R"({"hooks":{"BeforeTool":[{"hooks":[{"command":"echo more","type":"command"}]}]}})");
  world.dir().put("broken.json", "{");
  std::filesystem::create_directories(world.dir() / "project/sub");
  world.configure_hook("cat > @; pwd >&2; echo no: $HELD >&2; exit 2");
  const std::string call = tool_call();
  const Case cases[] = {
      {"a deny for an agent", {"fire", "--as", "gemini"}, call},
      {"the same, spelled otherwise", {"fire", "-a", "gemini", "BeforeTool"}, call},
      {"and with an equals sign", {"fire", "--as=gemini"}, call},
      {"the decision", {"fire", "--as", "gemini", "--json"}, call},
      {"with what hooks say", {"fire", "--as", "gemini", "--verbose"}, call},
      {"canonical", {"fire", "PreToolUse"}, R"({"tool_name":"Bash","tool_input":{"command":"ls"}})"},
      {"no hook listens", {"fire", "--as", "gemini"}, R"({"hook_event_name":"SessionStart"})"},
      {"an event nobody knows", {"fire", "--as", "gemini"}, R"({"hook_event_name":"Nothing"})"},
      {"no event at all", {"fire", "--as", "gemini"}, "{}"},
      {"words disagree with the payload", {"fire", "--as", "gemini", "AfterTool"}, call},
      {"an unknown dialect", {"fire", "--as", "gemni"}, call},
      {"JSON that is none, in braces", {"fire", "--as", "gemini"}, "{\"a\" 1}"},
      {"another project", {"fire", "--as", "gemini", "--project", "sub"}, call},
      {"a project that is not there", {"fire", "--as", "gemini", "--project", "nowhere"}, call},
      {"a file besides", {"fire", "--as", "gemini", "--config", world.project() + "/more.json"}, call},
      {"that file alone",
       {"fire", "--as", "gemini", "--config=" + world.project() + "/more.json", "--no-hook-files"},
       call},
      {"a broken file", {"fire", "--as", "gemini", "--config", world.dir() / "broken.json"}, call},
      {"space around the payload", {"fire", "--as", "gemini"}, "\n " + call + " \n"},
      {"a byte-order mark", {"fire", "--as", "gemini"}, "\xEF\xBB\xBF" + call},
      {"a file named from here", {"fire", "--as", "gemini", "--config", "more.json"}, call, false},
      {"help", {"fire", "--help"}, "", false},
      {"an unknown option", {"fire", "--as", "gemini", "--nothing"}, call, false},
      {"an option without its value", {"fire", "--as"}, call, false},
      {"the payload in a file", {"fire", "--as", "gemini", "--input", "more.json"}, "", false},
      {"nothing on standard input", {"fire", "--as", "gemini"}, "", false},
      {"no object", {"fire", "--as", "gemini"}, "[1]", false},
      {"half an object", {"fire", "--as", "gemini"}, "{\"a\":", false},
      {"more than an object", {"fire", "--as", "gemini"}, call + call, false},
      {"another verb", {"list"}, "", false},
      {"none", {}, "", false},
  };
  const RunningServer server(world);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    const int64_t before = world.requests();
    Ended served = world.run(one.words, one.input, {"HELD=back"});
    EXPECT_EQ(world.requests() - before, one.is_served ? 1 : 0);
    Ended alone = world.run(one.words, one.input, {"HELD=back", "GRAPNEL_SERVE=off"});
    served.out = without_ids(served.out);
    alone.out = without_ids(alone.out);
    EXPECT_EQ(served, alone);
  }
}

/// The first event of a session finds the project, and the session keeps it: whoever answers the first event, and
/// whoever answers a later one from another directory.
TEST(Served, ASessionKeepsItsProjectWhoeverAnswers) {
  World world;
  world.dir().put("project/.agents/grapnel.yaml",
                  "version: 1\nhooks:\n  - name: guard\n    on: PreToolUse\n    deny: no\n");
  std::filesystem::create_directories(world.dir() / "project/sub/deep");
  std::filesystem::create_directories(world.dir() / "elsewhere");
  ASSERT_EQ(world.run({"trust", "--yes"}).status, 0);
  const RunningServer server(world);
  const auto fire = [&](const std::string& session, const std::string& where, bool is_served) {
    const std::string call = R"({"hook_event_name":"BeforeTool","tool_name":"x","session_id":")" + session +
                             R"(","cwd":")" + (world.dir() / where) + R"("})";
    const auto env = is_served ? std::vector<std::string>{} : std::vector<std::string>{"GRAPNEL_SERVE=off"};
    const int64_t before = world.requests();
    const bool denies = world.run({"fire", "--as", "gemini"}, call, env).denies();
    EXPECT_EQ(world.requests() - before, is_served ? 1 : 0);
    return denies;
  };
  for (const bool first : {true, false}) {
    for (const bool later : {true, false}) {
      const std::string own = std::string("own") + (first ? "1" : "0") + (later ? "1" : "0");
      SCOPED_TRACE(own);
      EXPECT_TRUE(fire(own, "project/sub", first));
      EXPECT_TRUE(fire(own, "elsewhere", later));
      EXPECT_TRUE(fire(own, "project/sub/deep", later));
      EXPECT_FALSE(fire("other " + own, "elsewhere", first));
      // What a later directory adds is for that event only.
      EXPECT_TRUE(fire("other " + own, "project", later));
      EXPECT_FALSE(fire("other " + own, "elsewhere", later));
    }
  }
}

TEST(Served, ChangesAreSeenByTheNextRequest) {
  World world;
  const RunningServer server(world);
  struct Change {
    const char* note;
    std::function<void()> make;
    bool denies;
  };
  const Change changes[] = {
      {"no hooks yet", [] {}, false},
      {"a file is made", [&] { world.configure_hook("exit 2"); }, true},
      {"another command of the same length", [&] { world.configure_hook("exit 0"); }, false},
      {"and back", [&] { world.configure_hook("exit 2"); }, true},
      {"all hooks are off", [&] { world.dir().put("home/.gemini/settings.json", R"({"hooks":{}})"); }, false},
      {"on again", [&] { world.configure_hook("echo no >&2; exit 2"); }, true},
      {"the file is gone", [&] { std::filesystem::remove(world.dir() / "home/.gemini/settings.json"); }, false},
      {"another agent's file",
       [&] {
         world.dir().put("home/.qwen/settings.json",
                         R"({"hooks":{"PreToolUse":[{"hooks":[{"name":"q","type":"command","command":"exit 2"}]}]}})");
       },
       true},
      {"switched off by name", [&] { EXPECT_EQ(world.run({"disable", "q", "--yes"}).status, 0); }, false},
      {"and on", [&] { EXPECT_EQ(world.run({"enable", "q"}).status, 0); }, true},
      {"a link to nowhere",
       [&] {
         const std::filesystem::path directory = world.dir() / "home/.qwen";
         std::filesystem::remove_all(directory);
         std::filesystem::create_directory_symlink(world.dir() / "elsewhere", directory);
       },
       false},
      {"something is there now",
       [&] {
         world.dir().put("elsewhere/settings.json",
                         R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}})");
       },
       true},
      {"self-protection is off", [&] { world.dir().put("home/.config/grapnel/settings.yaml", "self_protection: off"); },
       true},
  };
  int64_t count = 0;
  for (const Change& change : changes) {
    SCOPED_TRACE(change.note);
    change.make();
    EXPECT_EQ(world.fire().denies(), change.denies);
    EXPECT_EQ(world.requests(), ++count);
  }
}

TEST(Served, VariablesAndDirectoryAreTheCallers) {
  World world;
  world.configure_hook("echo \"$WHO in $PWD\" >&2; exit 2");
  const RunningServer server(world);
  for (const char* who : {"WHO=first", "WHO=second"}) {
    const Ended ended = world.run({"fire", "--as", "gemini"}, tool_call(), {who});
    EXPECT_NE(ended.out.find(std::string(who).substr(4) + " in " + world.project()), std::string::npos) << ended;
  }
  EXPECT_EQ(world.status()["engines"].as_integer(), 2);
}

TEST(Served, WorkersStayWarm) {
  World world;
  world.dir().put("worker", R"sh(#!/bin/sh
while read -r line; do
  id=$(printf %s "$line" | sed 's/^{"id": *"\([^"]*\)".*/\1/')
  echo "{\"id\": \"$id\", \"verdict\": \"deny\", \"reason\": \"process $$\"}"
done
)sh",
                  0755);
  world.dir().put("home/.config/agents/grapnel.yaml",
                  "version: 1\nhooks:\n  - {name: w, on: PreToolUse, worker: " + (world.dir() / "worker") + "}\n");
  const RunningServer server(world);
  const Ended first = world.fire();
  EXPECT_NE(first.out.find("process "), std::string::npos) << first;
  EXPECT_EQ(world.fire(), first);
  EXPECT_NE(world.fire_alone(), first) << "which starts a worker of its own";
  EXPECT_EQ(world.fire(), first);
  EXPECT_EQ(world.status()["workers"].as_integer(), 1);
}

TEST(Served, SixtyFourAtOnce) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  const Ended want = world.fire_alone();
  const RunningServer server(world);
  for (const Ended& ended : world.fire_many(64)) EXPECT_EQ(ended, want);
  EXPECT_EQ(world.requests(), 64);
}

TEST(Served, LargePayload) {
  World world;
  world.configure_hook("wc -c >&2; exit 2");
  const RunningServer server(world);
  const std::string input = tool_call(size_t{20} << 20);
  const Ended served = world.run({"fire", "--as", "gemini"}, input);
  EXPECT_EQ(world.requests(), 1);
  EXPECT_TRUE(served.denies()) << served;
  EXPECT_GE(std::stoul(served.out.substr(served.out.find("\"reason\":\"") + 10)), size_t{20} << 20) << served;
}

TEST(Served, InputStaysOpen) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  const RunningServer server(world);
  const World::Started client = world.start({"fire", "--as", "gemini"});
  const std::string call = tool_call();
  ASSERT_EQ(::write(client.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
  char byte = 0;
  EXPECT_EQ(::read(client.output.get(), &byte, 1), 1);
  EXPECT_EQ(byte, '{');
  EXPECT_EQ(world.requests(), 1);
}

/// A verdict that nobody can read must not pass for consent.
TEST(Served, OutputThatCannotBeWritten) {
  World world;
  world.configure_hook("echo no >&2; exit 2");
  const RunningServer server(world);
  const std::string call = "echo '" + tool_call() + "' | " GRAPNEL_COMMAND " fire --as gemini >";
  for (const char* where : {"/dev/full", "&-", "/dev/null"}) {
    SCOPED_TRACE(where);
    world.dir().put("run.sh", "#!/bin/sh\nexec 2>&1\n" + call + where + "\necho $? >&2\n", 0755);
    world.use_program(world.dir() / "run.sh");
    EXPECT_EQ(world.run({}), world.run({}, "", {"GRAPNEL_SERVE=off"}));
  }
}

TEST(Served, RecordsAndSessionsAreTheSameFiles) {
  World world;
  world.configure_hook("exit 0");
  const RunningServer server(world);
  world.fire();
  world.fire_alone();
  world.fire();
  EXPECT_EQ(world.requests(), 2);
  const std::string records = world.dir().read("home/.local/state/grapnel/records.jsonl");
  EXPECT_EQ(std::ranges::count(records, '\n'), 3);
  EXPECT_EQ(world.run({"log", "--verify"}).status, 0) << world.run({"log", "--verify"});
}

}  // namespace

}  // namespace grapnel::testing
