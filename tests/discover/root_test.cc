#include "discover/find/root.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "grapnel/project.h"

#include "discover/discover.h"
#include "discover/find/worktree.h"
#include "os/temp_dir.h"
#include "trust/trust_store.h"

/// Which directory is the project? Real directories, real repositories, made by a script for each case.
namespace grapnel {

namespace {

using testing::TempDir;

class RootSearch : public ::testing::Test {
 protected:
  /// Runs a script in the directory of the test. Git must not see the configuration of the person who runs the tests.
  void make(const std::string& script) const {
    const std::string file = scripts_.put("make.sh", R"(set -eu; umask 022
mkdir -p home
export HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
rule() { mkdir -p "$1/.agents"; echo 'version: 1' > "$1/.agents/grapnel.yaml"; }
repo() { mkdir -p "$1"; git init -q "$1"; git -C "$1" commit -q --allow-empty -m one; }
)" + script);
    ASSERT_EQ(std::system(("cd " + dir_.path() + " && bash " + file + " >/dev/null 2>&1").c_str()), 0) << script;
  }

  /// The root and then the parts, relative to the directory of the test.
  std::string find(const std::string& start) const { return text_of(find_project(dir_ / start, dir_ / "home")); }

  std::string text_of(const ProjectDirs& project) const {
    std::string out = short_name(project.root);
    for (const std::string& part : project.parts) out += " " + short_name(part);
    return out;
  }

  std::string short_name(const std::string& path) const {
    return path.starts_with(dir_.path() + "/") ? path.substr(dir_.path().size() + 1) : path;
  }

  TempDir dir_;
  TempDir scripts_;
};

struct Case {
  const char* note;
  const char* script;
  const char* start;
  const char* want;  ///< the root, then the parts
};

TEST_F(RootSearch, Table) {
  const Case cases[] = {
      {"no mark anywhere: the directory itself", "mkdir -p home/a/b", "home/a/b", "home/a/b"},
      {"a repository", "repo home/p; mkdir -p home/p/s/t", "home/p/s/t", "home/p home/p/s home/p/s/t"},
      {"the directory itself", "repo home/p", "home/p", "home/p"},
      {"a rule file is enough", "rule home/p; mkdir home/p/s", "home/p/s", "home/p home/p/s"},
      {"so is a settings file", "mkdir -p home/p/.claude home/p/s; echo {} > home/p/.claude/settings.json", "home/p/s",
       "home/p home/p/s"},
      {"a local settings file", "mkdir -p home/p/.blade home/p/s; echo {} > home/p/.blade/settings.local.json",
       "home/p/s", "home/p home/p/s"},
      {"a directory of hooks", "mkdir -p home/p/.agents/hooks home/p/s", "home/p/s", "home/p home/p/s"},
      {"a directory of packs", "mkdir -p home/p/.agents/packs/a home/p/s", "home/p/s", "home/p home/p/s"},
      {"a directory of settings files", "mkdir -p home/p/.github/hooks home/p/s", "home/p/s", "home/p home/p/s"},
      {"the directory of an agent without hook files is no mark",
       "mkdir -p home/p/.claude/commands home/p/.github/workflows home/p/s", "home/p/s", "home/p/s"},
      {"`git init sub` does not end the search", "rule home/p; repo home/p/sub", "home/p/sub", "home/p home/p/sub"},
      {"neither does a rule file further in", "repo home/p; rule home/p/sub; mkdir home/p/sub/x", "home/p/sub/x",
       "home/p home/p/sub home/p/sub/x"},
      {"the outermost of three", "rule home/a; repo home/a/b; rule home/a/b/c", "home/a/b/c",
       "home/a home/a/b home/a/b/c"},
      {"a directory between without a mark", "rule home/a; mkdir home/a/b; repo home/a/b/c", "home/a/b/c",
       "home/a home/a/b home/a/b/c"},
      {"a home that is a repository is no root for what is below", "repo home; mkdir -p home/x", "home/x", "home/x"},
      {"nor if it has rules", "rule home; repo home/p; mkdir home/p/s", "home/p/s", "home/p home/p/s"},
      {"in the home directory itself", "repo home", "home", "home"},
      {"outside the home directory", "repo out/p; mkdir out/p/s", "out/p/s", "out/p out/p/s"},
      {"above the home directory", "repo out; mkdir -p out/x", "out/x", "out out/x"},
      {"a name that only starts like the home directory", "repo home2/p; mkdir home2/p/s", "home2/p/s",
       "home2/p home2/p/s"},
      {"a directory that everybody may write", "repo out; chmod 777 out; mkdir -p out/p/s; rule out/p", "out/p/s",
       "out/p out/p/s"},
      {"a directory like /tmp", "repo out; chmod 1777 out; mkdir -p out/p/s", "out/p/s", "out/p/s"},
      {"a directory in between that everybody may write", "repo out; mkdir -p out/x/y; chmod 777 out/x", "out/x/y",
       "out out/x/y"},
      {"the start itself counts, whoever may write it", "repo out; chmod 1777 out", "out", "out"},
      {"a start in a repository that everybody may write", "repo out; mkdir out/s; chmod 777 out out/s", "out/s",
       "out out/s"},
      {"a directory that does not exist any more", "repo home/p", "home/p/gone/x", "home/p home/p/gone/x"},
      {"a submodule belongs to the outer repository",
       "repo lib; repo home/p; git -C home/p -c protocol.file.allow=always submodule --quiet add $PWD/lib lib",
       "home/p/lib", "home/p home/p/lib"},
      {"a linked worktree beside the main one", "repo home/p; git -C home/p worktree add -q ../w; mkdir home/w/s",
       "home/w/s", "home/w home/w/s"},
      {"a linked worktree inside the main one is its own root",
       "repo home/p; git -C home/p worktree add -q .claude/worktrees/w; mkdir home/p/.claude/worktrees/w/s",
       "home/p/.claude/worktrees/w/s", "home/p/.claude/worktrees/w home/p/.claude/worktrees/w/s"},
      {"but what is above both still counts", "rule home/all; repo home/all/p; git -C home/all/p worktree add -q w",
       "home/all/p/w", "home/all home/all/p/w"},
      {"a worktree of another repository hides nothing",
       "rule home/p; repo evil; git -C evil worktree add -q $PWD/home/p/sub", "home/p/sub", "home/p home/p/sub"},
      {"a `.git` file that only claims to be a worktree hides nothing",
       "repo home/p; mkdir home/p/sub; echo gitdir: $PWD/home/p/.git > home/p/sub/.git", "home/p/sub",
       "home/p home/p/sub"},
      {"a name through a link to a part of a project: the real directories count",
       "rule home/p; mkdir -p home/p/s; ln -s p/s home/link", "home/link", "home/p home/p/s"},
      {"a link inside a project that leads out of it: both count", "rule home/p; repo lib; ln -s $PWD/lib home/p/lib",
       "home/p/lib", "home/p home/p/lib lib"},
      {"a project that is a link", "rule real/p; mkdir -p real/p/s; ln -s $PWD/real/p home/p", "home/p/s",
       "home/p home/p/s real/p real/p/s"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    make("rm -rf ./* && mkdir home\n" + std::string(c.script));
    EXPECT_EQ(find(c.start), c.want);
  }
}

TEST_F(RootSearch, AHomeThatIsALink) {
  make(
      "mkdir -p disk; rm -rf home; mkdir disk/home; ln -s disk/home home; repo disk/home; mkdir -p home/p/s; rule "
      "home/p");
  EXPECT_EQ(find("home/p/s"), "home/p home/p/s disk/home/p disk/home/p/s");
  // Under its real name, the home directory is no root either.
  EXPECT_EQ(find("disk/home/p/s").find("disk/home "), std::string::npos);
}

TEST_F(RootSearch, NamesAreMadePlain) {
  make("repo home/p; mkdir home/p/s");
  EXPECT_EQ(find("home/p/s/"), "home/p home/p/s");
  EXPECT_EQ(find("home/p/./s/../s"), "home/p home/p/s");
  EXPECT_EQ(text_of(find_project(dir_ / "home/p/s", dir_ / "home/")), "home/p home/p/s");
  EXPECT_EQ(text_of(find_project("/", dir_ / "home")), "/");
}

TEST_F(RootSearch, ALaterDirectoryAddsAndNeverRemoves) {
  make("rule home/p; mkdir -p home/p/s/t; rule home/q; mkdir home/q/x; mkdir none");
  ProjectDirs project = find_project(dir_ / "home/p", dir_ / "home");
  add_directory(project, dir_ / "home/p", dir_ / "home");
  EXPECT_EQ(text_of(project), "home/p");
  add_directory(project, dir_ / "home/p/s/t", dir_ / "home");
  EXPECT_EQ(text_of(project), "home/p home/p/s home/p/s/t");
  add_directory(project, dir_ / "home/q/x", dir_ / "home");
  EXPECT_EQ(text_of(project), "home/p home/p/s home/p/s/t home/q home/q/x");
  add_directory(project, dir_ / "home/p/s", dir_ / "home");
  add_directory(project, dir_ / "none", dir_ / "home");
  EXPECT_EQ(text_of(project), "home/p home/p/s home/p/s/t home/q home/q/x none");
}

/// The hooks of a project, with the hook files of all its directories.
class HooksOfParts : public RootSearch {
 protected:
  Registry hooks_in(const std::string& start) {
    const ProjectDirs project = find_project(dir_ / start, dir_ / "home");
    env_ = Environment({"HOME=" + (dir_ / "home")});
    DiscoverOptions options;
    options.roots = {.root = dir_ / "root", .project_dir = project.root, .env = &env_, .project_parts = project.parts};
    options.trust_store = dir_ / "state/trust.json";
    return discover(options).registry;
  }

  /// `name` for a trusted hook and `(name)` for an untrusted one, each with its directory if that is not the root.
  std::string names_in(const std::string& start) {
    std::string out;
    for (const HookSpec& hook : hooks_in(start).hooks) {
      out += (out.empty() ? "" : " ") + (hook.trust == Trust::Trusted ? hook.name : "(" + hook.name + ")");
    }
    return out;
  }

  /// As `grapnel trust` does.
  void trust(const std::string& start) {
    const TrustStore store(dir_ / "state/trust.json");
    for (const HookSpec& hook : hooks_in(start).hooks) {
      const std::string name = hook.trusted_as.empty() ? hook.project : hook.trusted_as;
      std::set<std::string> digests = *store.trusted(name);
      digests.insert(hook.digest);
      ASSERT_TRUE(store.set_trusted(name, digests));
    }
  }

  void put_rule(const std::string& directory, const std::string& name) const {
    dir_.put(directory + "/.agents/grapnel.yaml",
             "version: 1\nhooks:\n  - name: " + name + "\n    on: PreToolUse\n    deny: no\n");
  }

  Environment env_;
};

TEST_F(HooksOfParts, TheOuterComeFirstWhateverTheirFormat) {
  put_rule("home/p", "outer-rule");
  dir_.put("home/p/.claude/settings.local.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"outer-local"}]}]}})");
  dir_.put("home/p/s/.gemini/settings.json",
           R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"inner-gemini"}]}]}})");
  put_rule("home/p/s", "inner-rule");
  EXPECT_EQ(names_in("home/p/s"), "(outer-rule) (outer-local) (inner-rule) (inner-gemini)");
  EXPECT_EQ(names_in("home/p"), "(outer-rule) (outer-local)");
}

TEST_F(HooksOfParts, TrustDoesNotDependOnWhereTheSearchBegan) {
  put_rule("home/p", "outer");
  put_rule("home/p/s", "inner");
  std::filesystem::create_directories(dir_ / "home/p/s/t");
  trust("home/p");
  EXPECT_EQ(names_in("home/p"), "outer");
  EXPECT_EQ(names_in("home/p/s"), "outer (inner)");
  trust("home/p/s");
  EXPECT_EQ(names_in("home/p/s/t"), "outer inner");
  // A directory further out becomes the root: what was trusted stays trusted.
  put_rule("home", "of-the-user");
  make("rule home; git init -q home/p");
  EXPECT_EQ(names_in("home/p/s/t"), "outer inner");
}

TEST_F(HooksOfParts, AnInnerFileReplacesAndSwitchesOffNothing) {
  const std::string hook = R"({"type":"command","command":)";
  // In Clawd's files, a later file replaces the list of an event.
  dir_.put("home/p/.clawdcode/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[)" + hook + R"("clawd-outer"}]}]}})");
  dir_.put("home/p/s/.clawdcode/settings.json", R"({"hooks":{"PreToolUse":[]}})");
  dir_.put("home/p/.claude/settings.json", R"({"hooks":{"PreToolUse":[{"hooks":[)" + hook + R"("claude-outer"}]}]}})");
  dir_.put("home/p/s/.claude/settings.json", R"({"disableAllHooks":true})");
  dir_.put("home/p/.agents/hooks/guard/HOOK.md", "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n");
  dir_.put("home/p/.agents/hooks/guard/scripts/run.sh", "#!/bin/sh\n", 0755);
  dir_.put("home/p/s/.agents/hooks/hooks.toml", "enabled = false\n");
  const Registry registry = hooks_in("home/p/s");
  ASSERT_EQ(registry.hooks.size(), 3U);
  for (const HookSpec& found : registry.hooks) EXPECT_TRUE(found.enabled) << found.name;
}

TEST_F(HooksOfParts, TheSameCommandInTwoDirectoriesIsTwoHooks) {
  const std::string file = R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"./check.sh"}]}]}})";
  dir_.put("home/p/.gemini/settings.json", file);
  dir_.put("home/p/s/.gemini/settings.json", file);
  const Registry registry = hooks_in("home/p/s");
  ASSERT_EQ(registry.hooks.size(), 2U);
  EXPECT_NE(registry.hooks[0].dedupe_key, registry.hooks[1].dedupe_key);
  EXPECT_EQ(registry.hooks[0].project, dir_ / "home/p");
  EXPECT_EQ(registry.hooks[1].project, dir_ / "home/p/s");
}

TEST_F(HooksOfParts, ALinkedWorktreeHasTheTrustOfTheMainOne) {
  make("repo home/p");
  dir_.put("home/p/.claude/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"sh guard.sh"}]}]}})");
  dir_.put("home/p/guard.sh", "exit 2\n");
  make("git -C home/p add -A; git -C home/p commit -q -m two; git -C home/p worktree add -q ../w");
  trust("home/p");
  EXPECT_EQ(names_in("home/p"), "sh guard.sh");
  EXPECT_EQ(names_in("home/w"), "sh guard.sh");
  dir_.put("home/w/guard.sh", "exit 0\n");
  EXPECT_EQ(names_in("home/w"), "(sh guard.sh)");
  EXPECT_EQ(names_in("home/p"), "sh guard.sh");
  // The other way round: what is trusted in the worktree, with the same bytes, holds in the main one.
  trust("home/w");
  dir_.put("home/p/guard.sh", "exit 0\n");
  EXPECT_EQ(names_in("home/p"), "sh guard.sh");
}

TEST_F(HooksOfParts, AWorktreeTakesFilesThatGitDoesNotTrackFromTheMainOne) {
  make("repo home/p; git -C home/p worktree add -q ../w");
  put_rule("home/p", "private");
  dir_.put("home/p/.claude/settings.local.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"sh local.sh"}]}]}})");
  dir_.put("home/p/local.sh", "exit 2\n");
  put_rule("home/p/part", "part");
  std::filesystem::create_directories(dir_ / "home/w/part");
  EXPECT_EQ(names_in("home/w"), "(private) (sh local.sh)");
  trust("home/p/part");
  EXPECT_EQ(names_in("home/w/part"), "private sh local.sh part");
  for (const HookSpec& hook : hooks_in("home/w").hooks) {
    // The script is in the main worktree only, so the hook runs there. The rule needs no file.
    EXPECT_EQ(hook.project, dir_ / (hook.name == "private" ? "home/w" : "home/p")) << hook.name;
  }
  // A file of its own takes the place of the one in the main worktree.
  put_rule("home/w", "own");
  EXPECT_EQ(names_in("home/w"), "(own) sh local.sh");
}

TEST_F(HooksOfParts, AWorktreeTakesSingleHooksOfADirectoryFromTheMainOne) {
  const auto put_hook = [&](const std::string& directory, const std::string& name) {
    dir_.put(directory + "/.agents/hooks/" + name + "/HOOK.md",
             "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n---\n");
    dir_.put(directory + "/.agents/hooks/" + name + "/scripts/run.sh", "#!/bin/sh\n", 0755);
  };
  const std::string settings = R"({"version":1,"hooks":{"preToolUse":[{"type":"command","bash":")";
  make("repo home/p");
  put_hook("home/p", "tracked");
  dir_.put("home/p/.github/hooks/a.json", settings + "tracked-a\"}]}}");
  make("git -C home/p add -A; git -C home/p commit -q -m two; git -C home/p worktree add -q ../w");
  put_hook("home/p", "private");
  dir_.put("home/p/.github/hooks/b.json", settings + "private-b\"}]}}");
  trust("home/p");
  EXPECT_EQ(names_in("home/p"), names_in("home/w"));
  EXPECT_EQ(hooks_in("home/w").hooks.size(), 4U);
  for (const HookSpec& hook : hooks_in("home/w").hooks) {
    const bool is_private = hook.name.starts_with("private");
    EXPECT_TRUE(hook.source.file.starts_with(dir_ / (is_private ? "home/p/" : "home/w/"))) << hook.source.file;
  }
}

TEST_F(HooksOfParts, AWorktreeTakesWholePacksFromTheMainOne) {
  const auto put_pack = [&](const std::string& directory, const std::string& rule) {
    dir_.put(directory + "/grapnel.yaml", "version: 1\nhooks: [{ name: " + rule + ", on: Stop, deny: no }]\n");
  };
  make("repo home/p");
  put_pack("home/p/.agents/packs/both", "old");
  dir_.put("home/p/.agents/packs/both/hooks/gone/HOOK.md",
           "---\nname: gone\ndescription: d\ntrigger: pre-tool-call\n---\n");
  make("git -C home/p worktree add -q ../w");
  put_pack("home/p/.agents/packs/private", "private");
  put_pack("home/w/.agents/packs/both", "new");
  trust("home/p");
  // The worktree's version of a pack has no hook `gone`, so that of the main worktree does not count either.
  EXPECT_EQ(names_in("home/w"), "(new) private");
  trust("home/w");
  EXPECT_EQ(names_in("home/w"), "new private");
}

TEST_F(RootSearch, DirectoriesOfOtherPeople) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give directories away";
  const Case cases[] = {
      {"somebody else's", "repo out; chown 12345 out; mkdir out/p", "out/p", "out/p"},
      {"of root and somebody else's", "repo out; mkdir -p out/p; chown 12345 out/p", "out/p", "out out/p"},
      {"all of it somebody else's, as in a container", "repo out; mkdir out/p; chown -R 12345 out", "out/p",
       "out out/p"},
      {"of a group", "repo out; chgrp 12345 out; chmod 775 out; mkdir out/p; chgrp 0 out/p", "out/p", "out/p"},
      {"of our group", "repo out; chmod 775 out; mkdir out/p", "out/p", "out out/p"},
      {"of a group that shares the start as well", "repo out; mkdir out/p; chgrp -R 12345 out; chmod 775 out out/p",
       "out/p", "out out/p"},
      {"of a group that may only read the start", "repo out; mkdir out/p; chgrp -R 12345 out; chmod 775 out", "out/p",
       "out/p"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    make("rm -rf ./* && mkdir home\n" + std::string(c.script));
    EXPECT_EQ(find(c.start), c.want);
  }
}

}  // namespace

}  // namespace grapnel
