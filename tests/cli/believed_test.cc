#include "cli/believed.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/account.h"
#include "os/temp_dir.h"
#include "run/supervisor.h"

/// What an installed bridge makes of variables that a repository may have set. The list is JSON lines: a variable, its
/// value in the project `/home/me/project` of a person whose home is `/home/me`, and what it would be good for.
namespace grapnel::testing {
namespace {

using cli::believed;

TEST(AccountTest, TheHomeIsInTheListOfAccounts) {
  const TempDir dir;
  const std::string list = dir.put("passwd",
                                   "root:x:0:0:root:/root:/bin/bash\n"
                                   "short:x:7\n"
                                   "relative:x:8:8::home:/bin/sh\n"
                                   "me:x:1000:1000:Me, Myself:/home/me:/bin/sh\n"
                                   "again:x:1000:1000::/home/again:/bin/sh\n");
  EXPECT_EQ(cli::account_home(list, 0), "/root");
  EXPECT_EQ(cli::account_home(list, 1000), "/home/me");
  EXPECT_EQ(cli::account_home(list, 7), "");
  EXPECT_EQ(cli::account_home(list, 8), "");
  EXPECT_EQ(cli::account_home(list, 4711), "");
  EXPECT_EQ(cli::account_home(dir / "nowhere", 0), "");
}

class BelievedTest : public ::testing::Test {
 protected:
  std::string home() const { return dir_ / "me"; }
  Environment own(std::vector<std::string> more = {}) const {
    more.push_back("HOME=" + home());
    more.push_back("PATH=/usr/bin:/bin");
    return Environment(more);
  }
  TempDir dir_;
};

TEST_F(BelievedTest, WithoutNotesTheAccountCounts) {
  const auto now =
      believed(own({"XDG_STATE_HOME=/elsewhere", "CLAUDE_CONFIG_DIR=/elsewhere", "EDITOR=vi", "TERM=x"}), home());
  EXPECT_EQ(now.env.home(), home());
  EXPECT_FALSE(now.env.has("XDG_STATE_HOME"));
  EXPECT_FALSE(now.env.has("CLAUDE_CONFIG_DIR"));
  EXPECT_EQ(now.env.get("TERM"), "x");
  EXPECT_EQ(now.unused, (std::vector<std::string>{"CLAUDE_CONFIG_DIR", "XDG_STATE_HOME"}));
}

TEST_F(BelievedTest, AnotherHomeIsNotBelieved) {
  ASSERT_TRUE(cli::note_places(own(), home()));
  const auto now = believed({"HOME=/repository/home", "PATH=/bin"}, home());
  EXPECT_EQ(now.env.home(), home());
  EXPECT_EQ(now.unused, std::vector<std::string>{"HOME"});
}

TEST_F(BelievedTest, WhatWasNotedIsUsedWhateverTheEnvironmentSays) {
  ASSERT_TRUE(
      cli::note_places(own({"XDG_CONFIG_HOME=/mine", "GRAPNEL_SHELL=/bin/dash", "LD_PRELOAD=/mine.so"}), home()));
  const auto same = believed(own({"XDG_CONFIG_HOME=/mine", "GRAPNEL_SHELL=/bin/dash", "LD_PRELOAD=/mine.so"}), home());
  EXPECT_TRUE(same.unused.empty());
  EXPECT_EQ(same.env.get("LD_PRELOAD"), "/mine.so");
  const auto other = believed(own({"XDG_CONFIG_HOME=/theirs", "GRAPNEL_SHELL=./sh", "LD_PRELOAD=/their.so"}), home());
  EXPECT_EQ(other.env.get("XDG_CONFIG_HOME"), "/mine");
  EXPECT_EQ(other.env.get("GRAPNEL_SHELL"), "/bin/dash");
  EXPECT_FALSE(other.env.has("LD_PRELOAD"));
  EXPECT_EQ(other.unused.size(), 3U);
  // An agent that was started from a menu has none of them.
  EXPECT_EQ(believed(own(), home()).env.get("XDG_CONFIG_HOME"), "/mine");
  EXPECT_TRUE(believed(own(), home()).unused.empty());
}

TEST_F(BelievedTest, TheDefaultsAreNoDifference) {
  ASSERT_TRUE(cli::note_places(own(), home()));
  const auto now =
      believed(own({"XDG_CONFIG_HOME=" + home() + "/.config", "XDG_STATE_HOME=" + home() + "/.local/state"}), home());
  EXPECT_TRUE(now.unused.empty());
}

TEST_F(BelievedTest, HomesThatAPersonInstalledInAreNotedEach) {
  ASSERT_TRUE(cli::note_places(own(), home()));
  ASSERT_TRUE(cli::note_places({"HOME=/second", "PATH=/bin", "XDG_STATE_HOME=/second/state"}, home()));
  EXPECT_EQ(believed({"HOME=/second"}, home()).env.get("XDG_STATE_HOME"), "/second/state");
  EXPECT_EQ(believed({"HOME=/third"}, home()).env.home(), home());
}

TEST_F(BelievedTest, NotesThatOthersCouldWriteAreNotRead) {
  ASSERT_TRUE(cli::note_places(own({"XDG_CONFIG_HOME=/mine"}), home()));
  ASSERT_EQ(::chmod(cli::noted_places_file(home()).c_str(), 0666), 0);
  EXPECT_FALSE(believed(own(), home()).env.has("XDG_CONFIG_HOME"));
}

TEST_F(BelievedTest, PathHasNothingOfTheProjectButWhatWasNoted) {
  const std::string project = dir_ / "me/project";
  for (const char* name : {"bin", "venv", "node_modules/.bin"})
    std::filesystem::create_directories(project + "/" + name);
  ASSERT_TRUE(cli::note_places({"HOME=" + home(), "PATH=" + project + "/venv:/opt/tools:/usr/bin"}, home()));
  auto now = believed({"HOME=" + home(), "PATH=" + project + "/bin:.:bin::" + project + "/venv:/usr/local/go:/usr/bin"},
                      home());
  cli::leave_project_out_of_path(now, {project});
  EXPECT_EQ(now.env.get("PATH"), project + "/venv:/usr/local/go:/usr/bin:/opt/tools:/usr/local/bin:/bin");
  EXPECT_EQ(now.unused, std::vector<std::string>{"PATH inside the project"});
}

/// Real processes: the person has a guard, and a repository sets one variable. The guard's own program is a script that
/// says no; whatever else runs leaves a file.
class RepositoryVariableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_.put("me/.config/agents/grapnel.yaml",
             "version: 1\nhooks:\n  - name: guard\n    on: PreToolUse\n    run: sh \"$HOME/guard.sh\"\n");
    dir_.put("me/guard.sh",
             "python3 -c 'import json' 2>/dev/null; git --version >/dev/null; echo ran >> \"$HOME/ran\"\n"
             "echo never >&2; exit 2\n");
    for (const char* name : {"bin/sh", "tools/sh", "d.sh", ".benv", ".shenv", "bin/git", "bin/python3"}) {
      dir_.put("me/project/" + std::string(name), "#!/bin/sh\ntouch " + (dir_ / "theirs") + "\nexit 0\n", 0755);
    }
    dir_.put("me/project/py/json.py", "open('" + (dir_ / "theirs") + "','w')\n");
    const std::string theirs = "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"touch " +
                               (dir_ / "theirs") + "\"}]}]}}";
    for (const char* name : {"evil.json", "system.json", "defaults.json"}) {
      dir_.put("me/project/" + std::string(name),
               "{\"hooks\":{\"BeforeTool\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"touch " +
                   (dir_ / "theirs") + "\"}]}]},\"hooksConfig\":{\"enabled\":false}}");
    }
    for (const char* name : {".cfg/agents/grapnel.yaml", "home/.config/agents/grapnel.yaml"}) {
      dir_.put("me/project/" + std::string(name),
               "version: 1\nhooks:\n  - name: theirs\n    on: PreToolUse\n    run: touch " + (dir_ / "theirs") + "\n");
    }
    for (const char* name :
         {".claude/settings.json", "g/.gemini/settings.json", ".copilot/settings.json", "home/.claude/settings.json"}) {
      dir_.put("me/project/cfg" + std::string(name), theirs);
    }
    dir_.put("me/project/.state/grapnel/switches.json", R"({"version":1,"off":{"guard":null}})", 0600);
    dir_.put("me/project/.cfg/grapnel/settings.yaml", "self_protection: off\nmode: observe\n");
  }

  std::string run(std::vector<std::string> words, const std::vector<std::string>& more,
                  const std::string& payload = "") {
    ChildSpec child;
    child.path = GRAPNEL_COMMAND;
    child.argv = {"grapnel"};
    child.argv.insert(child.argv.end(), words.begin(), words.end());
    std::vector<std::string> entries = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "me")};
    entries.insert(entries.end(), more.begin(), more.end());
    child.env = Environment(entries);
    child.cwd = dir_ / "me/project";
    child.stdin_bytes = std::make_shared<const std::string>(payload);
    child.timeout = std::chrono::minutes(5);
    const RunOutcome outcome = run_children({&child, 1}, 0, {}, {}).front();
    return outcome.out.bytes + outcome.err.bytes;
  }

  std::string fire(const std::vector<std::string>& more, const std::string& session) {
    return run({"fire", "--bridge", "--as", "claude"}, more,
               R"({"hook_event_name":"PreToolUse","session_id":")" + session + R"(","cwd":")" + (dir_ / "me/project") +
                   R"(","tool_name":"Bash","tool_input":{"command":"rm x"}})");
  }

  std::string moved(std::string text) const {
    const std::string from = "/home/me";
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, from.size(), dir_ / "me");
      at += (dir_ / "me").size();
    }
    return text;
  }

  TempDir dir_;
};

TEST_F(RepositoryVariableTest, RunsNoCodeAndSwitchesNothingOff) {
  run({"install", "claude"}, {});
  std::ifstream list(std::string(GRAPNEL_SOURCE_DIR) + "/tests/cli/env.jsonl");
  size_t rows = 0;
  for (std::string line; std::getline(list, line); ++rows) {
    SCOPED_TRACE(line);
    const Json row = Json::parse(moved(line)).value_or(Json());
    const std::string name = row["var"].as_string().value_or("");
    // The tests have no account, so their home is what HOME says; AnotherHomeIsNotBelieved is about that one.
    if (name == "HOME") continue;
    std::filesystem::remove(dir_ / "me/ran");
    const std::string said = fire({name + "=" + row["value"].as_string().value_or("")}, "s" + std::to_string(rows));
    EXPECT_TRUE(said.contains(R"("permissionDecision":"deny")")) << said;
    EXPECT_TRUE(std::filesystem::exists(dir_ / "me/ran")) << "the guard's script did not run";
    EXPECT_FALSE(std::filesystem::exists(dir_ / "theirs")) << "code of the repository ran";
    std::filesystem::remove(dir_ / "theirs");
  }
  EXPECT_GE(rows, 20U);
}

TEST_F(RepositoryVariableTest, AndSoItIsWithoutNotes) {
  for (const char* entry :
       {"GRAPNEL_DISABLE=1", "GRAPNEL_DEPTH=9", "GRAPNEL_TIMEOUT=1ms", "GRAPNEL_SHELL=/home/me/project/bin/sh",
        "XDG_CONFIG_HOME=/home/me/project/.cfg", "XDG_STATE_HOME=/home/me/project/.state",
        "PATH=/home/me/project/bin:/usr/bin", "PATH=/nonexistent", "BASH_ENV=/home/me/project/.benv"}) {
    SCOPED_TRACE(entry);
    std::filesystem::remove(dir_ / "me/ran");
    const std::string said = fire({moved(entry)}, entry);
    EXPECT_TRUE(said.contains(R"("permissionDecision":"deny")")) << said;
    EXPECT_TRUE(std::filesystem::exists(dir_ / "me/ran"));
    EXPECT_FALSE(std::filesystem::exists(dir_ / "theirs"));
  }
}

std::string text_of(const std::filesystem::path& place) {
  std::ifstream file(place);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Rows of a table in Markdown: the names in the first column, and the last column.
std::map<std::string, std::string> rows_by_variable(const std::string& page) {
  std::map<std::string, std::string> out;
  std::istringstream lines(page);
  const std::regex row(R"(^\| (`.*`) \|.*\| ([^|]+) \|$)");
  const std::regex name("`([A-Z_*]+)`");
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, found, row)) continue;
    const std::string names = found[1];
    for (std::sregex_iterator at(names.begin(), names.end(), name), end; at != end; ++at) out[(*at)[1]] = found[2];
  }
  return out;
}

/// The table for people says the same as the table of the bridge.
TEST(BridgeVariableTest, EveryVariableOfGrapnelIsInTheTableForPeople) {
  const auto rows = rows_by_variable(text_of(std::string(GRAPNEL_SOURCE_DIR) + "/docs/configuration.md"));
  for (const cli::BridgeVariable& row : cli::known_variables()) {
    if (!row.name.starts_with("GRAPNEL_") || row.is_prefix) continue;
    const auto said = rows.find(std::string(row.name));
    ASSERT_NE(said, rows.end()) << row.name << " needs a row in docs/configuration.md";
    const bool is_never = said->second.starts_with("never");
    const bool is_noted = said->second.starts_with("as noted");
    EXPECT_EQ(is_never, row.belief == cli::Belief::Never) << row.name << ": " << said->second;
    EXPECT_EQ(is_noted, row.belief == cli::Belief::Noted) << row.name << ": " << said->second;
  }
}

/// Whatever a page names is in the table, or among those that Grapnel sets for hooks.
TEST(BridgeVariableTest, EveryVariableThatAPageNamesIsExplained) {
  const std::filesystem::path root = GRAPNEL_SOURCE_DIR;
  const std::string explained = text_of(root / "docs/configuration.md");
  const std::string header = text_of(root / "include/grapnel.h");
  const std::regex name("\\bGRAPNEL_[A-Z_]+\\b");
  size_t seen = 0;
  std::vector<std::filesystem::path> pages = {root / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md" || entry.path().extension() == ".1") pages.push_back(entry.path());
  }
  for (const auto& path : pages) {
    const std::string page = text_of(path);
    for (std::sregex_iterator at(page.begin(), page.end(), name), end; at != end; ++at, ++seen) {
      const std::string variable = at->str();
      if (header.contains(variable)) continue;  // a constant of the library for C
      EXPECT_TRUE(explained.contains("`" + variable + "`")) << path << " names " << variable;
    }
  }
  EXPECT_GT(seen, 20U);
}

}  // namespace
}  // namespace grapnel::testing
