#include "mcp/client.h"

#include <atomic>

#include <gtest/gtest.h>

#include "base/text.h"
#include "mcp/call_result.h"
#include "mcp/tool_list.h"
#include "os/patience.h"
#include "os/temp_dir.h"

/// The client against a real process that behaves badly; see hostile_server.cc.
namespace grapnel::mcp {
namespace {

using std::chrono::milliseconds;
using Kind = Failure::Kind;

/// For what never answers: nothing can come before that.
constexpr milliseconds kShort{300};

McpServer hostile(std::vector<std::string> args, milliseconds startup = testing::kLong) {
  return {.name = "hostile", .command = GRAPNEL_HOSTILE_SERVER, .args = std::move(args), .startup_timeout = startup};
}

Host host() {
  return {.version = "1", .project = "/", .elicit = {}};
}

Answer<std::unique_ptr<Client>> connect(const McpServer& server, Host with = host(), const Limits& limits = {}) {
  return Client::connect(server, with, limits, {});
}

CallOptions patient() {
  return {.timeout = testing::kLong};
}

Answer<CallResult> call(Client& client, std::string_view tool, const Json& arguments = Json::object(),
                        const CallOptions& options = patient()) {
  auto result = client.request_with_input(
      "tools/call", Json::object({{"name", Json::string(tool)}, {"arguments", arguments}}), options);
  if (!result) return std::unexpected(result.error());
  return read_call_result(*result);
}

std::string names_of(const ToolList& list) {
  std::vector<std::string> names;
  for (const ServerTool& tool : list.tools) names.push_back(tool.name);
  return text::join(names, " ");
}

struct HandshakeCase {
  const char* note;
  std::vector<std::string> args;
  std::string_view version;  ///< "" if there is no connection…
  std::string_view failure;  ///< …and what the failure says
};

TEST(McpClient, AgreesOnAVersion) {
  const HandshakeCase cases[] = {
      {"the newest with a handshake", {}, "2025-11-25", ""},
      {"an older server", {"--version", "2024-11-05"}, "2024-11-05", ""},
      {"a version from another time", {"--version", "1999-01-01"}, "", "'1999-01-01'"},
      {"without a handshake", {"--stateless"}, "2026-07-28", ""},
      {"names an older version", {"--only", "2025-06-18"}, "2025-11-25", ""},
      {"names only versions that we do not know", {"--only", "2031-01-01"}, "", "2031-01-01"},
      {"ends when it is asked first", {"--dies-if-probed"}, "2025-11-25", ""},
      {"prints before it begins", {"--noise", "20"}, "2025-11-25", ""},
      {"prints nothing else", {"--noise", "5000"}, "", "no message"},
      {"is dead", {"--dead"}, "", "ended: exit 3; it wrote: the database is not there"},
  };
  for (const HandshakeCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto client = connect(hostile(c.args));
    ASSERT_EQ(client.has_value(), !c.version.empty()) << (client ? "" : client.error().message);
    if (client) {
      EXPECT_EQ((*client)->version(), c.version);
      EXPECT_EQ((*client)->program(), "hostile 1");
    } else {
      EXPECT_TRUE(client.error().message.contains(c.failure)) << client.error().message;
    }
  }
}

TEST(McpClient, GivesUpOnASilentServer) {
  const auto client = connect(hostile({"--silent"}, kShort));
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().kind, Kind::TimedOut);
  EXPECT_EQ(client.error().message, "it was not ready within 300 ms");
}

TEST(McpClient, SaysWhichProgramIsMissing) {
  const auto client = connect({.name = "x", .command = "no-such-server"});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().message, "there is no program 'no-such-server'");
}

TEST(McpClient, ListsToolsPageByPage) {
  for (const char* version : {"--pages", "--stateless"}) {
    SCOPED_TRACE(version);
    auto client = connect(hostile({version}));
    ASSERT_TRUE(client) << client.error().message;
    const auto tools = list_tools(**client, patient());
    ASSERT_TRUE(tools);
    EXPECT_EQ(names_of(*tools),
              "echo fail crash hang work huge ask lie change variable spawn complain unread batch both other pester "
              "choose paint region");
    EXPECT_TRUE(tools->remarks.empty());
    EXPECT_EQ(tools->tools.back().headers, (std::vector<std::pair<std::string, std::string>>{{"/where", "Region"}}));
  }
}

TEST(McpClient, LeavesOutToolsThatCannotBeUsed) {
  struct Case {
    const char* note;
    std::vector<std::string> args;
    std::string_view names;
    std::vector<std::string_view> remarks;
  };
  const Case cases[] = {
      {"schemas and names",
       {"--bad-tools"},
       "good loop",
       {"'list' is left out: its schema does not describe an object", "'nothing' is left out", "a tool has no name",
        "its name is too long", "'good' is listed twice", "a header that it wants cannot be sent",
        "'properties' is left out: its schema is no JSON Schema",
        "'property' is left out: its schema is no JSON Schema", "'fat' is left out: its schema is too large"}},
      {"pages without end", {"--endless"}, "", {"its list of tools does not end"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    auto client = connect(hostile(c.args));
    ASSERT_TRUE(client) << client.error().message;
    const auto tools = list_tools(**client, patient());
    ASSERT_TRUE(tools);
    EXPECT_EQ(names_of(*tools), c.names);
    ASSERT_EQ(tools->remarks.size(), c.remarks.size());
    for (size_t i = 0; i < c.remarks.size(); ++i) {
      EXPECT_TRUE(tools->remarks[i].contains(c.remarks[i])) << tools->remarks[i];
    }
  }
}

TEST(McpClient, LimitsTheNumberOfTools) {
  auto client = connect(hostile({"--many", "50"}), host(), {.max_tools = 20});
  ASSERT_TRUE(client);
  const auto tools = list_tools(**client, patient());
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->tools.size(), 20U);
  EXPECT_EQ(tools->remarks, std::vector<std::string>{"it has more than 20 tools; the others are left out"});
}

TEST(McpClient, LimitsWhatTheModelReadsOfTools) {
  auto client = connect(hostile({"--many", "50"}), host(), {.max_tool_bytes = 1000});
  ASSERT_TRUE(client);
  const auto tools = list_tools(**client, patient());
  ASSERT_TRUE(tools);
  EXPECT_GT(tools->tools.size(), 5U);
  EXPECT_LT(tools->tools.size(), 50U);
  ASSERT_EQ(tools->remarks.size(), 1U);
  EXPECT_TRUE(tools->remarks[0].starts_with("its tools take more than 1000 bytes; those from '")) << tools->remarks[0];
}

TEST(McpClient, CallsTools) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"--stateless"}}) {
    SCOPED_TRACE(args.empty() ? "handshake" : args.front());
    auto client = connect(hostile(args));
    ASSERT_TRUE(client) << client.error().message;
    EXPECT_EQ(call(**client, "echo", *Json::parse(R"({"text": "hi"})"))->text, "hi");
    const auto failed = call(**client, "fail");
    EXPECT_TRUE(failed->is_error);
    EXPECT_EQ(failed->text, "the disk is full");
    const auto unknown = call(**client, "nonsense");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, Kind::Refused);
    EXPECT_EQ(unknown.error().message, "Unknown tool: nonsense");
  }
}

TEST(McpClient, ReadsOddAnswers) {
  struct Case {
    const char* note;
    std::vector<std::string> args;
    const char* tool;
    std::string_view text;   ///< "" if there is none…
    std::string_view error;  ///< …and what it says then
  };
  const Case cases[] = {
      {"every answer twice, and others", {"--twice"}, "work", "worked", ""},
      {"in a list", {}, "batch", "of several", ""},
      {"an error that is null", {}, "both", "fine", ""},
      {"an error without an id", {}, "unread", "", "cannot read that"},
      {"the id as text", {}, "other", "", "no answer within"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    auto client = connect(hostile(c.args));
    ASSERT_TRUE(client) << client.error().message;
    const bool never = std::string_view(c.tool) == "other";
    const auto result = call(**client, c.tool, Json::object(), never ? CallOptions{.timeout = kShort} : patient());
    EXPECT_EQ(result ? result->text : "", c.text);
    const std::string error = result ? "" : result.error().message;
    EXPECT_TRUE(error.contains(c.error)) << error;
    EXPECT_EQ(call(**client, "echo", *Json::parse(R"({"text": "next"})"))->text, "next");
  }
}

struct RawCase {
  const char* note;
  std::string bytes;  ///< `@` stands for the id of the call
  std::string_view text;
  std::string_view error;
  std::string_view then = "";
};

std::string with_text(const std::string& id, const std::string& text) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[{"type":"text","text":")" + text + R"("}]}})" +
         "\n";
}

TEST(McpClient, ReadsWhatNoLibraryWouldWrite) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string progress =
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@,"progress":1}})"
      "\n";
  const RawCase cases[] = {
      {"no UTF-8", with_text("@", "caf\xe9"), "caf\xEF\xBF\xBD", ""},
      {"half a surrogate", with_text("@", "\\ud800."), "\xEF\xBF\xBD.", ""},
      {"a byte that is no text", with_text("@", std::string(1, '\0')), "", "its answer cannot be read"},
      {"a tab in a string", with_text("@", "\t"), "", "its answer cannot be read"},
      {"deeper than anybody reads", R"({"jsonrpc":"2.0","id":@,"result":)" + deep + "}\n", "",
       "its answer cannot be read"},
      {"half an answer",
       R"({"jsonrpc":"2.0","id":@,"result":)"
       "\n",
       "", "its answer cannot be read"},
      {"two answers in one line",
       R"({"jsonrpc":"2.0","id":@,"result":{}}{"jsonrpc":"2.0","id":@,"result":{}})"
       "\n",
       "", "its answer cannot be read"},
      {"ids of every size before the right one",
       with_text(std::string(1000, '9'), "no") + with_text("-1", "no") + with_text("1e400", "no") +
           with_text("0.5", "no") + with_text("\"" + std::string(100'000, 'x') + "\"", "no") + with_text("[]", "no") +
           with_text("@", "fine"),
       "fine", ""},
      {"lines for another protocol", "Content-Length: 99\r\n\r\n" + with_text("@", "fine"), "fine", ""},
      {"progress and another result after the result",
       with_text("@", "fine") + progress + progress + with_text("@", "no"), "fine", ""},
      {"a result that is no object",
       R"({"jsonrpc":"2.0","id":@,"result":[7]})"
       "\n",
       "", "no result that grapnel understands"},
      {"an error that is no object",
       R"({"jsonrpc":"2.0","id":@,"error":"no"})"
       "\n" +
           with_text("@", "fine"),
       "fine", ""},
      {"the end in the middle of a line", R"({"jsonrpc":"2.0","id":@,"resu)", "", "it ended: exit 0", "exit"},
      {"no more output, and no end", "", "", "it closed its output", "deaf"},
  };
  const testing::TempDir dir;
  for (const RawCase& c : cases) {
    SCOPED_TRACE(c.note);
    dir.put("raw", c.bytes);
    auto client = connect(hostile({"--raw", dir / "raw", "--then", std::string(c.then)}));
    ASSERT_TRUE(client) << client.error().message;
    const auto result = call(**client, "any");
    EXPECT_EQ(result ? result->text : "", c.text);
    const std::string error = result ? "" : result.error().message;
    EXPECT_TRUE(error.contains(c.error)) << error;
    // One answer that cannot be read is no reason to end a connection.
    EXPECT_EQ((*client)->is_open(), c.then.empty());
  }
}

TEST(McpClient, CutsTheErrorsOfServers) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  const auto result = call(**client, "complain");
  ASSERT_FALSE(result);
  EXPECT_LT(result.error().message.size(), 5000U);
}

TEST(McpClient, AsksNobodyBeforeTheHandshake) {
  bool was_asked = false;
  Host with = host();
  with.elicit = [&](const Json&, const std::stop_token&) {
    was_asked = true;
    return *Json::parse(R"({"action": "decline"})");
  };
  auto client = connect(hostile({"--early"}), with);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_FALSE(was_asked);
  EXPECT_TRUE((*client)->take_tools_changed());
  EXPECT_TRUE(call(**client, "ask")->text.contains("decline"));
  EXPECT_TRUE(was_asked);
}

Json accepting(const Json&, const std::stop_token&) {
  return *Json::parse(R"({"action": "accept", "content": {"colour": "red"}})");
}

TEST(McpClient, AsksNobodyWithoutACall) {
  const testing::TempDir dir;
  bool was_asked = false;
  Host with = host();
  with.elicit = [&](const Json& params, const std::stop_token& stop) {
    was_asked = true;
    return accepting(params, stop);
  };
  auto client = connect(hostile({"--idle-question", "--note", dir / "asked"}), with);
  ASSERT_TRUE(client) << client.error().message;
  ASSERT_TRUE(list_tools(**client, patient()));
  EXPECT_TRUE(testing::becomes_true([&] { return dir.read("asked").contains(R"({"action":"cancel"})"); }));
  EXPECT_FALSE(was_asked);
}

TEST(McpClient, EndsAStormOfQuestions) {
  std::atomic<int> asked = 0;
  Host with = host();
  with.elicit = [&](const Json& params, const std::stop_token& stop) {
    ++asked;
    return accepting(params, stop);
  };
  auto client = connect(hostile({}), with, {.max_questions = 5});
  ASSERT_TRUE(client) << client.error().message;
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(call(**client, "storm")->text, "5 accepted, 95 cancelled");
    EXPECT_EQ(asked.load(), 5 * i);
  }
}

TEST(McpClient, GivesUpAQuestionWhoseCallHasEnded) {
  std::atomic<bool> was_asked = false;
  std::atomic<bool> was_given_up = false;
  Host with = host();
  with.elicit = [&](const Json&, const std::stop_token& stop) {
    was_asked = true;
    was_given_up = testing::becomes_true([&] { return stop.stop_requested(); });
    return *Json::parse(R"({"action": "cancel"})");
  };
  auto client = connect(hostile({}), with);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_EQ(call(**client, "abandon")->text, "never mind");
  EXPECT_EQ(call(**client, "echo", *Json::parse(R"({"text": "next"})"))->text, "next");
  client->reset();
  EXPECT_EQ(was_asked.load(), was_given_up.load());
}

TEST(McpClient, AnswersAPingWhileAPersonThinks) {
  Host with = host();
  with.elicit = [&](const Json&, const std::stop_token& stop) {
    EXPECT_TRUE(testing::becomes_true([&] { return stop.stop_requested(); }));
    return *Json::parse(R"({"action": "cancel"})");
  };
  auto client = connect(hostile({}), with);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_EQ(call(**client, "ping")->text, "first p1");
}

TEST(McpClient, SendsACallAgainWhenAnAddressWasOpened) {
  struct Case {
    const char* action;
    bool again;
    std::string_view text;
    std::string_view error;
  };
  const Case cases[] = {{"accept", false, "opened", ""},
                        {"decline", false, "", "it needs an address to be opened, which was declined"},
                        {"accept", true, "", "it asks again and again"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.action) + (c.again ? ", again and again" : ""));
    std::string asked;
    Host with = host();
    with.elicit = [&](const Json& params, const std::stop_token&) {
      asked = params["mode"].as_string().value_or("") + " " + params["url"].as_string().value_or("");
      return Json::object({{"action", Json::string(c.action)}});
    };
    auto client = connect(hostile({}), with);
    ASSERT_TRUE(client) << client.error().message;
    const auto result = call(**client, "address", Json::object({{"again", Json::boolean(c.again)}}));
    EXPECT_EQ(asked, "url https://example.com/login");
    EXPECT_EQ(result ? result->text : "", c.text);
    EXPECT_EQ(result ? "" : result.error().message, c.error);
  }
}

TEST(McpClient, GivesAllPagesOneTime) {
  const testing::TempDir dir;
  auto client = connect(hostile({"--endless", "--slow", "50", "--note", dir / "asked"}));
  ASSERT_TRUE(client) << client.error().message;
  const auto tools = list_tools(**client, {.timeout = kShort});
  const std::string asked = dir.read("asked");
  size_t pages = 0;
  for (size_t at = asked.find("tools/list"); at != std::string::npos; at = asked.find("tools/list", at + 1)) ++pages;
  // A hundred of them would take five seconds.
  EXPECT_LT(pages, 20U);
  // The time may also end in the middle of a page.
  if (tools) {
    EXPECT_EQ(tools->remarks, std::vector<std::string>{"its list of tools does not end"});
  }
}

TEST(McpClient, TellsProgress) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  std::vector<Progress> seen;
  CallOptions options = patient();
  options.on_progress = [&](const Progress& progress) { seen.push_back(progress); };
  EXPECT_EQ(call(**client, "work", Json::object(), options)->text, "worked");
  // Of several at once only the last one is told.
  for (const Progress& progress : seen) EXPECT_EQ(progress.total, 3);
}

TEST(McpClient, GivesUpWhatTakesTooLong) {
  const testing::TempDir dir;
  auto client = connect(hostile({"--note", dir / "asked"}));
  ASSERT_TRUE(client);
  const auto late = call(**client, "hang", Json::object(), {.timeout = kShort});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, Kind::TimedOut);
  EXPECT_TRUE(testing::becomes_true([&] { return dir.read("asked").contains("notifications/cancelled"); }));
  EXPECT_EQ(call(**client, "echo", *Json::parse(R"({"text": "still here"})"))->text, "still here");
}

TEST(McpClient, StopsWaitingWhenAsked) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  std::stop_source stop;
  std::jthread later([&] { stop.request_stop(); });
  const auto result = call(**client, "hang", Json::object(), {.timeout = testing::kLong, .stop = stop.get_token()});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Kind::Cancelled);
}

TEST(McpClient, NoticesTheEndOfAServer) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  const auto result = call(**client, "crash");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Kind::Closed);
  EXPECT_FALSE((*client)->is_open());
  EXPECT_EQ((*client)->why_closed(), "it ended: exit 11; it wrote: segmentation fault, or so");
  EXPECT_EQ(call(**client, "echo").error().kind, Kind::Closed);
}

TEST(McpClient, EndsAFlood) {
  auto client = connect(hostile({"--flood"}), host(), {.max_unasked = 500});
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_TRUE(testing::becomes_true([&] { return !(*client)->is_open(); }));
  EXPECT_TRUE((*client)->why_closed().contains("500 messages that nobody asked for")) << (*client)->why_closed();
}

TEST(McpClient, EndsAtAHugeMessage) {
  auto client = connect(hostile({}), host(), {.max_message = size_t{1} << 20});
  ASSERT_TRUE(client) << client.error().message;
  const auto result = call(**client, "huge");
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.contains("1048576 bytes")) << result.error().message;
}

TEST(McpClient, NoticesChangedTools) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  EXPECT_FALSE((*client)->take_tools_changed());
  EXPECT_EQ(call(**client, "change")->text, "changed");
  EXPECT_TRUE((*client)->take_tools_changed());
  EXPECT_FALSE((*client)->take_tools_changed());
  const auto tools = list_tools(**client, patient());
  ASSERT_TRUE(tools);
  EXPECT_TRUE(names_of(*tools).ends_with("new")) << names_of(*tools);
}

TEST(McpClient, AnswersQuestionsOfServers) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"--stateless"}}) {
    SCOPED_TRACE(args.empty() ? "handshake" : args.front());
    std::string asked;
    Host with = host();
    with.elicit = [&](const Json& params, const std::stop_token&) {
      asked = params["message"].as_string().value_or("");
      return *Json::parse(R"({"action": "accept", "content": {"colour": "red"}})");
    };
    auto client = connect(hostile(args), with);
    ASSERT_TRUE(client) << client.error().message;
    const auto result = call(**client, "ask");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(asked, "Which colour?");
    EXPECT_EQ(result->text, R"({"action":"accept","content":{"colour":"red"}})");
  }
}

TEST(McpClient, SaysWhatItDoesNotOffer) {
  auto client = connect(hostile({}));
  ASSERT_TRUE(client);
  EXPECT_TRUE(call(**client, "ask")->text.contains("-32601"));
  auto stateless = connect(hostile({"--stateless"}));
  ASSERT_TRUE(stateless);
  EXPECT_EQ(call(**stateless, "ask").error().kind, Kind::BadAnswer);
}

TEST(McpClient, KeepsSecretsFromServers) {
  ::setenv("MCP_TEST_API_KEY", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", 1);
  McpServer server = hostile({});
  server.env = {{"GIVEN_TOKEN", "for this server"}};
  auto client = connect(server);
  ASSERT_TRUE(client);
  EXPECT_EQ(call(**client, "variable", *Json::parse(R"({"name": "MCP_TEST_API_KEY"})"))->text, "(not set)");
  EXPECT_EQ(call(**client, "variable", *Json::parse(R"({"name": "GIVEN_TOKEN"})"))->text, "for this server");
  ::unsetenv("MCP_TEST_API_KEY");
}

TEST(McpCallResult, BecomesText) {
  struct Case {
    const char* note;
    const char* result;
    std::string_view text;
  };
  const Case cases[] = {
      {"texts", R"({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})", "a\nb"},
      {"a picture", R"({"content": [{"type": "image", "data": "aGFsbG8=", "mimeType": "image/png"}]})",
       "[image/png, about 6 bytes]"},
      {"a link", R"({"content": [{"type": "resource_link", "uri": "file:///a", "name": "a", "description": "the a"}]})",
       "[resource file:///a: a, the a]"},
      {"a resource", R"({"content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "A"}}]})",
       "[resource file:///a]\nA"},
      {"bytes", R"({"content": [{"type": "resource", "resource": {"uri": "file:///a", "blob": "aGFsbG8="}}]})",
       "[resource file:///a]\n[bytes, about 6 bytes]"},
      {"only data", R"({"structuredContent": {"n":1}})", R"({"n":1})"},
      {"something new", R"({"content": [{"type": "smell"}]})", "[content of the unknown type 'smell']"},
      {"nothing", R"({})", ""},
      {"nonsense", R"({"content": 7})", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(read_call_result(*Json::parse(c.result)).text, c.text);
  }
}

}  // namespace
}  // namespace grapnel::mcp
