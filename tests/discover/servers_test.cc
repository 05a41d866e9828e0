#include <gtest/gtest.h>

#include "base/text.h"
#include "discover/servers/server_spec.h"
#include "os/temp_dir.h"
#include "trust/trust_store.h"

/// Files of MCP servers in a home and a project of their own.
namespace grapnel {
namespace {

using testing::TempDir;

struct ServerCase {
  const char* note;
  std::vector<std::pair<const char*, const char*>> files;
  std::string_view want;                        ///< one server in each part: `name address` and what else is said
  std::vector<std::string_view> problems = {};  ///< behind the directory
  const char* only = "";                        ///< the agent whose part is taken
};

std::string text_of(const ServerSpec& server) {
  std::string out = server.name + " " + server.address();
  for (const auto& [name, value] : server.env) out += " " + name + "=" + value;
  for (const auto& [name, value] : server.headers) out += " " + name + ":" + value;
  if (server.call_timeout) out += " call " + std::to_string(server.call_timeout->count());
  if (server.start_timeout) out += " start " + std::to_string(server.start_timeout->count());
  if (!server.only_tools.empty()) out += " only " + text::join(server.only_tools, ",");
  if (!server.without_tools.empty()) out += " without " + text::join(server.without_tools, ",");
  if (!server.is_trusted()) out += " (untrusted)";
  if (!server.enabled) out += " (disabled)";
  return out;
}

const ServerCase kServerCases[] = {
    {"none", {}, ""},
    {"a project's file",
     {{"project/.mcp.json", R"({"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}})"}},
     "a npx -y x (untrusted)"},
    {"Claude Code's user",
     {{"home/.claude.json", R"({"mcpServers": {"a": {"type": "http", "url": "https://x/mcp",
      "headers": {"K": "v"}, "timeout": 5000}}})"}},
     "a https://x/mcp K:v call 5000"},
    {"Claude Code's user in one project",
     {{"home/.claude.json", R"({"projects": {"PROJECT": {"mcpServers": {"a": {"command": "here"}}},
       "/elsewhere": {"mcpServers": {"b": {"command": "there"}}}}})"}},
     "a here"},
    {"a person's own entry wins against the project's",
     {{"project/.mcp.json", R"({"mcpServers": {"a": {"command": "project"}}})"},
      {"home/.claude.json", R"({"mcpServers": {"a": {"command": "user"}}})"}},
     "a user|a project (untrusted)"},
    {"Gemini CLI",
     {{"home/.gemini/settings.json", R"({"mcpServers": {"a": {"httpUrl": "https://$HOST/mcp", "includeTools": ["x"],
        "excludeTools": ["y"], "trust": true}, "b": {"command": "b"}}, "mcp": {"excluded": ["b"]}})"}},
     "a https://example.org/mcp only x without y|b b (disabled)"},
    {"Codex",
     {{"home/.codex/config.toml",
       "[mcp_servers.a]\ncommand = \"a\"\nstartup_timeout_sec = 2.5\ntool_timeout_sec = 60\n"
       "env_vars = [\"HOST\"]\n[mcp_servers.b]\nurl = \"https://b\"\n"
       "bearer_token_env_var = \"TOKEN\"\nenabled = false\n"}},
     "a a HOST=example.org call 60000 start 2500|b https://b Authorization:Bearer t0ken (disabled)"},
    {"Qwen Code", {{"home/.qwen/settings.json", R"({"mcpServers": {"a": {"command": "a"}}})"}}, "a a"},
    {"only those of one agent",
     {{"home/.qwen/settings.json", R"({"mcpServers": {"a": {"command": "a"}}})"},
      {"home/.claude.json", R"({"mcpServers": {"b": {"command": "b"}}})"}},
     "b b",
     {},
     "claude"},
    {"a name that three agents have",
     {{"home/.codex/config.toml", "[mcp_servers.a]\ncommand = \"codex\"\n[mcp_servers.b]\ncommand = \"codex\"\n"},
      {"home/.claude.json", R"({"mcpServers": {"a": {"command": "claude"}, "b": {"command": "claude"}}})"},
      {"home/.gemini/settings.json", R"({"mcpServers": {"a": {"command": "gemini"}}})"}},
     "a gemini|b claude"},
    {"files of one agent",
     {{"home/.claude.json", R"({"mcpServers": {"a": {"command": "user"}, "b": {"command": "user"}},
        "projects": {"PROJECT": {"mcpServers": {"b": {"command": "here"}}}}})"},
      {"root/etc/claude-code/managed-mcp.json", R"({"mcpServers": {"a": {"command": "managed"}}})"}},
     "a managed|b here"},
    {"variables in Claude Code's way",
     {{"home/.claude.json", R"({"mcpServers": {"a": {"command": "${BIN:-/usr/bin}/a", "args": ["$HOST", "${HOST}"],
       "env": {"T": "${TOKEN}"}}}})"}},
     "a /usr/bin/a $HOST example.org T=t0ken"},
    {"a variable that is not set",
     {{"home/.claude.json",
       "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\", \"env\": {\"K\": \"${NOT_SET}\"}},\n"
       "  \"b\": {\"command\": \"b\"}}}"}},
     "b b",
     {"/home/.claude.json:2:38: error: the MCP server 'a' is not used: the variable NOT_SET is not set"}},
    {"a variable that is not set in Gemini CLI",
     {{"home/.gemini/settings.json", R"({"mcpServers": {"a": {"command": "a", "args": ["$NOT_SET"]}}})"}},
     "a a $NOT_SET"},
    {"mistakes",
     {{"home/.claude.json",
       "{\"mcpServers\": {\n\"a\": 7,\n\"b\": {},\n\"c\": {\"command\": \"c\", \"url\": \"http://x\"},\n"
       "\"d\": {\"type\": \"sse\", \"url\": \"http://x\"},\n\"e\": {\"command\": \"e\", \"comand\": 1},\n"
       "\"f\": {\"command\": [\"f\"]},\n\"g\": {\"command\": \"g\", \"timeout\": -1},\n"
       "\"h\": {\"url\": \"ftp://h\"},\n\"i\": {\"command\": \"i\", \"env\": {\"A\": 1}}}}"}},
     "e e",
     {":2:6: error: the MCP server 'a' is not used: a server must be an object",
      ":3:6: error: the MCP server 'b' is not used: it has neither a command nor an address",
      ":4:6: error: the MCP server 'c' is not used: it has both a command and an address",
      ":5:15: error: the MCP server 'd' is not used: it speaks the old HTTP",
      ":6:23: warning: the key 'comand' of a server is unknown",
      ":7:18: error: the MCP server 'f' is not used: 'command' must be a text",
      ":8:34: error: the MCP server 'g' is not used: its timeout must be a number above 0",
      ":9:14: error: the MCP server 'h' is not used: its address must start with http:// or https://",
      ":10:36: error: the MCP server 'i' is not used: 'env.A' must be a text"}},
    {"mistakes that look right",
     {{"home/.claude.json",
       "{\"mcpServers\": {\n\"a\": {\"command\": \"a\", \"env\": {\"K\": \"${HOST\"}},\n"
       "\"b\": {\"type\": \"http\", \"command\": \"b\"},\n\"c\": {\"type\": \"stdio\", \"command\": \"c\"}}}"}},
     "c c",
     {":2:36: error: the MCP server 'a' is not used: a '${' has no '}'",
      ":3:6: error: the MCP server 'b' is not used: it is reached by HTTP and has no address"}},
    {"an open brace in Gemini CLI",
     {{"home/.gemini/settings.json", R"({"mcpServers": {"a": {"command": "a", "args": ["${HOST"]}}})"}},
     "a a ${HOST"},
    {"another key in a project's file",
     {{"project/.mcp.json", R"({"servers": {"a": {"command": "a"}}})"}},
     "",
     {".mcp.json:1:1: warning: this file has no 'mcpServers' (write {\"mcpServers\""}},
    {"a list in a project's file", {{"project/.mcp.json", "[]"}}, "", {".mcp.json:1:1: warning: this file has no"}},
    {"a project's file without servers", {{"project/.mcp.json", "{}"}}, ""},
    {"settings without servers", {{"home/.gemini/settings.json", R"({"hooks": {}})"}}, ""},
    {"a mistake in TOML",
     {{"home/.codex/config.toml", "[mcp_servers.a]\ncommand = 7\n"}},
     "",
     {"config.toml:2:11: error: the MCP server 'a' is not used: 'command' must be a text"}},
    {"a file that is no JSON", {{"home/.claude.json", "{\"mcpServers\": {"}}, "", {".claude.json:1:17: error"}},
    {"no object",
     {{"home/.claude.json", R"({"mcpServers": []})"}},
     "",
     {":1:16: error: MCP servers must be an object"}},
};

class ServersTest : public ::testing::Test {
 protected:
  ServerPlaces places() {
    std::filesystem::create_directories(dir_ / "project");
    env_ = Environment({"HOME=" + (dir_ / "home"), "HOST=example.org", "TOKEN=t0ken"});
    return {.roots = {.root = dir_ / "root", .project_dir = dir_ / "project", .env = &env_},
            .trust_store = dir_ / "state/trust.json"};
  }
  void put(std::string_view name, std::string text) {
    const size_t at = text.find("PROJECT");
    if (at != std::string::npos) text.replace(at, 7, dir_ / "project");
    dir_.put(name, text);
  }

  TempDir dir_;
  Environment env_;
};

TEST_F(ServersTest, AreReadFromEveryAgentsFiles) {
  for (const ServerCase& c : kServerCases) {
    SCOPED_TRACE(c.note);
    for (const char* name : {"home", "project", "root"}) std::filesystem::remove_all(dir_ / name);
    for (const auto& [name, text] : c.files) put(name, text);
    ServerPlaces where = places();
    where.only_dialect = c.only;
    const FoundServers found = find_servers(where);
    std::vector<std::string> texts;
    for (const ServerSpec& server : found.servers) texts.push_back(text_of(server));
    EXPECT_EQ(text::join(texts, "|"), c.want);
    ASSERT_EQ(found.problems.size(), c.problems.size());
    for (size_t i = 0; i < c.problems.size(); ++i) {
      EXPECT_TRUE(found.problems[i].to_string().contains(c.problems[i])) << found.problems[i].to_string();
    }
  }
}

TEST_F(ServersTest, OfAProjectNeedTrust) {
  dir_.put("project/.mcp.json", R"({"mcpServers": {"a": {"command": "python3", "args": ["server.py"]}}})");
  dir_.put("project/server.py", "print(1)\n");
  ServerPlaces where = places();
  const FoundServers before = find_servers(where);
  ASSERT_EQ(before.servers.size(), 1U);
  EXPECT_TRUE(usable_servers(before).empty());
  const std::string digest = before.servers[0].trusted.digest;
  ASSERT_TRUE(TrustStore(where.trust_store).set_trusted(canonical_directory(dir_ / "project"), {digest}));
  EXPECT_EQ(usable_servers(find_servers(where)).size(), 1U);
  // The file that the command names is pinned, too.
  dir_.put("project/server.py", "import os\n");
  EXPECT_TRUE(usable_servers(find_servers(where)).empty());
}

TEST_F(ServersTest, OfAFileThatTheUserNamesWin) {
  dir_.put("home/.claude.json", R"({"mcpServers": {"a": {"command": "user"}, "b": {"command": "b"}}})");
  dir_.put("mine.json", R"({"mcpServers": {"a": {"command": "mine"}}})");
  ServerPlaces where = places();
  where.files = {dir_ / "mine.json"};
  std::string all;
  for (const ServerSpec& server : find_servers(where).servers) all += text_of(server) + "|";
  EXPECT_EQ(all, "b b|a mine|");
  where.use_standard_places = false;
  EXPECT_EQ(find_servers(where).servers.size(), 1U);
  where.files = {dir_ / "missing.json"};
  EXPECT_EQ(find_servers(where).problems.size(), 1U);
}

}  // namespace
}  // namespace grapnel
