#include <unistd.h>

#include <functional>

#include <sys/stat.h>

#include "engine/fixture.h"

/// An agent's tools do not change what guards the agent, unless a person agrees.
namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

class ProtectionTest : public EngineTest {
 protected:
  void SetUp() override {
    home_ = dir_ / "home";
    project_ = dir_ / "project";
    dir_.put("home/.claude/settings.json", "{}");
    dir_.put("home/.local/state/placeholder", "");
    dir_.put("project/.claude/settings.json", "{}");
    dir_.put("project/src/main.c", "");
    dir_.put("project/tree/.claude/settings.json", R"({"hooks":{}})");
    dir_.put("state/grapnel/trust.json", R"({"version":1,"projects":{}})", 0600);
    fs::create_symlink(home_ + "/.claude", project_ + "/link");
    fs::create_symlink(home_ + "/.claude/settings.json", project_ + "/file-link");
    fs::create_symlink(home_ + "/.gemini/settings.json", project_ + "/link-to-absent");
    ASSERT_EQ(::link((home_ + "/.claude/settings.json").c_str(), (project_ + "/hard-link").c_str()), 0);
    // A repository in which git tracks the settings: the index names them.
    dir_.put("project/.git/HEAD", "ref: refs/heads/main\n");
    dir_.put("project/.git/index", std::string("DIRC\0\0\0\2", 8) + "....claude/settings.json" + std::string(1, '\0'));
    engine_ = Engine::create(options());
  }

  Decision fire_call(const std::string& tool, const Json& input, EventKind kind = EventKind::PreToolUse) {
    return engine_->fire(Event(
        kind,
        Json::object({{"tool_name", Json::string(tool)}, {"cwd", Json::string(project_)}, {"tool_input", input}})));
  }
  Decision run_shell(const std::string& command) {
    return fire_call("Bash", Json::object({{"command", Json::string(command)}}));
  }
  /// `{home}`, `{state}`, `{root}` and `{project}` filled in.
  std::string filled(std::string text) const {
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"{home}", home_}, {"{state}", dir_ / "state"}, {"{root}", dir_ / "root"}, {"{project}", project_}}) {
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        text.replace(at, name.size(), value);
      }
    }
    return text;
  }

  std::string home_;
  std::string project_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(ProtectionTest, ShellCommandsThatReachForHookFilesNeedAPerson) {
  struct Case {
    const char* note;
    const char* command;
  };
  const Case cases[] = {
      {"redirection", "echo '{}' > .claude/settings.json"},
      {"appending", "echo '{}' >> {home}/.claude/settings.json"},
      {"both outputs", "make &> {home}/.claude/settings.json"},
      {"a file that does not exist yet", "echo '{}' > {home}/.gemini/settings.json"},
      {"the project's local file, which does not exist yet", "echo '{}' > .claude/settings.local.json"},
      {"home by its sign", "echo '{}' > ~/.claude/settings.json"},
      {"home by its variable", "echo '{}' > \"$HOME/.claude/settings.json\""},
      {"home by a variable with a default", "echo '{}' > ${HOME:-/root}/.claude/settings.json"},
      {"dots", "echo '{}' > src/../.claude/settings.json"},
      {"more dots", "echo '{}' > ./src/.././.claude//settings.json"},
      {"a link to the directory", "echo '{}' > link/settings.json"},
      {"a link to the file", "echo '{}' > file-link"},
      {"a link to what does not exist", "echo '{}' > link-to-absent"},
      {"a hard link", "echo '{}' > hard-link"},
      {"other letters, where the file system does not mind", "echo '{}' > .Claude/SETTINGS.json"},
      {"quotes inside the name", "echo '{}' > .cl''aude/set\"tings\".json"},
      {"a backslash inside the name", "echo '{}' > .cl\\aude/settings.json"},
      {"ANSI-C quotes", "echo '{}' > $'.\\x63laude/settings.json'"},
      {"from inside", "cd .claude && echo '{}' > settings.json"},
      {"from inside, in a subshell", "(cd {home} && cd .claude; echo '{}' > settings.json)"},
      {"sed -i", "sed -i 's/deny/allow/' .claude/settings.json"},
      {"sed -i with a suffix", "sed -i.bak s/a/b/ {home}/.claude/settings.json"},
      {"perl -i", "perl -pi -e 's/a/b/' .claude/settings.json"},
      {"tee", "echo '{}' | tee .claude/settings.json"},
      {"tee -a under sudo", "echo '{}' | sudo tee -a {root}/etc/claude-code/managed-settings.json"},
      {"dd", "dd if=/dev/null of=.claude/settings.json"},
      {"truncate", "truncate -s 0 .claude/settings.json"},
      {"touch", "touch .claude/settings.local.json"},
      {"cp onto it", "cp evil.json .claude/settings.json"},
      {"cp into its directory", "cp src/settings.json .claude/"},
      {"cp -t", "cp -t .claude src/settings.json"},
      {"cp --target-directory", "cp --target-directory=.claude/settings.json x"},
      {"cp -r of a directory that has one", "cp -r tree/. ."},
      {"cp -r of its directory", "cp -r tree/.claude ."},
      {"mv onto it", "mv evil.json .claude/settings.json"},
      {"mv of it", "mv .claude/settings.json away.json"},
      {"mv of its directory", "mv .claude away"},
      {"a link to write through later", "ln -s {home}/.claude/settings.json harmless"},
      {"a link to its directory", "ln -s {home}/.claude harmless && echo '{}' > harmless/settings.json"},
      {"a link in its place", "ln -sf /tmp/evil.json .claude/settings.json"},
      {"install", "install -m 600 evil.json .claude/settings.json"},
      {"rm", "rm .claude/settings.json"},
      {"rm of its directory", "rm -rf .claude"},
      {"rm of everything", "rm -rf ."},
      {"rm by a pattern", "rm .cl*/settings.json"},
      {"rm by a pattern inside", "rm -f .claude/*"},
      {"rm by braces", "rm .claude/{settings,other}.json"},
      {"unlink", "unlink .claude/settings.json"},
      {"chmod", "chmod 000 .claude/settings.json"},
      {"chmod -R above it", "chmod -R a-r {home}"},
      {"find -delete", "find . -name 'settings*' -delete"},
      {"find -exec", "find {home} -name settings.json -exec sed -i s/deny/allow/ {} +"},
      {"xargs", "ls -d .claude/* | xargs rm"},
      {"a loop", "for f in .claude/*; do rm \"$f\"; done"},
      {"a variable", "F=.claude/settings.json; echo '{}' > $F"},
      {"code of another language", "python3 -c \"open('.claude/settings.json','w').write('{}')\""},
      {"code on stdin", "python3 - <<'E'\nopen('.claude/settings.json','w').write('{}')\nE"},
      {"a shell inside", "bash -c 'echo {} > .claude/settings.json'"},
      {"eval", "eval 'echo x > .claude/settings.json'"},
      {"an unknown program that is given the file", "frobnicate --output=.claude/settings.json"},
      {"an editor", "ed -s .claude/settings.json"},
      {"git checkout of the file", "git checkout -- .claude/settings.json"},
      {"git checkout of the file from elsewhere", "git checkout evil -- .claude"},
      {"git checkout of everything", "git checkout HEAD~1 -- ."},
      {"git checkout of a branch", "git checkout other"},
      {"git -C", "git -C {project} checkout other"},
      {"git switch", "git switch other"},
      {"git restore", "git restore .claude/settings.json"},
      {"git restore of everything", "git restore --source=evil ."},
      {"git stash", "git stash"},
      {"git stash pop", "git stash pop"},
      {"git reset --hard", "git reset --hard origin/evil"},
      {"git rm", "git rm .claude/settings.json"},
      {"a patch in the text",
       "apply_patch <<'E'\n*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n-a\n+b\nE"},
      {"a patch for patch",
       "patch -p1 <<'E'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nE"},
      {"the trust store", "echo '{}' > {state}/grapnel/trust.json"},
      {"the switches", "rm {state}/grapnel/switches.json"},
      {"the journal", "rm -rf {state}/grapnel"},
      {"Grapnel's own configuration", "echo > ~/.config/grapnel/grapnel.yaml"},
      {"managed configuration", "sudo tee {root}/etc/grapnel/grapnel.yaml"},
      {"grapnel trust", "grapnel trust --yes"},
      {"grapnel trust by its path", "cd src; /usr/local/bin/grapnel trust -y ."},
      {"grapnel trust behind others", "true && env A=b grapnel trust --yes"},
      {"grapnel disable", "grapnel disable guard"},
      {"grapnel untrust", "grapnel untrust"},
      {"among other commands", "ls; true | cat; rm -f .claude/settings.json; ls"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Decision decision = run_shell(filled(c.command));
    EXPECT_EQ(decision.verdict(), Verdict::Ask) << filled(c.command);
    EXPECT_EQ(decision.decided_by, "grapnel:self-protection");
  }
}

TEST_F(ProtectionTest, OtherCommandsAreNotAskedAbout) {
  struct Case {
    const char* note;
    const char* command;
  };
  const Case cases[] = {
      {"nothing", ""},
      {"plain", "ls -la"},
      {"a build", "make -j2 && ./run_tests > log.txt 2>&1"},
      {"reading", "cat .claude/settings.json"},
      {"reading for a variable", "X=$(cat .claude/settings.json); echo $X"},
      {"searching", "grep -rn hooks .claude/settings.json {home}/.claude"},
      {"sed without -i", "sed -n 1p .claude/settings.json"},
      {"comparing", "diff .claude/settings.json tree/.claude/settings.json"},
      {"copying it away", "cp .claude/settings.json /tmp/backup.json"},
      {"another file of the same name", "echo '{}' > settings.json"},
      {"another file in the same directory", "echo hi > .claude/notes.md"},
      {"its name as text", "echo 'edit .claude/settings.json by hand'"},
      {"a commit message", "git commit -m 'mention .claude/settings.json'"},
      {"git add", "git add .claude/settings.json"},
      {"git status and diff", "git status && git diff .claude/settings.json && git log -p .claude"},
      {"git checkout -b", "git checkout -b feature"},
      {"git checkout of another file", "git checkout main src/main.c"},
      {"git restore of another file", "git restore src/main.c"},
      {"git stash list", "git stash list"},
      {"git reset", "git reset HEAD src/main.c"},
      {"rm elsewhere", "rm -rf src build"},
      {"rm by a pattern", "rm -f *.o src/*"},
      {"cp into the project", "cp src/main.c ."},
      {"find -delete of other names", "find . -name '*.o' -delete"},
      {"find -exec of other names", "find . -name '*.c' -exec sed -i s/a/b/ {} +"},
      {"a variable", "for f in src/*; do rm \"$f\"; done"},
      {"code of another language", "python3 -c 'print(1)'"},
      {"grapnel's other verbs", "grapnel list; grapnel why last; grapnel check"},
      {"a patch of another file", "patch -p1 <<'E'\n--- a/src/main.c\n+++ b/src/main.c\n@@ -1 +1 @@\n-a\n+b\nE"},
      {"another machine's file", "ssh host 'echo > ~/.claude/settings.json'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Decision decision = run_shell(filled(c.command));
    EXPECT_EQ(decision.verdict(), Verdict::Pass) << decision.reason();
  }
}

TEST_F(ProtectionTest, SoAreToolsThatWriteFiles) {
  struct Case {
    const char* note;
    const char* tool;
    const char* input;
    Verdict want;
  };
  const Case cases[] = {
      {"writing", "Write", R"({"file_path":"{project}/.claude/settings.json","content":"{}"})", Verdict::Ask},
      {"a relative name", "Write", R"({"file_path":".claude/settings.local.json","content":"{}"})", Verdict::Ask},
      {"home", "Write", R"({"file_path":"~/.claude/settings.json","content":"{}"})", Verdict::Ask},
      {"dots", "Edit", R"({"file_path":"{project}/src/../.claude/settings.json"})", Verdict::Ask},
      {"a link", "Edit", R"({"file_path":"{project}/link/settings.json","old_string":"a"})", Verdict::Ask},
      {"a link in front of dots", "Edit", R"({"file_path":"link/../.claude/settings.json"})", Verdict::Ask},
      {"a hard link", "Edit", R"({"file_path":"hard-link"})", Verdict::Ask},
      {"the trust store", "Write", R"({"file_path":"{state}/grapnel/trust.json"})", Verdict::Ask},
      {"a session's state", "Write", R"({"file_path":"{state}/grapnel/anything/below"})", Verdict::Ask},
      {"another agent's tool", "write_file", R"({"file_path":".gemini/settings.json","content":""})", Verdict::Ask},
      {"a tool nobody knows", "Scribble", R"({"target":{"where":".claude/settings.json"}})", Verdict::Ask},
      {"a tool of a server", "mcp__fs__write", R"({"paths":["a.txt",".codex/hooks.json"]})", Verdict::Ask},
      {"its address", "mcp__fs__write", R"({"uri":"file://{project}/.claude/settings.json"})", Verdict::Ask},
      {"a server's shell", "mcp__sh__run", R"({"command":"rm .claude/settings.json"})", Verdict::Ask},
      {"a command as words", "shell", R"({"command":["bash","-lc","echo > .claude/settings.json"]})", Verdict::Ask},
      {"a command in a directory", "shell", R"({"command":"rm settings.json","workdir":".claude"})", Verdict::Ask},
      {"a patch", "apply_patch", R"({"input":"*** Begin Patch\n*** Add File: .claude/settings.local.json\n+{}\n"})",
       Verdict::Ask},
      {"a patch that moves", "apply_patch", R"({"input":"*** Update File: x\n*** Move to: .claude/settings.json\n"})",
       Verdict::Ask},
      {"a patch as words", "shell",
       R"({"command":["apply_patch","*** Begin Patch\n*** Delete File: .claude/settings.json\n"]})", Verdict::Ask},
      {"reading", "Read", R"({"file_path":"{project}/.claude/settings.json"})", Verdict::Pass},
      {"another file", "Write", R"({"file_path":"src/main.c","content":".claude is\na directory"})", Verdict::Pass},
      {"a file beside it", "Write", R"({"file_path":".claude/notes.md","content":"x"})", Verdict::Pass},
      {"no path at all", "Write", R"({})", Verdict::Pass},
      {"no object", "Write", R"("x")", Verdict::Pass},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(fire_call(c.tool, json(filled(c.input))).verdict(), c.want);
  }
}

TEST_F(ProtectionTest, ScriptsOfHooksThatRunBelongToIt) {
  dir_.put("home/hooks/guard.sh", "exit 0\n");
  dir_.put("home/.claude/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"sh ~/hooks/guard.sh"}]}]}})");
  engine_->reload();
  EXPECT_EQ(run_shell("echo > " + home_ + "/hooks/guard.sh").verdict(), Verdict::Ask);
  EXPECT_EQ(run_shell("echo > " + home_ + "/hooks/other.sh").verdict(), Verdict::Pass);
}

TEST_F(ProtectionTest, HookSayAllowInVain) {
  ASSERT_TRUE(engine_->register_callback({.name = "yes",
                                          .events = {EventKind::PreToolUse, EventKind::PermissionRequest},
                                          .call = [](const Event&, std::stop_token) {
                                            Effects effects;
                                            effects.verdict = Verdict::Allow;
                                            return effects;
                                          }}));
  const Json input = Json::object({{"command", Json::string("rm .claude/settings.json")}});
  EXPECT_EQ(fire_call("Bash", input).verdict(), Verdict::Ask);
  EXPECT_EQ(fire_call("Bash", input, EventKind::PermissionRequest).verdict(), Verdict::Ask);
  EXPECT_EQ(run_shell("ls").verdict(), Verdict::Allow);
}

TEST_F(ProtectionTest, HooksCannotTurnACallIntoOne) {
  ASSERT_TRUE(engine_->register_callback(
      {.name = "rewriter", .events = {EventKind::PreToolUse}, .call = [](const Event&, std::stop_token) {
         Effects effects;
         effects.input.emplace();
         effects.input->value = Json::object({{"command", Json::string("rm .claude/settings.json")}});
         return effects;
       }}));
  EXPECT_EQ(run_shell("ls").verdict(), Verdict::Ask);
}

TEST_F(ProtectionTest, IsOnRecordAndCannotBeSwitchedOffByName) {
  EXPECT_FALSE(engine_->set_enabled("grapnel:self-protection", false));
  const Decision decision = run_shell("rm .claude/settings.json");
  EXPECT_EQ(decision.reason(), "'rm' would change " + project_ +
                                   "/.claude/settings.json (hook settings of claude); a person has to agree");
  ASSERT_FALSE(sink_->records.empty());
  EXPECT_EQ(sink_->records.back().decided_by, "grapnel:self-protection");
}

TEST_F(ProtectionTest, OnlyPeopleSwitchItOff) {
  struct Case {
    const char* note;
    const char* managed;
    const char* user;
    const char* project;
    Verdict want;
  };
  const Case cases[] = {
      {"nobody says anything", "", "", "", Verdict::Ask},
      {"the user", "", "self_protection: off\n", "", Verdict::Pass},
      {"the administrator", "self_protection: false\n", "", "", Verdict::Pass},
      {"the user against the administrator", "self_protection: on\n", "self_protection: off\n", "", Verdict::Ask},
      {"a project", "", "", "self_protection: off\n", Verdict::Ask},
      {"something else", "", "other: true\n", "", Verdict::Ask},
      {"a file that cannot be read", "", "self_protection: [off\n", "", Verdict::Ask},
      {"a word that is none", "", "self_protection: maybe\n", "", Verdict::Ask},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("root/etc/grapnel/settings.yaml", c.managed);
    dir_.put("home/.config/grapnel/settings.yaml", c.user);
    for (const char* place :
         {"project/settings.yaml", "project/.grapnel/settings.yaml", "project/.config/grapnel/settings.yaml"}) {
      dir_.put(place, c.project);
    }
    engine_ = Engine::create(options());
    EXPECT_EQ(run_shell("rm .claude/settings.json").verdict(), c.want);
    EXPECT_EQ(run_shell("echo 'self_protection: off' > ~/.config/grapnel/settings.yaml").verdict(), c.want);
  }
}

TEST_F(ProtectionTest, IsOnWhereHookFilesAreUsedOrTheHostWantsIt) {
  struct Case {
    const char* note;
    bool use_hook_files;
    std::optional<bool> wish;
    Verdict want;
  };
  const Case cases[] = {
      {"with hook files", true, std::nullopt, Verdict::Ask},
      {"without", false, std::nullopt, Verdict::Pass},
      {"without, but wanted", false, true, Verdict::Ask},
      {"with, but not wanted", true, false, Verdict::Pass},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EngineOptions with = options();
    with.discovery.use_hook_files = c.use_hook_files;
    with.safety.self_protection = c.wish;
    engine_ = Engine::create(with);
    EXPECT_EQ(run_shell("rm .claude/settings.json").verdict(), c.want);
  }
}

}  // namespace
}  // namespace grapnel::testing
