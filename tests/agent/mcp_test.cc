#include <csignal>

#include <gtest/gtest.h>

#include "agent/session_fixture.h"
#include "base/text.h"
#include "net/loopback_server.h"
#include "os/patience.h"

/// Sessions with a real MCP server (tests/mcp/hostile_server.cc): what hooks of several agents, permission rules and
/// people do about its tools.
namespace grapnel::agent {
namespace {

using testing::json;

/// One line of a script: a call, with what the request for it must contain.
std::string call(const std::string& tool, const std::string& input = "{}", const std::string& expect = "") {
  return R"({"call": ")" + tool + R"(", "input": )" + input +
         (expect.empty() ? "" : R"(, "expect": ")" + expect + "\"") + "}\n";
}
std::string done(const std::string& expect) {
  return R"({"say": "Done.", "expect": ")" + expect + "\"}\n";
}
std::string echo(const std::string& tool = "mcp__hostile__echo") {
  return call(tool, R"({"text": "hello there"})");
}

/// A command that prints this.
std::string prints(const std::string& text) {
  return "cat > /dev/null; printf '%s' '" + text + "'";
}

/// Hooks of Claude Code's kind: one command at one event.
Json hook_at(const std::string& event, const std::string& matcher, const std::string& command) {
  const Json hook = Json::object({{"type", Json::string("command")}, {"command", Json::string(command)}});
  const Json group = Json::object({{"matcher", Json::string(matcher)}, {"hooks", Json::array({hook})}});
  return Json::object({{"hooks", Json::object({{event, Json::array({group})}})}});
}

class McpSessionTest : public testing::SessionTest {
 protected:
  AgentOptions with_server(const std::string& script, std::vector<std::string> args = {}) {
    AgentOptions out = options(script);
    out.mcp_servers = {{.name = "hostile",
                        .command = GRAPNEL_HOSTILE_SERVER,
                        .args = std::move(args),
                        .startup_timeout = grapnel::testing::kLong}};
    out.tool_timeout = grapnel::testing::kLong;
    return out;
  }

  void play(AgentOptions wanted) {
    session_ = start(std::move(wanted));
    ASSERT_NE(session_, nullptr);
    const TurnResult turn = session_->send("go");
    EXPECT_EQ(turn.ending, TurnResult::Ending::Answered) << turn.reason;
  }
  std::string told() const {
    std::string out;
    for (const Told& one : ui_->all<Told>()) out += one.notice.text + "\n";
    return out;
  }

  std::unique_ptr<Session> session_;
};

struct HookCase {
  const char* note;
  const char* plays;    ///< the agent whose part this one takes
  const char* dialect;  ///< of the hooks
  Json hooks;
  std::string script;
};

TEST_F(McpSessionTest, HooksOfEveryAgentGuardItsTools) {
  const std::string claude_deny =
      R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not this server"}})";
  const HookCase cases[] = {
      {"no hooks", "canonical", "claude", Json::object(), echo() + done("hello there")},
      {"Claude Code's hook denies", "canonical", "claude",
       hook_at("PreToolUse", "mcp__hostile__.*", prints(claude_deny)), echo() + done("not this server")},
      {"a matcher for another server", "canonical", "claude",
       hook_at("PreToolUse", "mcp__other__.*", prints(claude_deny)), echo() + done("hello there")},
      {"Claude Code's hook rewrites", "claude", "claude",
       hook_at(
           "PreToolUse", "mcp__hostile__echo",
           prints(
               R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"text": "changed"}}})")),
       echo() + done("changed")},
      {"a rewrite that does not fit the schema", "claude", "claude",
       hook_at(
           "PreToolUse", "mcp__hostile__echo",
           prints(
               R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"text": 7}}})")),
       echo() + done("as a hook changed it")},
      {"Gemini CLI's hook denies", "gemini", "gemini",
       hook_at("BeforeTool", "mcp_hostile_echo", prints(R"({"decision": "deny", "reason": "not in Gemini"})")),
       echo("mcp_hostile_echo") + done("not in Gemini")},
      {"Gemini CLI's hook rewrites", "gemini", "gemini",
       hook_at("BeforeTool", "mcp_hostile_.*",
               prints(R"({"hookSpecificOutput": {"tool_input": {"text": "changed"}}})")),
       echo("mcp_hostile_echo") + done("changed")},
      {"Gemini CLI's hook for Claude Code's part", "claude", "gemini",
       hook_at("BeforeTool", "mcp_hostile_echo", prints(R"({"decision": "deny", "reason": "seen from Gemini"})")),
       echo() + done("seen from Gemini")},
      {"Codex's hook denies", "codex", "codex", hook_at("PreToolUse", "mcp__hostile__echo", prints(claude_deny)),
       echo() + done("not this server")},
      {"Blade's hook denies", "blade", "blade", hook_at("PreToolUse", "mcp__.*", prints(claude_deny)),
       echo() + done("not this server")},
      {"OpenCode's name", "opencode", "claude", Json::object(), echo("hostile_echo") + done("hello there")},
      {"Kimi's name", "kimi", "claude", Json::object(), echo("echo") + done("hello there")},
      {"Cursor's name", "cursor", "claude", Json::object(), echo("MCP:echo") + done("hello there")},
      {"a rule about all servers", "canonical", "grapnel",
       json(
           R"({"version": 1, "hooks": [{"name": "r", "on": "PreToolUse", "when": {"tool": "mcp"}, "deny": "no servers"}]})"),
       echo() + done("no servers")},
      {"a rule about one server, in another part", "gemini", "grapnel",
       json(
           R"({"version": 1, "hooks": [{"name": "r", "on": "PreToolUse", "when": {"tool": "mcp__hostile__*"}, "deny": "not hostile"}]})"),
       echo("mcp_hostile_echo") + done("not hostile")},
      {"a rule about a file that a server's tool names", "canonical", "grapnel",
       json(
           R"({"version": 1, "hooks": [{"name": "r", "on": "PreToolUse", "when": {"tool": "mcp", "path": "**/.env"}, "deny": "secrets"}]})"),
       call("mcp__hostile__region", R"({"path": "a/.env"})") + done("secrets")},
      {"feedback after a call", "claude", "claude",
       hook_at("PostToolUse", "mcp__.*", prints(R"({"decision": "block", "reason": "look again"})")),
       echo() + done("look again")},
      {"after a failure", "claude", "claude",
       hook_at(
           "PostToolUseFailure", "mcp__hostile__fail",
           prints(
               R"({"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "the disk is known"}})")),
       call("mcp__hostile__fail") + done("the disk is known")},
      {"resources", "canonical", "claude", Json::object(),
       call("mcp__hostile__list_resources") +
           call("mcp__hostile__read_resource", R"({"uri": "note://1"})", "note://1  first: the first note") +
           done("Buy milk.")},
      {"a hook denies a resource", "canonical", "claude",
       hook_at("PreToolUse", "mcp__hostile__read_resource", prints(claude_deny)),
       call("mcp__hostile__read_resource", R"({"uri": "note://1"})") + done("not this server")},
      {"input that does not fit the schema", "canonical", "claude", Json::object(),
       call("mcp__hostile__echo") + done("/text is missing")},
      {"an answer that does not fit the server's own schema", "canonical", "claude", Json::object(),
       call("mcp__hostile__lie") + done("does not fit the schema that the server gives: /n must be integer")},
      {"a tool that it does not have", "canonical", "claude", Json::object(),
       call("mcp__hostile__nonsense") + done("There is no tool")},
  };
  for (const HookCase& c : cases) {
    SCOPED_TRACE(c.note);
    AgentOptions wanted = with_server(c.script);
    wanted.dialect = c.plays;
    wanted.engine_options.configs = {{c.dialect, "", c.hooks}};
    play(std::move(wanted));
    session_->close("exit");
  }
}

TEST_F(McpSessionTest, HooksSeeTheServer) {
  struct Case {
    const char* plays;
    const char* dialect;
    const char* event;
    std::string tool;
    const char* name;
  };
  const Case cases[] = {{"gemini", "gemini", "BeforeTool", "mcp_hostile_echo", "mcp_hostile_echo"},
                        {"canonical", "gemini", "AfterTool", "mcp__hostile__echo", "mcp_hostile_echo"},
                        {"gemini", "claude", "PreToolUse", "mcp_hostile_echo", "mcp__hostile__echo"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.plays) + " " + c.event);
    AgentOptions wanted = with_server(echo(c.tool) + done("hello there"));
    wanted.dialect = c.plays;
    wanted.engine_options.configs = {{c.dialect, "", hook_at(c.event, ".*", "cat > " + (dir_ / "seen"))}};
    play(std::move(wanted));
    const Json seen = json(dir_.read("seen"));
    EXPECT_EQ(seen["tool_name"].as_string(), c.name);
    if (std::string_view(c.dialect) == "gemini") {
      EXPECT_EQ(seen["mcp_context"]["server_name"].as_string(), "hostile");
      EXPECT_EQ(seen["mcp_context"]["tool_name"].as_string(), "echo");
      EXPECT_EQ(seen["mcp_context"]["command"].as_string(), GRAPNEL_HOSTILE_SERVER);
    }
  }
}

/// How an agent writes a command that runs at an event.
enum class Form : uint8_t { Groups, List, Rows, Rules };

Json hooks_in(Form form, const std::vector<std::string>& events, const std::string& file) {
  std::vector<std::pair<std::string, Json>> by_name;
  std::vector<Json> rows;
  for (const std::string& event : events) {
    const std::string command = "cat >> " + file + "." + event + "; echo >> " + file + "." + event;
    const Json line = Json::string(command);
    const Json hook = Json::object({{"type", Json::string("command")}, {"command", line}});
    const Json group = Json::object({{"hooks", Json::array({hook})}});
    by_name.emplace_back(event, Json::array({form == Form::Groups ? group : hook}));
    rows.push_back(
        form == Form::Rules
            ? Json::object({{"name", Json::string(text::to_lower(event))}, {"on", Json::string(event)}, {"run", line}})
            : Json::object({{"event", Json::string(event)}, {"command", line}}));
  }
  const bool has_rows = form == Form::Rows || form == Form::Rules;
  return Json::object(
      {{"version", Json::number(int64_t{1})}, {"hooks", has_rows ? Json::array(rows) : Json::object(by_name)}});
}

struct EventsCase {
  const char* dialect;
  Form form;
  std::string_view tool;  ///< the name of `echo` in this dialect
  std::vector<std::string> of_tools;
  std::vector<std::string> others;  ///< the events about a person, which do not name the tool
};

TEST_F(McpSessionTest, EveryEventOfEveryAgentHappens) {
  const std::vector<std::string> after_asking = {"PreToolUse", "PermissionRequest", "PostToolUse",
                                                 "PostToolUseFailure"};
  const std::vector<std::string> about_people = {"Elicitation", "ElicitationResult", "Notification"};
  const EventsCase cases[] = {
      {"claude", Form::Groups, "mcp__hostile__", after_asking, about_people},
      {"blade", Form::Groups, "mcp__hostile__", after_asking, about_people},
      {"grapnel", Form::Rules, "mcp__hostile__", after_asking, about_people},
      {"qwen", Form::Groups, "mcp__hostile__", after_asking, {"Notification"}},
      {"clawd", Form::Groups, "mcp__hostile__", after_asking, {"Notification"}},
      {"codex", Form::Groups, "mcp__hostile__", {"PreToolUse", "PermissionRequest", "PostToolUse"}, {}},
      {"gemini", Form::Groups, "mcp_hostile_", {"BeforeTool", "AfterTool"}, {"Notification"}},
      {"kimi", Form::Rows, "", {"PreToolUse", "PostToolUse", "PostToolUseFailure"}, {"Notification"}},
      {"copilot",
       Form::List,
       "hostile-",
       {"preToolUse", "permissionRequest", "postToolUse", "postToolUseFailure"},
       {"notification"}},
      {"cursor",
       Form::List,
       "MCP:",
       {"preToolUse", "beforeMCPExecution", "postToolUse", "afterMCPExecution", "postToolUseFailure"},
       {}},
  };
  for (const EventsCase& c : cases) {
    SCOPED_TRACE(c.dialect);
    ui_->answer = Approval::Once;
    ui_->reply_with = {McpReply::Action::Accept, json(R"({"colour": "red"})")};
    AgentOptions wanted = with_server(echo() + call("mcp__hostile__ask", "{}", "hello there") +
                                      call("mcp__hostile__fail", "{}", "red") + done("the disk is full"));
    wanted.approval = ApprovalMode::Default;
    const std::string seen = std::string("seen.") + c.dialect;
    std::vector<std::string> events = c.of_tools;
    events.insert(events.end(), c.others.begin(), c.others.end());
    wanted.engine_options.configs = {{c.dialect, "", hooks_in(c.form, events, dir_ / seen)}};
    play(std::move(wanted));
    session_->close("exit");
    for (const std::string& event : c.of_tools) {
      const bool is_failure = event.ends_with("Failure");
      const std::string name = '"' + std::string(c.tool) + (is_failure ? "fail" : "echo") + '"';
      EXPECT_TRUE(dir_.read(seen + "." + event).contains(name)) << event << ": " << dir_.read(seen + "." + event);
    }
    for (const std::string& event : c.others) {
      const bool is_notification = text::to_lower(event) == "notification";
      const std::string want = is_notification ? "asks for input" : '"' + event + '"';
      EXPECT_TRUE(dir_.read(seen + "." + event).contains(want)) << event << ": " << dir_.read(seen + "." + event);
    }
  }
}

struct PermissionCase {
  const char* note;
  ApprovalMode mode;
  PermissionRules rules;
  Approval person;
  std::string_view want;
};

TEST_F(McpSessionTest, NeedsPermission) {
  const PermissionCase cases[] = {
      {"nobody to ask", ApprovalMode::Default, {}, Approval::Nobody, "there is nobody to ask"},
      {"a person refuses", ApprovalMode::AutoEdit, {}, Approval::No, "The user refused this call"},
      {"a person agrees", ApprovalMode::Default, {}, Approval::Once, "hello there"},
      {"an allow rule",
       ApprovalMode::Default,
       {.allow = {"mcp__hostile__*"}, .ask = {}, .deny = {}},
       Approval::Nobody,
       "hello there"},
      {"a whole server",
       ApprovalMode::Default,
       {.allow = {"mcp__hostile"}, .ask = {}, .deny = {}},
       Approval::Nobody,
       "hello there"},
      {"a deny rule",
       ApprovalMode::Yolo,
       {.allow = {}, .ask = {}, .deny = {"mcp__hostile"}},
       Approval::Nobody,
       "denies it"},
      {"the name of another agent",
       ApprovalMode::Yolo,
       {.allow = {}, .ask = {}, .deny = {"mcp__hostile__echo"}},
       Approval::Nobody,
       "denies it"},
      {"another server's rule",
       ApprovalMode::Default,
       {.allow = {"mcp__hostil"}, .ask = {}, .deny = {}},
       Approval::Nobody,
       "nobody to ask"},
      {"plan mode", ApprovalMode::Plan, {}, Approval::Once, "plan mode only runs read-only tools"},
  };
  for (const PermissionCase& c : cases) {
    SCOPED_TRACE(c.note);
    ui_->answer = c.person;
    AgentOptions wanted = with_server(echo() + done(std::string(c.want)));
    wanted.approval = c.mode;
    wanted.rules = c.rules;
    play(std::move(wanted));
  }
}

TEST_F(McpSessionTest, PermissionHooksAnswerForThePerson) {
  AgentOptions wanted = with_server(echo() + done("hello there"));
  wanted.approval = ApprovalMode::Default;
  wanted.dialect = "claude";
  wanted.engine_options.configs = {
      {"claude", "",
       hook_at(
           "PermissionRequest", "mcp__hostile__echo",
           prints(
               R"({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}})"))}};
  play(std::move(wanted));
  EXPECT_TRUE(ui_->questions.empty());
}

TEST_F(McpSessionTest, TellsPeopleAboutChangedTools) {
  play(with_server(call("mcp__hostile__change") + call("mcp__hostile__new", "{}", "changed") + done("I am new")));
  EXPECT_TRUE(told().contains("the MCP server 'hostile' has changed its tools: +new -hang")) << told();
}

TEST_F(McpSessionTest, TellsPeopleAboutNamesThatAreTaken) {
  play(with_server(call("mcp__hostile__a_b") + done("Unknown tool: a.b"), {"--names"}));
  EXPECT_TRUE(told().contains("is left out: another tool is called 'mcp__hostile__a_b', too")) << told();
}

TEST_F(McpSessionTest, EndsAListOfResourcesThatDoesNotEnd) {
  play(with_server(call("mcp__hostile__list_resources") + done("the list does not end"), {"--endless"}));
}

TEST_F(McpSessionTest, StartsAServerAgain) {
  play(with_server(call("mcp__hostile__crash") +
                   call("mcp__hostile__echo", R"({"text": "again"})", "ended: exit 11; it wrote: segmentation fault") +
                   done("again")));
}

TEST_F(McpSessionTest, SendsACallAgainWhenTheServerHasLostItsSession) {
  using grapnel::testing::LoopbackServer;
  int sessions = 0;
  const LoopbackServer server([&](const LoopbackServer::Request& request) {
    LoopbackServer::Answer answer{.status = 405, .headers = {{"Content-Type", "application/json"}}, .body = ""};
    const Json message = Json::parse(request.body).value_or(Json());
    if (request.method != "POST") return answer;
    answer.status = 202;
    const auto reply = [&](const std::string& result) {
      answer.status = 200;
      answer.body = R"({"jsonrpc": "2.0", "id": )" + message["id"].dump() + ", \"result\": " + result + "}";
    };
    const std::string method = message["method"].as_string().value_or("");
    if (method == "server/discover") answer.status = 400;
    if (method == "initialize") {
      reply(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}})");
      answer.headers.emplace_back("Mcp-Session-Id", "s-" + std::to_string(++sessions));
    }
    if (method == "tools/list") reply(R"({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})");
    if (method == "tools/call" && request.header("mcp-session-id") == "s-2") {
      reply(R"({"content": [{"type": "text", "text": "in the new session"}]})");
    } else if (method == "tools/call") {
      answer.status = 404;
    }
    return answer;
  });
  AgentOptions wanted = with_server(call("mcp__web__t") + done("in the new session"));
  wanted.mcp_servers = {{.name = "web", .url = server.url("/mcp"), .startup_timeout = grapnel::testing::kLong}};
  play(std::move(wanted));
  EXPECT_EQ(sessions, 2);
}

TEST_F(McpSessionTest, GivesUpOnAServerThatEndsAgainAndAgain) {
  std::string script;
  for (int i = 0; i < 4; ++i) script += call("mcp__hostile__crash");
  play(with_server(script + done("has ended too often")));
}

TEST_F(McpSessionTest, GoesOnWithoutAServerThatCannotBeUsed) {
  AgentOptions wanted = with_server(done("go"), {"--dead"});
  wanted.mcp_servers.push_back({.name = "missing", .command = "no-such-server"});
  play(std::move(wanted));
  EXPECT_TRUE(
      told().contains("the MCP server 'hostile' cannot be used: it ended: exit 3; it wrote: the database is not there"))
      << told();
  EXPECT_TRUE(told().contains("the MCP server 'missing' cannot be used: there is no program 'no-such-server'"));
  const auto states = session_->mcp_servers();
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states[0].phase, McpServerState::Phase::Failed);
  EXPECT_FALSE(session_->reconnect("missing"));
  EXPECT_EQ(session_->reconnect("nobody").error().code, Errc::NotFound);
}

TEST_F(McpSessionTest, ShowsItsServers) {
  AgentOptions wanted = with_server(done("go"), {"--bad-tools"});
  wanted.mcp_servers[0].source = "/home/me/.mcp.json:3";
  play(std::move(wanted));
  const McpServerState state = session_->mcp_servers().at(0);
  EXPECT_EQ(state.phase, McpServerState::Phase::Ready);
  EXPECT_EQ(state.version, "2025-11-25");
  EXPECT_EQ(state.program, "hostile 1");
  EXPECT_EQ(state.tools, (std::vector<std::string>{"good", "loop"}));
  EXPECT_EQ(state.remarks.size(), 9U);
  EXPECT_TRUE(session_->reconnect("hostile"));
}

TEST_F(McpSessionTest, OffersOnlyWhatTheConfigurationAllows) {
  AgentOptions wanted = with_server(call("mcp__hostile__fail") + done("There is no tool"));
  wanted.mcp_servers[0].only_tools = {"echo", "fail"};
  wanted.mcp_servers[0].without_tools = {"fail"};
  play(std::move(wanted));
  EXPECT_EQ(session_->mcp_servers().at(0).tools, std::vector<std::string>{"echo"});
}

TEST_F(McpSessionTest, EndsAServerWithAllThatItStarted) {
  pid_t child = 0;
  ui_->on_show = [&](const AgentEvent& event) {
    if (const auto* finished = std::get_if<ToolFinished>(&event)) child = std::stoi(finished->result.text);
  };
  play(with_server(call("mcp__hostile__spawn") + done("go")));
  ASSERT_GT(child, 0);
  EXPECT_EQ(::kill(child, 0), 0);
  session_->close("exit");
  EXPECT_TRUE(grapnel::testing::becomes_true([&] { return ::kill(child, 0) != 0; }));
}

TEST_F(McpSessionTest, AnInterruptEndsACall) {
  session_ = start(with_server(call("mcp__hostile__hang") + done("go"), {"--note", dir_ / "asked"}));
  ASSERT_NE(session_, nullptr);
  std::stop_source stop;
  const std::jthread person([&] {
    EXPECT_TRUE(grapnel::testing::becomes_true([&] { return dir_.read("asked").contains("tools/call"); }));
    stop.request_stop();
  });
  EXPECT_EQ(session_->send("go", {}, stop.get_token()).ending, TurnResult::Ending::Interrupted);
  EXPECT_TRUE(grapnel::testing::becomes_true([&] { return dir_.read("asked").contains("notifications/cancelled"); }));
}

TEST_F(McpSessionTest, ShowsProgress) {
  play(with_server(call("mcp__hostile__work") + done("worked")));
  for (const ToolProgress& progress : ui_->all<ToolProgress>()) EXPECT_TRUE(progress.text.ends_with(" of 3: step"));
}

struct QuestionCase {
  const char* note;
  Json hooks;
  McpReply person;
  size_t asked;  ///< how often the person is
  std::string_view want;
};

TEST_F(McpSessionTest, AsksWhatServersWantToKnow) {
  const McpReply red{McpReply::Action::Accept, json(R"({"colour": "red"})")};
  const auto at = [](const std::string& event, const std::string& output) {
    return hook_at(event, "hostile",
                   prints(R"({"hookSpecificOutput": {"hookEventName": ")" + event + R"(", )" + output + "}}"));
  };
  const QuestionCase cases[] = {
      {"nobody is there", Json::object(), {}, 1, R"({\"action\":\"decline\"})"},
      {"a person answers", Json::object(), red, 1, R"({\"action\":\"accept\",\"content\":{\"colour\":\"red\"}})"},
      {"a person declines", Json::object(), {McpReply::Action::Decline}, 1, R"({\"action\":\"decline\"})"},
      {"an answer that does not fit",
       Json::object(),
       {McpReply::Action::Accept, json(R"({"colour": "green"})")},
       1,
       R"({\"action\":\"cancel\"})"},
      {"a hook answers", at("Elicitation", R"("action": "accept", "content": {"colour": "blue"})"), red, 0, "blue"},
      {"a hook declines", at("Elicitation", R"("action": "decline")"), red, 0, "decline"},
      {"a hook objects", hook_at("Elicitation", "hostile", "echo 'ask nobody' >&2; exit 2"), red, 0, "decline"},
      {"a hook changes the answer", at("ElicitationResult", R"("action": "accept", "content": {"colour": "blue"})"),
       red, 1, "blue"},
      {"a hook withholds the answer", hook_at("ElicitationResult", "hostile", "exit 2"), red, 1, "decline"},
      {"a hook for another server", hook_at("Elicitation", "other", "exit 2"), red, 1, "red"},
  };
  for (const QuestionCase& c : cases) {
    for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"--stateless"}}) {
      SCOPED_TRACE(std::string(c.note) + (args.empty() ? "" : ", stateless"));
      ui_->replies.clear();
      ui_->reply_with = c.person;
      AgentOptions wanted = with_server(call("mcp__hostile__ask") + done(std::string(c.want)), args);
      wanted.dialect = "claude";
      wanted.engine_options.configs = {{"claude", "", c.hooks}};
      play(std::move(wanted));
      EXPECT_EQ(ui_->replies.size(), c.asked);
    }
  }
  EXPECT_TRUE(told().contains("the MCP server 'hostile' asks for input"));
}

TEST_F(McpSessionTest, CutsLongQuestions) {
  play(with_server(call("mcp__hostile__pester") + done("decline")));
  ASSERT_EQ(ui_->replies.size(), 1U);
  EXPECT_LT(ui_->replies[0].message.size(), 5000U);
  // Nobody fills in a form of that size.
  play(with_server(call("mcp__hostile__pester", R"({"fields": 5000})") + done("decline")));
  EXPECT_EQ(ui_->replies.size(), 1U);
  EXPECT_TRUE(told().contains("asks more than a person can answer")) << told();
}

TEST_F(McpSessionTest, HooksSeeQuestionsAndAnswers) {
  ui_->reply_with = {McpReply::Action::Accept, json(R"({"colour": "red"})")};
  const std::string keep = "cat >> " + (dir_ / "seen");
  AgentOptions wanted = with_server(call("mcp__hostile__ask") + done("red"));
  wanted.dialect = "claude";
  for (const char* event : {"Elicitation", "ElicitationResult"}) {
    wanted.engine_options.configs.push_back(
        {"claude", "", hook_at(event, "hostile", keep + "; echo >> " + (dir_ / "seen"))});
  }
  wanted.engine_options.configs.push_back({"claude", "", hook_at("Notification", "elicitation_dialog", keep)});
  play(std::move(wanted));
  const std::string seen = dir_.read("seen");
  EXPECT_TRUE(seen.contains(R"("mcp_server_name":"hostile")")) << seen;
  EXPECT_TRUE(seen.contains(R"("mode":"form")"));
  EXPECT_TRUE(seen.contains("requested_schema"));
  EXPECT_TRUE(seen.contains(R"("action":"accept")"));
  EXPECT_TRUE(seen.contains(R"("notification_type":"elicitation_dialog")"));
}

}  // namespace
}  // namespace grapnel::agent
