#include <algorithm>
#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include "agent_cli/terminal.h"
#include "os/patience.h"
#include "os/temp_dir.h"

namespace grapnel::testing {
namespace {

constexpr std::string_view kEnter = "\r";
constexpr std::string_view kCtrlC = "\x03";
constexpr std::string_view kCtrlD = "\x04";
constexpr std::string_view kUp = "\x1b[A";

/// A home with hooks in it, a project, and what a model will say.
class Desk {
 public:
  Desk(std::string_view replay, std::string_view hooks) {
    dir_.put("session.replay", replay);
    dir_.put("home/.gemini/settings.json", hooks.empty() ? "{}" : hooks);
    dir_.put("project/README", "");
  }

  Terminal start(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words = {GRAPNEL_AGENT,          "--replay", dir_ / "session.replay", "--journal",
                                      dir_ / "journal.jsonl", "--cwd",    dir_ / "project"};
    words.insert(words.end(), options.begin(), options.end());
    return Terminal(words,
                    {"HOME=" + (dir_ / "home"), "PATH=/usr/bin:/bin", "TERM=xterm", "NO_COLOR=1", "LC_ALL=C.UTF-8",
                     "XDG_RUNTIME_DIR=" + (dir_ / "run")},
                    dir_ / "project");
  }

  void put(std::string_view name, std::string_view text) const { dir_.put("project/" + std::string(name), text); }
  std::string file(std::string_view name) const { return dir_.read("project/" + std::string(name)); }
  /// What was written down, as text.
  std::string journal() const { return dir_.read("journal.jsonl"); }
  size_t sessions() const {
    const std::string text = journal();
    size_t count = 0;
    for (size_t at = 0; (at = text.find("session_started", at)) != std::string::npos; ++at) ++count;
    return count;
  }

 private:
  TempDir dir_;
};

struct Step {
  std::string_view seen;  ///< waited for…
  std::string typed;      ///< …then this is typed
};

std::string line(std::string_view text) {
  return std::string(text) + std::string(kEnter);
}

struct Case {
  const char* note;
  std::vector<std::string> options;
  std::string_view replay;
  std::string_view hooks;
  std::vector<Step> steps;
  std::vector<std::string_view> want_shown;
  std::string_view never_shown;
  std::vector<std::string_view> want_journal;
};

constexpr std::string_view kShellTwice =
    R"({"call": "Bash", "input": {"command": "echo run >> out"}}
{"say": "First done."}
{"call": "Bash", "input": {"command": "echo run >> out"}}
{"say": "Second done."})";
constexpr std::string_view kAnswer = R"({"say": "Here I am."}
{"say": "Still here."})";
constexpr std::string_view kGuard =
    R"({"hooks": {"BeforeTool": [{"matcher": "run_shell_command", "hooks": [
      {"type": "command", "name": "guard", "command": "echo '{\"decision\": \"deny\", \"reason\": \"no shell today\"}'"}]}]}})";
constexpr std::string_view kDoubt =
    R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "name": "doubt",
      "command": "echo '{\"decision\": \"ask\", \"reason\": \"looks odd\", \"systemMessage\": \"mind the files\"}'"}]}]}})";

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {.note = "a question answered with yes holds once",
       .replay = kShellTwice,
       .steps = {{"> ", line("go")},
                 {"no > ", line("y")},
                 {"First done.", ""},
                 {"> ", line("again")},
                 {"no > ", line("n")},
                 {"Second done.", ""},
                 {"> ", std::string(kCtrlD)}},
       .want_shown = {"tool    Bash", "input   command = echo run >> out", "refused"},
       .want_journal = {R"("answer":"once")", R"("answer":"no")", R"("reason":"exit")"}},
      {.note = "always holds for the session",
       .replay = kShellTwice,
       .steps = {{"> ", line("go")},
                 {"no > ", line("a")},
                 {"First done.", ""},
                 {"> ", line("again")},
                 {"Second done.", ""},
                 {"> ", line("/quit")}},
       .never_shown = "refused",
       .want_journal = {R"("answer":"always")"}},
      {.note = "anything else is no",
       .replay = kShellTwice,
       .steps = {{"> ", line("go")}, {"no > ", line("perhaps")}, {"First done.", ""}, {"> ", line("/quit")}},
       .want_shown = {"refused"}},
      {.note = "a hook that asks says why, whatever the mode",
       .options = {"--approval", "yolo"},
       .replay = kShellTwice,
       .hooks = kDoubt,
       .steps = {{"> ", line("go")}, {"no > ", line("n")}, {"First done.", ""}, {"> ", line("/quit")}},
       .want_shown = {"reason  looks odd", "note    mind the files", "refused"}},
      {.note = "a hook is switched off and on by name",
       .options = {"--approval", "yolo"},
       .replay = kShellTwice,
       .hooks = kGuard,
       .steps = {{"> ", line("go")},
                 {"no shell today", ""},
                 {"First done.", ""},
                 {"> ", line("/hooks disable gard")},
                 {"did you mean 'guard'?", ""},
                 {"> ", line("/hooks disable guard")},
                 {"'guard' is disabled for this conversation.", ""},
                 {"> ", line("/hooks disable guard")},
                 {"'guard' is disabled already.", ""},
                 {"> ", line("/hooks list")},
                 {"guard  disabled", ""},
                 {"> ", line("again")},
                 {"Second done.", ""},
                 {"> ", line("/hooks enable guard")},
                 {"'guard' is enabled for this conversation.", ""},
                 {"> ", line("/quit")}}},
      {.note = "what hooks did at the last event that concerned them",
       .options = {"--approval", "yolo"},
       .replay = kShellTwice,
       .hooks = kGuard,
       .steps = {{"> ", line("/why")},
                 {"event     SessionStart", ""},
                 {"> ", line("go")},
                 {"First done.", ""},
                 {"> ", line("/why")},
                 {"decision  deny by guard (hook): no shell today", ""},
                 {"guard: ran, exit 0", ""},
                 {"> ", line("/why nonsense")},
                 {"no event on record has the id 'nonsense'", ""},
                 {"> ", line("/quit")}}},
      {.note = "all hooks are counted, switched off and on",
       .replay = kAnswer,
       .hooks = kGuard,
       .steps = {{"> ", line("/hooks")},
                 {"status  enabled", ""},
                 {"hooks   1", ""},
                 {"PreToolUse  1", ""},
                 {"> ", line("/hooks DISABLE-ALL")},
                 {"1 hook disabled", ""},
                 {"> ", line("/hooks status")},
                 {"status  disabled", ""},
                 {"> ", line("/hooks enable-all")},
                 {"1 hook enabled", ""},
                 {"> ", line("/hooks enable")},
                 {"Usage: /hooks enable NAME", ""},
                 {"> ", line("/hooks stats")},
                 {"There is no /hooks stats", ""},
                 {"> ", line("/quit")}}},
      {.note = "a conversation is compacted on request",
       .replay = R"({"say": "Here I am."}
{"say": "A summary."})",
       .steps = {{"> ", line("/compact")},
                 {"nothing to compact", ""},
                 {"> ", line("go")},
                 {"Here I am.", ""},
                 {"> ", line("/compact")},
                 {"Compacted:", ""},
                 {"> ", line("/quit")}}},
      {.note = "an unknown command is told apart from a prompt",
       .replay = kAnswer,
       .steps = {{"> ", line("/cler")},
                 {"did you mean /clear?", ""},
                 {"> ", line("/help")},
                 {"/compact", ""},
                 {"> ", line("/quit")}},
       .never_shown = "Here I am."},
      {.note = "Ctrl-C gives up a line, Ctrl-D ends",
       .replay = kAnswer,
       .steps = {{"> ", "half a li" + std::string(kCtrlC)},
                 {"Ctrl-D ends the conversation.", ""},
                 {"> ", std::string(kCtrlD)}},
       .never_shown = "Here I am.",
       .want_journal = {R"("reason":"exit")"}},
      {.note = "Ctrl-C during a model call ends the turn, not the conversation",
       .replay = R"({"say": "Thinking...", "hang": true}
{"say": "Here I am.", "expect": "second"})",
       .steps = {{"> ", line("first")},
                 {"Thinking...", std::string(kCtrlC)},
                 {"Interrupted.", ""},
                 {"> ", line("second")},
                 {"Here I am.", ""},
                 {"> ", std::string(kCtrlD)}}},
      {.note = "Ctrl-C during a hook kills it",
       .replay = kAnswer,
       .hooks = R"({"hooks": {"BeforeAgent": [{"hooks": [{"type": "command", "name": "slow",
         "command": "grep -q again || exec sleep 600"}]}]}})",
       .steps = {{"> ", line("go")},
                 {"1 hook: slow...", std::string(kCtrlC)},
                 {"Interrupted.", ""},
                 {"> ", line("go again")},
                 {"Here I am.", ""},
                 {"> ", std::string(kCtrlD)}}},
      {.note = "Ctrl-C at a question is a no, and ends the turn",
       .replay = kShellTwice,
       .steps = {{"> ", line("go")}, {"no > ", std::string(kCtrlC)}, {"Interrupted.", ""}, {"> ", std::string(kCtrlD)}},
       .want_journal = {R"("answer":"no")"}},
      {.note = "who types nothing is waited for, then the session ends",
       .options = {"--idle-timeout", "100ms"},
       .replay = kAnswer,
       .hooks = R"({"hooks": {"Notification": [{"hooks": [{"type": "command", "name": "bell",
         "command": "grep -o idle_prompt > idle"}]}]}})",
       .want_shown = {"waiting for your input", "nothing was typed for too long."},
       .want_journal = {R"("reason":"idle_timeout")", R"("hook":"bell")"}},
      {.note = "a line of before comes back with the arrow",
       .replay = kAnswer,
       .steps = {{"> ", line("go")},
                 {"Here I am.", ""},
                 {"> ", std::string(kUp) + std::string(kEnter)},
                 {"Still here.", ""},
                 {"> ", std::string(kCtrlD)}}},
      {.note = "a model cannot move the cursor or change the title",
       .replay = R"({"say": "a\u001b]0;title\u0007b"})",
       .steps = {{"> ", line("go")}, {R"(a\x1b]0;title\x07b)", ""}, {"> ", std::string(kCtrlD)}},
       .never_shown = "\x1b]0;"},
      {.note = "the tab key completes commands, words and names of hooks",
       .replay = kAnswer,
       .hooks = kGuard,
       .steps = {{"> ", line("/hoo\tdisable gu\t")},
                 {"'guard' is disabled for this conversation.", ""},
                 {"> ", "/hooks en\t\t"},
                 {"enable  enable-all", line("-a\t")},
                 {"All hooks are enabled already.", ""},
                 {"> ", line("no command\t")},
                 {"Here I am.", ""},
                 {"> ", line("/quit")}}},
      {.note = "what a tool prints is folded, and /show unfolds it",
       .options = {"--approval", "yolo"},
       .replay = R"({"call": "Bash", "input": {"command": "seq 1001 1150"}}
{"say": "Counted."}
{"call": "Bash", "input": {"command": "echo short"}}
{"say": "Again."})",
       .steps = {{"> ", line("/show")},
                 {"No tool has printed anything.", ""},
                 {"> ", line("go")},
                 {"| 1001", ""},
                 {"more lines (/show 1)", ""},
                 {"Counted.", ""},
                 {"> ", line("go")},
                 {"| short", ""},
                 {"Again.", ""},
                 {"> ", line("/show 1")},
                 {"1149", ""},
                 {"> ", line("/show 9")},
                 {"There is no output '9'", ""},
                 {"> ", line("/quit")}}},
      {.note = "letters of all languages can be typed",
       .replay = R"({"say": "Understood.", "expect": "größer 你好"})",
       .steps = {{"> ", line("größer 你好")}, {"Understood.", ""}, {"> ", std::string(kCtrlD)}}},
      {.note = "a failing model is told, and the conversation goes on",
       .replay = R"({"error": "overloaded"}
{"say": "Here I am."})",
       .steps = {{"> ", line("go")},
                 {"overloaded", ""},
                 {"> ", line("go")},
                 {"Here I am.", ""},
                 {"> ", std::string(kCtrlD)}}},
  };
  return kCases;
}

TEST(Conversation, GoesAsTyped) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.note);
    const Desk desk(c.replay, c.hooks);
    Terminal terminal = desk.start(c.options);
    for (const Step& step : c.steps) {
      ASSERT_TRUE(terminal.wait_for(step.seen)) << "waited for: " << step.seen << "\n" << terminal.shown();
      terminal.type(step.typed);
    }
    EXPECT_EQ(terminal.finish(), 0) << terminal.shown();
    for (const std::string_view want : c.want_shown) {
      EXPECT_NE(terminal.shown().find(want), std::string::npos) << want << "\n" << terminal.shown();
    }
    if (!c.never_shown.empty()) {
      EXPECT_EQ(terminal.shown().find(c.never_shown), std::string::npos) << terminal.shown();
    }
    for (const std::string_view want : c.want_journal) {
      EXPECT_NE(desk.journal().find(want), std::string::npos) << want;
    }
  }
}

#ifdef GRAPNEL_HOSTILE_SERVER
TEST(Conversation, ShowsMcpServersAndAnswersThem) {
  const Desk desk(R"({"call": "mcp__hostile__ask", "input": {}}
{"say": "It is red.", "expect": "accept"}
{"call": "mcp__hostile__ask", "input": {}}
{"say": "As you like.", "expect": "decline"}
{"call": "mcp__hostile__ask", "input": {}}
{"say": "Never mind.", "expect": "cancel"}
{"call": "mcp__hostile__choose", "input": {}}
{"say": "Large it is.", "expect": "accept"}
{"call": "mcp__hostile__crash", "input": {}}
{"say": "It is gone.", "expect": "ended"})",
                  "");
  desk.put("servers.json", R"({"mcpServers": {"hostile": {"command": ")" GRAPNEL_HOSTILE_SERVER
                           R"("}, "missing": {"command": "no-such-program"}}})");
  Terminal terminal = desk.start({"--approval", "yolo", "--mcp-config", "servers.json"});
  const Step steps[] = {
      {"the MCP server 'missing' cannot be used: there is no program 'no-such-program'", ""},
      {"> ", line("/mcp")},
      {"hostile  connected, hostile 1, protocol 2025-11-25", ""},
      {"tools   echo, fail, crash", ""},
      {"missing  not connected", ""},
      {"> ", line("ask me")},
      {"The MCP server 'hostile' asks:", ""},
      {"Which colour?", ""},
      {"colour (red, blue) > ", line("green")},
      {"must be one of", ""},
      {"colour (red, blue) > ", line("red")},
      {"often [2] > ", line("many")},
      {"is not of the right kind", ""},
      {"often [2] > ", line("")},
      {R"(answer  {"colour": "red", "often": 2})", ""},
      {"[n] decline > ", line("y")},
      {"It is red.", ""},
      {"> ", line("again")},
      {"colour (red, blue) > ", line("blue")},
      {"often [2] > ", line("3")},
      {"[n] decline > ", line("n")},
      {"As you like.", ""},
      {"> ", line("once more")},
      {"colour (red, blue) > ", std::string(kCtrlD)},
      {"Never mind.", ""},
      {"> ", line("choose")},
      {"size (s: Small, l: Large) > ", line("xl")},
      {"choose one of these", ""},
      {"size (s: Small, l: Large) > ", line("l")},
      {"with (a: Apple, b) > ", line("a, c")},
      {"choose one of these", ""},
      {"with (a: Apple, b) > ", line("a, b")},
      {R"(answer  {"size": "l", "with": ["a", "b"]})", ""},
      {"[n] decline > ", line("y")},
      {"Large it is.", ""},
      {"> ", line("break it")},
      {"It is gone.", ""},
      {"> ", line("/mcp")},
      {"hostile  not connected", ""},
      {"failed  it ended: exit 11", ""},
      {"> ", line("/mcp reconnect hostile")},
      {"Connected, with 20 tools.", ""},
      {"> ", line("/mcp reconnect missing")},
      {"missing: there is no program", ""},
      {"> ", line("/mcp connect")},
      {"/mcp reconnect NAME", ""},
      {"> ", line("/quit")},
  };
  for (const Step& step : steps) {
    ASSERT_TRUE(terminal.wait_for(step.seen)) << "waited for: " << step.seen << "\n" << terminal.shown();
    if (!step.typed.empty()) terminal.type(step.typed);
  }
  EXPECT_EQ(terminal.finish(), 0) << terminal.shown();
}

/// The id behind `spawned`, or 0.
pid_t spawned_pid(const std::string& note) {
  const size_t at = note.find("spawned ");
  return at == std::string::npos || note.find('.', at) == std::string::npos ? 0 : std::stoi(note.substr(at + 8));
}

bool is_running(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  const std::string text{std::istreambuf_iterator<char>(status), {}};
  return !text.empty() && !text.contains("State:\tZ");
}

/// However the agent ends, nothing of its servers stays, and not what they have hidden from it.
TEST(Conversation, LeavesNothingOfItsServers) {
  for (const int signal : {SIGTERM, SIGHUP, SIGKILL}) {
    for (const char* hides : {"", R"("--hides",)"}) {
      SCOPED_TRACE(std::to_string(signal) + " " + hides);
      const Desk desk(R"({"call": "mcp__hostile__spawn", "input": {}}
{"call": "mcp__hostile__hang", "input": {}})",
                      "");
      desk.put("servers.json", R"({"mcpServers": {"hostile": {"command": ")" GRAPNEL_HOSTILE_SERVER R"(", "args": [)" +
                                   std::string(hides) + R"("--note", "asked"]}}})");
      Terminal terminal = desk.start({"--approval", "yolo", "--mcp-config", "servers.json"});
      ASSERT_TRUE(terminal.wait_for("> ")) << terminal.shown();
      terminal.type(line("go"));
      ASSERT_TRUE(becomes_true([&] { return spawned_pid(desk.file("asked")) > 0; })) << terminal.shown();
      const pid_t child = spawned_pid(desk.file("asked"));
      EXPECT_TRUE(is_running(child));
      terminal.send(signal);
      EXPECT_TRUE(becomes_true([&] { return !is_running(child); }));
    }
  }
}

TEST(Conversation, ShowsNothingOfAServerThatChangesTheTerminal) {
  const Desk desk(R"({"call": "mcp__hostile__paint", "input": {}}
{"call": "mcp__hostile____31mred__0m_", "input": {}, "expect": "accept"}
{"say": "All seen.", "expect": "Unknown tool"})",
                  "");
  desk.put("servers.json", R"({"mcpServers": {
    "hostile": {"command": ")" GRAPNEL_HOSTILE_SERVER R"(", "args": ["--names"]},
    "dead": {"command": ")" GRAPNEL_HOSTILE_SERVER R"(", "args": ["--dead-painting"]}}})");
  Terminal terminal = desk.start({"--mcp-config", "servers.json"});
  const Step steps[] = {
      {"'dead' cannot be used: it ended: exit 3", ""},
      {"> ", line("/mcp")},
      {"red", ""},
      {"> ", line("go")},
      {"Allow ", ""},
      {"no > ", line("y")},
      {"The MCP server 'hostile' asks:", ""},
      {"painted", ""},
      {" > ", line("")},
      {"[n] decline > ", line("y")},
      {"Allow ", ""},
      {"no > ", line("y")},
      {"All seen.", ""},
      {"> ", line("/quit")},
  };
  for (const Step& step : steps) {
    ASSERT_TRUE(terminal.wait_for(step.seen)) << "waited for: " << step.seen << "\n" << terminal.shown();
    if (!step.typed.empty()) terminal.type(step.typed);
  }
  EXPECT_EQ(terminal.finish(), 0) << terminal.shown();
  EXPECT_TRUE(terminal.shown().contains("painted"));
  for (const char* bytes : {"\x1b]0;", "\x1b[2J", "\x1b[31mred", "\x07"}) {
    EXPECT_FALSE(terminal.shown().contains(bytes)) << terminal.shown();
  }
}
#endif

TEST(Conversation, WhatWasAllowedRanAndNothingElse) {
  const Desk desk(kShellTwice, "");
  Terminal terminal = desk.start();
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.type(line("go"));
  ASSERT_TRUE(terminal.wait_for("no > "));
  EXPECT_EQ(desk.file("out"), "");
  terminal.type(line("y"));
  ASSERT_TRUE(terminal.wait_for("First done."));
  EXPECT_EQ(desk.file("out"), "run\n");
  terminal.type(line("again"));
  ASSERT_TRUE(terminal.wait_for("no > "));
  terminal.type(line("n"));
  ASSERT_TRUE(terminal.wait_for("Second done."));
  EXPECT_EQ(desk.file("out"), "run\n");
}

TEST(Conversation, ClearStartsAnotherSession) {
  const Desk desk(R"({"say": "Noted."}
{"say": "Nothing.", "expect": "what was it"})",
                  "");
  Terminal terminal = desk.start({"--session-id", "first"});
  ASSERT_TRUE(terminal.wait_for("session first"));
  terminal.type(line("the word is anchor"));
  ASSERT_TRUE(terminal.wait_for("Noted."));
  terminal.type(line("/clear"));
  ASSERT_TRUE(terminal.wait_for("A new session: "));
  terminal.type(line("what was it"));
  ASSERT_TRUE(terminal.wait_for("Nothing."));
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.type(kCtrlD);
  EXPECT_EQ(terminal.finish(), 0);
  const std::string journal = desk.journal();
  EXPECT_EQ(desk.sessions(), 2U);
  EXPECT_NE(journal.find(R"("session_id":"first","reason":"clear")"), std::string::npos);
  EXPECT_NE(journal.find(R"("source":"clear")"), std::string::npos);
  EXPECT_NE(journal.find(R"("request_text":"what was it")"), std::string::npos) << journal;
}

TEST(Conversation, ResumeGoesOnWithAnother) {
  const Desk desk(R"({"say": "Anchor, you said.", "expect": ["the word is anchor", "what was it"]})", "");
  {
    Terminal terminal = desk.start({"--session-id", "first"});
    ASSERT_TRUE(terminal.wait_for("> "));
    terminal.type(line("/resume"));
    ASSERT_TRUE(terminal.wait_for("There is no other session."));
    terminal.type(line("the word is anchor"));
    ASSERT_TRUE(terminal.wait_for("the request has no"));
    ASSERT_TRUE(terminal.wait_for("> "));
    terminal.type(kCtrlD);
    ASSERT_EQ(terminal.finish(), 0);
  }
  Terminal terminal = desk.start();
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.type(line("/resume"));
  ASSERT_TRUE(terminal.wait_for("  first"));
  terminal.type(line("/resume last"));
  ASSERT_TRUE(terminal.wait_for("There is no other session 'last'"));
  terminal.type(line("/resume fir"));
  ASSERT_TRUE(terminal.wait_for("Continuing first"));
  terminal.type(line("what was it"));
  ASSERT_TRUE(terminal.wait_for("Anchor, you said."));
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.type(kCtrlD);
  EXPECT_EQ(terminal.finish(), 0);
}

TEST(Conversation, EndsWhenAskedTo) {
  const Desk desk(kAnswer, "");
  Terminal terminal = desk.start();
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.send(SIGTERM);
  EXPECT_EQ(terminal.finish(), 128 + SIGTERM);
  EXPECT_NE(desk.journal().find(R"("reason":"other")"), std::string::npos);
}

TEST(Conversation, EndsWhenTheWindowCloses) {
  const Desk desk(kAnswer, "");
  Terminal terminal = desk.start();
  ASSERT_TRUE(terminal.wait_for("> "));
  terminal.hang_up();
  EXPECT_NE(terminal.finish(), -1);
  EXPECT_NE(desk.journal().find(R"("type":"session_ended")"), std::string::npos);
}

}  // namespace
}  // namespace grapnel::testing
