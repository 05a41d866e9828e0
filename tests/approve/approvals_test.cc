#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/text.h"
#include "serve/world.h"

// An agent calls a hook that asks, and a person answers in another terminal.

namespace grapnel::testing {
namespace {

/// How an agent tells that it wants to run a command.
std::string call_of(const std::string& agent, const std::string& command, const std::string& session) {
  const Json input = Json::object({{"command", Json::string(command)}});
  if (agent == "opencode") {
    return Json::object({{"hook", Json::string("tool.execute.before")},
                         {"sessionID", Json::string(session)},
                         {"callID", Json::string("c1")},
                         {"tool", Json::string("bash")},
                         {"args", input}})
        .dump();
  }
  return Json::object({{"hook_event_name", Json::string("PreToolUse")},
                       {"session_id", Json::string(session)},
                       {"tool_name", Json::string(agent == "kimi" ? "Shell" : "Bash")},
                       {"tool_input", input}})
      .dump();
}

/// `grapnel approve --follow`, which ends with its scope.
class Follower {
 public:
  explicit Follower(const World& world) : started_(world.start({"approve", "--follow", "--json"})) {
    const std::filesystem::path directory = world.dir() / "run/grapnel/asks/listeners";
    becomes_true([&] {
      std::error_code error;
      const auto is_own = [&](const auto& entry) {
        return entry.path().filename().string().starts_with(std::to_string(started_.pid) + "-");
      };
      std::filesystem::directory_iterator entries(directory, error);
      return !error && std::ranges::any_of(entries, is_own);
    });
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  ~Follower() { end(); }

  void end() {
    if (started_.pid <= 0) return;
    ::kill(started_.pid, SIGKILL);
    ::waitpid(std::exchange(started_.pid, -1), nullptr, 0);
  }

 private:
  World::Started started_;
};

class Approvals : public ::testing::Test {
 protected:
  Approvals() {
    set("ask: page\nask_wait: 200s\n");
    world_.dir().put("home/.config/agents/grapnel.yaml",
                     "version: 1\n"
                     "hooks:\n"
                     "  - name: ask-before-publish\n"
                     "    on: PreToolUse\n"
                     "    when: { tool: shell, command: npm publish }\n"
                     "    ask: Publish this?\n"
                     "  - name: no-root\n"
                     "    on: PreToolUse\n"
                     "    when: { tool: shell, command: sudo }\n"
                     "    deny: Not as root.\n");
  }

  void set(const std::string& settings) const { world_.dir().put("home/.config/grapnel/settings.yaml", settings); }

  std::future<Ended> fire(const std::string& command, const std::string& agent = "codex",
                          const std::string& session = "s1") const {
    return std::async(std::launch::async,
                      [=, this] { return world_.run({"fire", "--as", agent}, call_of(agent, command, session)); });
  }

  std::vector<Json> waiting() const {
    std::vector<Json> asks;
    const Json shown = Json::parse(world_.run({"approve", "--json"}).out).value_or(Json());
    for (const Json& ask : shown["waiting"].elements()) asks.push_back(ask);
    return asks;
  }

  std::string first_id() const {
    std::vector<Json> asks;
    becomes_true([&] { return !(asks = waiting()).empty(); });
    return asks.empty() ? "" : asks.front()["id"].as_string().value_or("");
  }

  Ended answer(std::vector<std::string> words) const {
    words.insert(words.begin(), {"approve", first_id()});
    words.emplace_back("--yes");
    return world_.run(std::move(words));
  }

  /// The newest record.
  Json record() const {
    std::ifstream file(world_.dir() / "home/.local/state/grapnel/records.jsonl");
    std::string last;
    for (std::string line; std::getline(file, line);) last = line;
    return Json::parse(last).value_or(Json());
  }

  std::vector<Json> records_named(const std::string& event) const {
    std::vector<Json> found;
    std::ifstream file(world_.dir() / "home/.local/state/grapnel/records.jsonl");
    for (std::string line; std::getline(file, line);) {
      Json one = Json::parse(line).value_or(Json());
      if (one["event"].equals_string(event)) found.push_back(std::move(one));
    }
    return found;
  }

  World world_;
};

TEST_F(Approvals, AllowedOnce) {
  const Follower follower(world_);
  auto waits = fire("npm publish");
  EXPECT_EQ(answer({"--once"}).out, "Allowed once.\n");
  EXPECT_FALSE(waits.get().denies());
  EXPECT_TRUE(record()["person"]["answer"].equals_string("once")) << record().dump();
  EXPECT_TRUE(record()["verdict"].equals_string("allow"));
  EXPECT_TRUE(record()["origin"].equals_string("person"));
  EXPECT_TRUE(record()["decided_by"].equals_string("ask-before-publish"));
  const std::string why = world_.run({"why", "last"}).out;
  EXPECT_NE(why.find("person    allowed once, "), std::string::npos) << why;
  EXPECT_NE(why.find(" later in the terminal"), std::string::npos) << why;
  auto again = fire("npm publish");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n") << "once is once";
  EXPECT_TRUE(again.get().denies());
}

TEST_F(Approvals, DeniedWithAReasonForTheModel) {
  const Follower follower(world_);
  auto waits = fire("npm publish");
  EXPECT_EQ(answer({"--deny=Bump the version first."}).out, "Denied.\n");
  const Ended ended = waits.get();
  EXPECT_TRUE(ended.denies()) << ended;
  EXPECT_NE(ended.out.find("a person denied this: Bump the version first."), std::string::npos) << ended;
}

TEST_F(Approvals, ForTheSessionExactlyThis) {
  const Follower follower(world_);
  auto waits = fire("npm publish --tag next");
  EXPECT_EQ(answer({"--session"}).out, "Allowed for the session: exactly this call.\n");
  EXPECT_FALSE(waits.get().denies());
  EXPECT_FALSE(fire("npm publish --tag next").get().denies()) << "nobody is asked";
  EXPECT_TRUE(record()["person"]["remembered"].as_bool().value_or(false)) << record().dump();
  const std::string status = world_.run({"status", "--json"}).out;
  EXPECT_NE(status.find("exactly this: npm publish --tag next"), std::string::npos) << status;
  auto other = fire("npm publish");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n") << "another call";
  EXPECT_TRUE(other.get().denies());
  auto elsewhere = fire("npm publish --tag next", "codex", "s2");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n") << "another session";
  EXPECT_TRUE(elsewhere.get().denies());
  world_.run({"fire", "--as", "claude"}, R"({"hook_event_name":"SessionEnd","session_id":"s1","reason":"exit"})");
  auto after = fire("npm publish --tag next");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n") << "forgotten with the session";
  EXPECT_TRUE(after.get().denies());
}

TEST_F(Approvals, ForTheSessionByPattern) {
  const Follower follower(world_);
  auto waits = fire("npm publish");
  const Ended wrong = answer({"--session", "--pattern", "npm run *"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err, "grapnel: 'npm run *' does not cover this command\n");
  EXPECT_EQ(answer({"--session", "--pattern", "npm publish *"}).out, "Allowed for the session: npm publish *\n");
  EXPECT_FALSE(waits.get().denies());
  EXPECT_FALSE(fire("npm publish --tag next").get().denies());
  // A deny stands, and a command that the pattern does not cover is asked about.
  EXPECT_TRUE(fire("npm publish && sudo rm -rf /").get().denies());
  auto more = fire("npm publish && touch x");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n");
  EXPECT_TRUE(more.get().denies());
}

TEST_F(Approvals, MakesARule) {
  const Follower follower(world_);
  auto waits = fire("npm publish");
  const Ended answered = answer({"--rule", "--pattern", "npm publish *"});
  EXPECT_EQ(answered.out, "Allowed, and wrote a rule that answers ask-before-publish from now on.\n") << answered;
  EXPECT_FALSE(waits.get().denies());
  EXPECT_FALSE(fire("npm publish --tag next", "codex", "s2").get().denies()) << "the rule answers";
  EXPECT_TRUE(record()["decided_by"].equals_string("allow-npm-publish")) << record().dump();
  EXPECT_FALSE(record()["person"]);
  EXPECT_EQ(world_.run({"check"}).status, 0) << world_.run({"check"});
  auto more = fire("npm publish && touch x");
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n") << "a rule that allows is for every command";
  EXPECT_TRUE(more.get().denies());
  auto last = fire("npm publish && touch x");
  EXPECT_EQ(answer({"--rule", "--deny", "--pattern", "npm publish *"}).out,
            "Denied, and wrote a rule that denies it from now on.\n");
  EXPECT_TRUE(last.get().denies());
  EXPECT_TRUE(fire("npm publish").get().denies()) << "a deny outranks";
}

TEST_F(Approvals, ExpiredIsWhatHappensToday) {
  set("ask: page\nask_wait: 200ms\n");
  const Ended alone = fire("npm publish").get();
  const Follower follower(world_);
  const Ended codex = fire("npm publish", "codex", "s9").get();
  EXPECT_TRUE(codex.denies());
  EXPECT_NE(codex.out.find("Publish this?"), std::string::npos) << codex;
  EXPECT_TRUE(record()["person"]["answer"].equals_string("expired")) << record().dump();
  const Ended claude = fire("npm publish", "claude", "s9").get();
  EXPECT_NE(claude.out.find("\"ask\""), std::string::npos) << claude;
  set("");
  EXPECT_EQ(fire("npm publish", "codex", "s9").get().out, codex.out);
  EXPECT_EQ(fire("npm publish", "claude", "s9").get().out, claude.out);
  // Without anybody there, the same at once, and a hint once in a session.
  EXPECT_NE(alone.out.find("grapnel approve --follow"), std::string::npos) << alone;
}

TEST_F(Approvals, TheHintIsToldOnceInASession) {
  const auto has_hint = [&] { return fire("npm publish", "claude").get().out.contains("approve --follow"); };
  EXPECT_TRUE(has_hint());
  EXPECT_FALSE(has_hint());
}

TEST_F(Approvals, ThePageIsKilledInTheMiddle) {
  Follower follower(world_);
  auto waits = fire("npm publish");
  first_id();
  follower.end();
  const Ended ended = waits.get();
  EXPECT_TRUE(ended.denies());
  EXPECT_NE(ended.out.find("Publish this?"), std::string::npos) << ended;
  EXPECT_TRUE(waiting().empty());
}

TEST_F(Approvals, TheAgentIsKilledInTheMiddle) {
  const Follower follower(world_);
  World::Started hook = world_.start({"fire", "--as", "codex"});
  const std::string call = call_of("codex", "npm publish", "s1");
  ASSERT_EQ(::write(hook.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
  hook.input.reset();
  first_id();
  // Nobody reads the answer any more, so the hook ends by itself.
  hook.output.reset();
  EXPECT_EQ(::waitpid(hook.pid, nullptr, 0), hook.pid);
  EXPECT_TRUE(waiting().empty());
}

TEST_F(Approvals, AnAgentCannotAnswer) {
  const Follower follower(world_);
  auto waits = fire("npm publish");
  const std::string id = first_id();
  for (const char* variable : {"CLAUDECODE=1", "CODEX_THREAD_ID=x", "GEMINI_CLI=1"}) {
    const Ended tried = world_.run({"approve", id, "--once", "--yes"}, "", {variable});
    EXPECT_EQ(tried.status, 1) << variable;
    EXPECT_NE(tried.err.find("is for people"), std::string::npos) << tried;
  }
  // A program that is called like an agent, and everything below it.
  std::filesystem::copy_file("/bin/bash", world_.dir() / "codex");
  const std::string line = std::string(GRAPNEL_COMMAND) + " approve " + id + " --once --yes; true";
  const Ended tried = world_.run_program(world_.dir() / "codex", {"-c", line});
  EXPECT_NE(tried.err.find("is for people, and this runs in Codex"), std::string::npos) << tried;
  const Ended without = world_.run({"approve", id, "--once"});
  EXPECT_EQ(without.status, 2) << "no terminal, no consent: " << without;
  // Files are no answers.
  const std::string asks = world_.dir() / "run/grapnel/asks/";
  for (const char* name : {".answer", ".once", ".json.answer"}) std::ofstream(asks + id + name) << "once";
  EXPECT_EQ(waiting().size(), 1u);
  EXPECT_EQ(answer({"--deny"}).out, "Denied.\n");
  EXPECT_TRUE(waits.get().denies());
}

/// Reads what a program prints until it has printed this.
void read_until(const World::Started& program, const std::string& wanted) {
  std::string text;
  std::array<char, 4096> bytes;
  while (!text.contains(wanted)) {
    const ssize_t count = ::read(program.output.get(), bytes.data(), bytes.size());
    ASSERT_GT(count, 0) << text;
    text.append(bytes.data(), static_cast<size_t>(count));
  }
}

TEST_F(Approvals, InATerminalNothingIsChosenBeforehand) {
  world_.use_program("/usr/bin/script");
  const World::Started terminal =
      world_.start({"-qec", std::string(GRAPNEL_COMMAND) + " approve --follow", "/dev/null"});
  world_.use_program(GRAPNEL_COMMAND);
  const auto type = [&](const std::string& line) {
    ASSERT_EQ(::write(terminal.input.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
  };
  read_until(terminal, "Waiting for questions");
  auto waits = fire("npm publish");
  read_until(terminal, "later (l): ");
  for (const char* nothing : {"\n", "y\n", "allow\n"}) {
    type(nothing);
    read_until(terminal, "later (l): ");
    EXPECT_EQ(waiting().size(), 1u);
  }
  type("d\n");
  read_until(terminal, "Why?");
  type("Bump the version.\n");
  EXPECT_NE(waits.get().out.find("a person denied this: Bump the version."), std::string::npos);
  read_until(terminal, "Denied.");
  auto again = fire("npm publish");
  read_until(terminal, "later (l): ");
  type("s\n");
  read_until(terminal, "For exactly this");
  type("npm publish *\n");
  EXPECT_FALSE(again.get().denies());
  ::kill(terminal.pid, SIGKILL);
  ::waitpid(terminal.pid, nullptr, 0);
}

/// Wherever it was made, a rule that allows is on record, and the next session tells people of it, once.
TEST_F(Approvals, ANewRuleIsTold) {
  const auto begin = [&](const std::string& session) {
    return world_
        .run({"fire", "--as", "claude"},
             R"({"hook_event_name":"SessionStart","source":"startup","session_id":")" + session + "\"}")
        .out;
  };
  const auto expect_told = [&](const std::string& rule, const std::string& session) {
    const Json note = records_named("Weakened").back();
    EXPECT_TRUE(note["subject"].as_string()->starts_with("new rule " + rule + " in ")) << note.dump();
    EXPECT_TRUE(note["reason"].equals_string("somebody made it in the terminal"));
    const std::string heard = begin(session);
    EXPECT_TRUE(heard.contains("guards were made weaker: `new rule " + rule)) << heard;
    EXPECT_FALSE(heard.contains("grapnel approve")) << "it is told once: " << heard;
    EXPECT_FALSE(begin(session + "-again").contains("guards were made weaker"));
  };
  {
    const Follower follower(world_);
    auto waits = fire("npm publish --tag next");
    answer({"--rule"});
    EXPECT_FALSE(waits.get().denies());
  }
  expect_told("allow-npm-publish-tag-next", "by-option");
  world_.use_program("/usr/bin/script");
  const World::Started terminal =
      world_.start({"-qec", std::string(GRAPNEL_COMMAND) + " approve --follow", "/dev/null"});
  world_.use_program(GRAPNEL_COMMAND);
  read_until(terminal, "Waiting for questions");
  auto waits = fire("npm publish --dry-run");
  read_until(terminal, "later (l): ");
  ASSERT_EQ(::write(terminal.input.get(), "r\n", 2), 2);
  read_until(terminal, "For exactly this");
  ASSERT_EQ(::write(terminal.input.get(), "\n", 1), 1);
  EXPECT_FALSE(waits.get().denies());
  ::kill(terminal.pid, SIGKILL);
  ::waitpid(terminal.pid, nullptr, 0);
  expect_told("allow-npm-publish-dry-run", "in-dialogue");
}

TEST_F(Approvals, ADenyIsNeverPutToAPerson) {
  const Follower follower(world_);
  EXPECT_TRUE(fire("npm publish && sudo ls").get().denies());
  EXPECT_FALSE(record()["person"]) << record().dump();
}

TEST_F(Approvals, OnlyOnRequest) {
  set("");
  const Follower follower(world_);
  EXPECT_TRUE(fire("npm publish").get().denies());
  EXPECT_FALSE(record()["person"]) << record().dump();
  set("ask: pgae\n");
  EXPECT_TRUE(fire("npm publish").get().denies());
  EXPECT_NE(world_.run({"check"}).out.find("'ask' has a value that is not known"), std::string::npos);
}

TEST_F(Approvals, AServerGoesOnWhileAQuestionWaits) {
  const RunningServer server(world_);
  const Follower follower(world_);
  auto waits = fire("npm publish");
  const std::string id = first_id();
  EXPECT_FALSE(fire("npm install").get().denies());
  auto other = fire("npm publish --dry-run", "kimi", "s2");
  EXPECT_TRUE(becomes_true([&] { return waiting().size() == 2; }));
  EXPECT_GE(world_.requests(), 3);
  EXPECT_EQ(world_.run({"approve", id, "--once", "--yes"}).out, "Allowed once.\n");
  EXPECT_FALSE(waits.get().denies());
  EXPECT_EQ(answer({"--deny=No."}).out, "Denied.\n");
  EXPECT_TRUE(other.get().denies());
}

TEST_F(Approvals, AClientOfAServerThatHangsUpEndsItsQuestion) {
  const RunningServer server(world_);
  const Follower follower(world_);
  World::Started hook = world_.start({"fire", "--as", "codex"});
  const std::string call = call_of("codex", "npm publish", "s1");
  ASSERT_EQ(::write(hook.input.get(), call.data(), call.size()), static_cast<ssize_t>(call.size()));
  hook.input.reset();
  first_id();
  ::kill(hook.pid, SIGKILL);
  ::waitpid(hook.pid, nullptr, 0);
  EXPECT_TRUE(becomes_true([&] { return waiting().empty(); }));
}

/// Agents that cannot ask, as they call an installed bridge.
class BridgedApprovals : public Approvals, public ::testing::WithParamInterface<const char*> {
 protected:
  /// Called by a shell that runs a script: the caller of a bridge is noted as an agent, and this test must not be.
  std::future<Ended> bridge(const std::string& command) const {
    const std::string agent = GetParam();
    const std::string script =
        world_.dir().put("bin/bash", "#!/bin/bash\n" + std::string(GRAPNEL_COMMAND) + " \"$@\"\nexit $?\n", 0755);
    return std::async(std::launch::async, [=, this] {
      return world_.run_program(script, {"fire", "--bridge", "--as", agent}, call_of(agent, command, "s1"));
    });
  }
  /// Kimi and OpenCode say no with the exit status or in their own words.
  static bool refuses(const Ended& ended) { return ended.denies() || ended.status == 2; }
};

TEST_P(BridgedApprovals, WaitForAPerson) {
  ASSERT_EQ(world_.run({"install", GetParam()}).status, 0) << world_.run({"install", GetParam()});
  const Follower follower(world_);
  auto waits = bridge("npm publish");
  EXPECT_EQ(answer({"--once"}).out, "Allowed once.\n");
  const Ended allowed = waits.get();
  EXPECT_FALSE(refuses(allowed)) << allowed;
  auto again = bridge("npm publish");
  EXPECT_EQ(answer({"--deny=Not today."}).out, "Denied.\n");
  const Ended denied = again.get();
  EXPECT_TRUE(refuses(denied)) << denied;
  EXPECT_NE((denied.out + denied.err).find("Not today."), std::string::npos) << denied;
}

INSTANTIATE_TEST_SUITE_P(Agents, BridgedApprovals, ::testing::Values("codex", "kimi", "opencode"),
                         [](const auto& agent) { return std::string(agent.param); });

}  // namespace
}  // namespace grapnel::testing
