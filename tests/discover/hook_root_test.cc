#include <gtest/gtest.h>

#include "grapnel/engine.h"

#include "discover/discover.h"
#include "os/temp_dir.h"
#include "plan/registry_snapshot.h"
#include "trust/trust_store.h"

/// Many HOOK.md: where they are found, in which order they come, what hooks.toml changes. Numbers are cases of spec
/// §6.2.
namespace grapnel {

namespace {

using testing::TempDir;

class HookRoots : public ::testing::Test {
 protected:
  void put_hook(const std::string& root, const std::string& name, const std::string& more = "",
                const std::string& script = "#!/bin/sh\nexit 0\n") {
    const std::string directory = root + "/" + name;
    dir_.put(directory + "/HOOK.md", "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n" + more +
                                         "---\nProse of " + name + "\n");
    if (!script.empty()) dir_.put(directory + "/scripts/run.sh", script, 0755);
  }

  Registry find(const std::string& project = "project", std::vector<std::string> env = {}) {
    env.push_back("HOME=" + (dir_ / "home"));
    env_ = Environment(std::move(env));
    DiscoverOptions options;
    options.roots = {.root = dir_ / "root", .project_dir = dir_ / project, .env = &env_};
    options.trust_store = dir_ / "trust.json";
    return discover(options).registry;
  }

  static std::string names_of(const Registry& registry) {
    std::string out;
    for (const HookSpec& hook : registry.hooks) out += (out.empty() ? "" : " ") + hook.name;
    return out;
  }

  TempDir dir_;
  Environment env_;
};

TEST_F(HookRoots, NothingThere) {  // 35
  const Registry registry = find();
  EXPECT_TRUE(registry.hooks.empty());
  EXPECT_TRUE(registry.problems.empty());
}

TEST_F(HookRoots, ConfigHomeMovesTheUserRoot) {  // 36, G36
  put_hook("home/.config/agents/hooks", "usual");
  put_hook("x/agents/hooks", "moved");
  EXPECT_EQ(names_of(find()), "usual");
  EXPECT_EQ(names_of(find("project", {"XDG_CONFIG_HOME=" + (dir_ / "x")})), "moved");
  EXPECT_EQ(names_of(find("project", {"XDG_CONFIG_HOME="})), "usual");
  EXPECT_EQ(names_of(find("project", {"XDG_CONFIG_HOME=x"})), "usual");
}

TEST_F(HookRoots, TheProjectRootIsNotSearchedFor) {  // G35: the host does that, see root_test.cc
  put_hook("repo/.agents/hooks", "top");
  put_hook("repo/a/.agents/hooks", "near");
  dir_.put("repo/.git/HEAD", "");
  EXPECT_EQ(names_of(find("repo")), "top");
  EXPECT_EQ(names_of(find("repo/a")), "near");
}

TEST_F(HookRoots, OrderIsPriorityThenLevelThenName) {  // 39, 40, G31
  put_hook("home/.config/agents/hooks", "b");
  put_hook("home/.config/agents/hooks", "z");
  put_hook("home/.config/agents/hooks", "low", "priority: 10\n");
  put_hook("home/.config/agents/hooks", "high", "priority: 999\n");
  put_hook("project/.agents/hooks", "c");
  put_hook("project/.agents/hooks", "a");
  EXPECT_EQ(names_of(find()), "high b z a c low");
}

TEST_F(HookRoots, OneBadHookDoesNotHurtItsSiblings) {  // 38
  put_hook("home/.config/agents/hooks", "good");
  dir_.put("home/.config/agents/hooks/bad/HOOK.md", "no frontmatter");
  const Registry registry = find();
  EXPECT_EQ(names_of(registry), "good");
  ASSERT_EQ(registry.problems.size(), 1U);
  EXPECT_EQ(registry.problems[0].at.file, dir_ / "home/.config/agents/hooks/bad/HOOK.md");
}

TEST_F(HookRoots, EntryPoints) {  // 46, G26
  struct Case {
    const char* note;
    std::vector<std::tuple<std::string, std::string, mode_t>> scripts;
    std::string want;  ///< DIR stands for the directory of scripts
  };
  const Case cases[] = {
      {"run first", {{"run", "#!/bin/sh\n", 0755}, {"run.sh", "#!/bin/sh\n", 0755}, {"run.py", "", 0644}}, "DIR/run"},
      {"run.sh by itself", {{"run.sh", "#!/bin/sh\n", 0755}}, "DIR/run.sh"},
      {"run.sh that is not executable", {{"run.sh", "#!/bin/bash -e\n", 0644}}, "/bin/bash -e DIR/run.sh"},
      {"run.sh without a first line", {{"run.sh", "exit 0\n", 0755}}, "/bin/sh DIR/run.sh"},
      {"run.py that is not executable", {{"run.py", "pass\n", 0644}}, "python3 DIR/run.py"},
      {"another name", {{"check.sh", "#!/bin/sh\n", 0755}}, "DIR/run"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    std::filesystem::remove_all(dir_ / "home");
    put_hook("home/.config/agents/hooks", "h", "", "");
    const std::string scripts = "home/.config/agents/hooks/h/scripts";
    for (const auto& [name, content, mode] : c.scripts) dir_.put(scripts + "/" + name, content, mode);
    const Registry registry = find();
    ASSERT_EQ(registry.hooks.size(), 1U);
    std::string want = c.want;
    want.replace(want.find("DIR"), 3, dir_ / scripts);
    EXPECT_EQ(registry.hooks[0].command_text(), want);
    EXPECT_EQ(registry.problems.size(), c.scripts.size() == 1 && std::get<0>(c.scripts[0]) == "check.sh" ? 1U : 0U);
  }
}

TEST_F(HookRoots, ADirectoryThatIsNotCalledLikeItsHook) {  // G6
  dir_.put("home/.config/agents/hooks/other/HOOK.md", "---\nname: mine\ndescription: d\ntrigger: pre-session\n---\n");
  dir_.put("home/.config/agents/hooks/other/scripts/run.sh", "exit 0\n");
  const Registry registry = find();
  EXPECT_EQ(names_of(registry), "mine");
  ASSERT_EQ(registry.problems.size(), 1U);
  EXPECT_EQ(registry.problems[0].severity, ConfigProblem::Severity::Warning);
}

TEST_F(HookRoots, HooksOneLevelTooDeepAreHintedAt) {  // G37
  put_hook("home/.config/agents/hooks/examples", "deep");
  const Registry registry = find();
  EXPECT_TRUE(registry.hooks.empty());
  ASSERT_EQ(registry.problems.size(), 1U);
  EXPECT_NE(registry.problems[0].message.find("one level too deep"), std::string::npos);
}

TEST_F(HookRoots, HooksTomlSwitchesAndChanges) {  // G34
  put_hook("home/.config/agents/hooks", "a");
  put_hook("home/.config/agents/hooks", "b", "timeout: 1000\n");
  put_hook("home/.config/agents/hooks", "c");
  put_hook("project/.agents/hooks", "d");
  dir_.put("home/.config/agents/hooks/hooks.toml",
           "[hooks]\ndebug = true\n[hooks.defaults]\ntimeout = 7000\n[[hooks.disable]]\nname = \"c\"\n"
           "[[hooks.override]]\nname = \"a\"\npriority = 5\nmatcher = {tool = \"Shell\"}\n");
  dir_.put("project/.agents/hooks/hooks.toml",
           "[[hooks.disable]]\nname = \"b\"\n[[hooks.override]]\nname = \"d\"\nasync = true\n");
  const Registry registry = find();
  ASSERT_EQ(names_of(registry), "b c d a");
  EXPECT_TRUE(registry.problems.empty());
  EXPECT_EQ(registry.hooks[0].timeout, std::chrono::seconds(1)) << "its own";
  EXPECT_TRUE(registry.hooks[0].enabled) << "a project does not switch a user's hooks off";
  EXPECT_FALSE(registry.hooks[1].enabled);
  EXPECT_EQ(registry.hooks[2].timeout, std::chrono::seconds(7)) << "the user's default holds below";
  EXPECT_TRUE(registry.hooks[2].async);
  EXPECT_EQ(registry.hooks[3].priority, 5);
  EXPECT_EQ(registry.hooks[3].clauses.size(), 1U);
}

TEST_F(HookRoots, HooksTomlMistakes) {
  struct Case {
    const char* note;
    const char* text;
    uint32_t line;
    const char* want;
  };
  const Case cases[] = {
      {"no TOML", "[hooks\n", 1, "invalid TOML"},
      {"enabled", "[hooks]\nenabled = \"yes\"\n", 2, "'enabled' must be true or false"},
      {"a default out of range", "[hooks.defaults]\ntimeout = 5\n", 2, "its range, 100 to 600000 ms"},
      {"an entry without a name", "[[hooks.disable]]\n", 1, "needs a 'name'"},
      {"an override is checked again", "[[hooks.override]]\nname = \"h\"\npriority = 5000\n", 3,
       "its range, 0 to 1000"},
      {"an unknown key", "[hooks]\nenabeld = true\n", 2, "no key 'enabeld'"},
  };
  put_hook("home/.config/agents/hooks", "h");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("home/.config/agents/hooks/hooks.toml", c.text);
    const Registry registry = find();
    ASSERT_EQ(registry.problems.size(), 1U);
    EXPECT_NE(registry.problems[0].message.find(c.want), std::string::npos) << registry.problems[0].message;
    EXPECT_EQ(registry.problems[0].at.file, dir_ / "home/.config/agents/hooks/hooks.toml");
    EXPECT_EQ(registry.problems[0].at.line, c.line);
  }
}

TEST_F(HookRoots, AllOff) {
  put_hook("home/.config/agents/hooks", "h");
  put_hook("project/.agents/hooks", "p");
  dir_.put("home/.config/agents/hooks/hooks.toml", "[hooks]\nenabled = false\n");
  const Registry registry = find();
  for (const HookSpec& hook : registry.hooks) EXPECT_FALSE(hook.enabled);
}

TEST_F(HookRoots, FiveThousandHooksStartWithoutTheirProse) {  // §9
  constexpr int kCount = 5000;
  for (int i = 0; i < kCount; ++i) put_hook("home/.config/agents/hooks", "hook-" + std::to_string(i));
  const Registry registry = find();
  ASSERT_EQ(registry.hooks.size(), static_cast<size_t>(kCount));
  EXPECT_TRUE(registry.problems.empty());
  EXPECT_EQ(write_snapshot(registry).dump().find("Prose"), std::string::npos);
  for (const HookSpec& hook : registry.hooks) {
    EXPECT_EQ(hook.definition.find("Prose"), std::string::npos);
    EXPECT_EQ(hook.description, "d");
  }
}

TEST_F(HookRoots, ATrustedProjectHookTakesTheUsersPlace) {  // 37, G32
  put_hook("home/.config/agents/hooks", "same");
  put_hook("project/.agents/hooks", "same");
  Registry registry = find();
  ASSERT_EQ(names_of(registry), "same same") << "an untrusted one replaces nothing";
  EXPECT_EQ(registry.hooks[1].trust, Trust::Untrusted);
  const std::string project = canonical_directory(dir_ / "project");
  const TrustStore store(dir_ / "trust.json");
  ASSERT_TRUE(store.set_trusted(project, {registry.hooks[1].digest}));
  registry = find();
  ASSERT_EQ(names_of(registry), "same");
  EXPECT_EQ(registry.hooks[0].scope, Scope::Project);
  ASSERT_EQ(registry.problems.size(), 1U);
  EXPECT_NE(registry.problems[0].message.find("replaces yours"), std::string::npos);

  put_hook("home/.config/agents/hooks", "same", "metadata:\n  overridable: false\n");
  EXPECT_EQ(names_of(find()), "same same") << "the user's may insist";

  dir_.put("project/.agents/hooks/same/scripts/run.sh", "#!/bin/sh\nexit 2\n", 0755);
  EXPECT_EQ(find().hooks[1].trust, Trust::Untrusted) << "another script";
  put_hook("project/.agents/hooks", "same");
  EXPECT_EQ(find().hooks[1].trust, Trust::Trusted);
  dir_.put("project/.agents/hooks/same/scripts/helper.sh", "true\n");
  EXPECT_EQ(find().hooks[1].trust, Trust::Untrusted) << "a file beside the script";
}

}  // namespace

}  // namespace grapnel
