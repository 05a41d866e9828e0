#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "os/temp_dir.h"
#include "run/harness.h"
#include "run/runner.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

// Warm hooks: processes that wait for their event answer as those that are started for it, or not at all.

namespace grapnel::testing {
namespace {

/// A registry of one hook, and an engine's pool around it. What the pool posts runs at once.
class Warm : public ::testing::Test {
 protected:
  Warm() {
    env_.set("PATH", "/usr/bin:/bin");
    HookSpec& hook = registry_.hooks.emplace_back();
    hook.name = "guard";
    hook.dialect = &kGrapnelDialect;
    hook.timeout = kLong;
    hook.warm = true;
  }
  ~Warm() override { pool_->close(); }

  HookSpec& hook() { return registry_.hooks.front(); }
  void set_command(const std::string& command) {
    hook().handler = CommandHandler{.command = command, .args = {}, .env = {}, .inject = {}};
    hook().definition = command;
  }
  /// A script that is the hook's command.
  std::string set_script(const std::string& text) {
    std::string path = dir_.put("hooks/guard.sh", "#!/bin/sh\n" + text + "\n", 0755);
    set_command(path);
    return path;
  }

  RunOutcome run(bool is_warm = true, const std::string& tool = "Bash") {
    RunContext context{.env = env_, .programs = programs_, .default_dir = dir_.path()};
    context.warm = is_warm ? pool_.get() : nullptr;
    PayloadCache payloads;
    const Json input = Json::object({{"file_path", Json::string("/a/" + tool)}});
    const Event event(EventKind::PreToolUse, Json::object({{"session_id", Json::string("s1")},
                                                           {"cwd", Json::string(cwd_)},
                                                           {"tool_name", Json::string(tool)},
                                                           {"tool_input", input}}));
    RunOutcome outcome = run_stage(registry_, {{0}, 0}, event, context, payloads).front();
    if (is_warm) pool_->restock();
    return outcome;
  }

  static std::shared_ptr<WarmPool> make_pool(const std::shared_ptr<WarmSeats>& seats,
                                             milliseconds most_wait = WarmPool::kUsualWait) {
    auto pool = std::make_shared<WarmPool>(seats, [](const std::function<void()>& work) { work(); }, most_wait);
    seats->join(pool);
    return pool;
  }

  const NothingLeft check_;
  TempDir dir_;
  std::string cwd_ = "/";
  Registry registry_;
  Environment env_{sh("").env};
  os::ProgramPaths programs_;
  std::shared_ptr<WarmSeats> seats_ = std::make_shared<WarmSeats>(8);
  std::shared_ptr<WarmPool> pool_ = make_pool(seats_);
};

/// Whether a child of ours has ended and waits to be reaped.
bool has_exited(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

std::string said_in(const RunOutcome& outcome) {
  return text_of(outcome.ending) + " out:" + outcome.out.bytes + " err:" + outcome.err.bytes;
}

TEST_F(Warm, SaysWhatAColdProcessSays) {
  struct Case {
    const char* note;
    std::string script;
  };
  const Case cases[] = {
      {"says nothing", "cat >/dev/null"},
      {"answers with its input", "cat"},
      {"denies with its exit status", "cat >/dev/null; echo no >&2; exit 2"},
      {"an answer that its exit status takes back", R"(cat >/dev/null; echo '{"verdict":"allow"}'; exit 2)"},
      {"the same, with its output closed before",
       R"(cat >/dev/null; echo '{"verdict":"allow"}'; exec >&- 2>&-; exit 2)"},
      {"fails after an answer", R"(cat >/dev/null; echo '{"verdict":"deny"}'; exit 1)"},
      {"a part of its input", "head -c 5"},
      {"reads nothing but waits", "read line; echo done"},
      {"its directory", "cat >/dev/null; pwd; echo \"$0\""},
      {"its variables", "cat >/dev/null; env | grep -v ^_= | sort"},
      {"much", "cat >/dev/null; head -c 300000 /dev/zero | tr '\\0' x"},
      {"leaves a process behind that holds its output", "cat >/dev/null; sleep 600 & echo done; kill $!"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    set_script(c.script);
    const RunOutcome first = run();
    EXPECT_EQ(first.cold, "no process was waiting");
    ASSERT_EQ(pool_->counts().waiting, 1u);
    const RunOutcome second = run();
    EXPECT_TRUE(second.was_warm) << second.cold;
    EXPECT_EQ(said_in(second), said_in(first));
    EXPECT_EQ(second.argv, first.argv);
    EXPECT_EQ(second.bytes_in, first.bytes_in);
    pool_->keep_only({});
  }
}

TEST_F(Warm, TakesALargeEvent) {
  set_script("wc -c");
  cwd_ = "/" + std::string(3'000'000, '/');
  const RunOutcome first = run();
  EXPECT_EQ(said_in(run()), said_in(first));
}

TEST_F(Warm, ThrowsAwayWhatWasStartedOtherwise) {
  struct Case {
    const char* note;
    std::function<void()> change;
    std::string cold;
    std::string out = "v1\n";
  };
  dir_.put("hooks/words.sh", "word=v1\n");
  dir_.put("elsewhere/file", "");
  const std::string script = "cat >/dev/null\n. \"${0%/*}/words.sh\"\necho $word";
  const std::string other_way = "the process that waited was started in another way";
  const std::string changed = "its files have changed since a process was started";
  const Case cases[] = {
      {"nothing changed", [] {}, ""},
      {"another directory", [&] { cwd_ = dir_ / "elsewhere"; }, "no process was waiting"},
      {"another variable", [&] { env_.set("NEW", "1"); }, other_way},
      {"a variable is gone", [&] { env_.remove("NEW"); }, ""},  // that one still waits
      {"an option of the hook",
       [&] { hook().handler = CommandHandler{hook().command()->command, {}, {{"A", "b"}}, {}}; }, other_way},
      {"its script", [&] { set_script(script + " again"); }, changed, "v1 again\n"},
      {"a file beside it", [&] { dir_.put("hooks/words.sh", "word=v2\n"); }, changed, "v2 again\n"},
      {"a new file beside it", [&] { dir_.put("hooks/more.sh", ""); }, changed, "v2 again\n"},
      {"another definition", [&] { hook().definition += " "; }, "no process was waiting", "v2 again\n"},
  };
  set_script(script);
  run();
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    c.change();
    const RunOutcome outcome = run();
    EXPECT_EQ(outcome.cold, c.cold);
    EXPECT_EQ(outcome.was_warm, c.cold.empty());
    EXPECT_EQ(outcome.out.bytes, c.out);
    EXPECT_TRUE(run().was_warm) << "the next one was not started";
  }
}

TEST_F(Warm, GoesWithoutWhatIsNotKnownBefore) {
  set_command("cat >/dev/null; env | sort | grep ^GRAPNEL_");
  const RunOutcome cold = run(false);
  EXPECT_NE(cold.out.bytes.find("GRAPNEL_PATH=/a/Bash"), std::string::npos);
  const RunOutcome first = run();
  EXPECT_EQ(first.out.bytes.find("GRAPNEL_PATH"), std::string::npos) << "cold or warm, it has the same variables";
  EXPECT_EQ(first.out.bytes.find("GRAPNEL_TOOL"), std::string::npos);
  EXPECT_NE(first.out.bytes.find("GRAPNEL_SESSION=s1"), std::string::npos);
  const RunOutcome second = run(true, "Write");
  EXPECT_TRUE(second.was_warm) << second.cold;
  EXPECT_EQ(second.out.bytes, first.out.bytes);
}

TEST_F(Warm, StaysColdWhereItMentionsThem) {
  const std::string why = " mentions GRAPNEL_PATH, which is not known before the event";
  struct Case {
    const char* note;
    std::function<void()> set;
    std::string cold;
  };
  const std::string script = dir_ / "hooks/guard.sh";
  const Case cases[] = {
      {"in its command", [&] { set_command("cat >/dev/null; echo \"$GRAPNEL_PATH\""); }, "its command" + why},
      {"in its script", [&] { set_script("cat >/dev/null; echo $GRAPNEL_PATH"); }, script + why},
      {"in a script beside it",
       [&] {
         dir_.put("hooks/lib.sh", "echo $GRAPNEL_PATH\n");
         set_script("cat >/dev/null; . \"${0%/*}/lib.sh\"");
       },
       (dir_ / "hooks/lib.sh") + why},
      {"in a script that a shell runs, from the home directory",
       [&] {
         std::filesystem::remove(dir_ / "hooks/lib.sh");
         env_.set("HOME", dir_.path());
         set_script("cat >/dev/null; echo $GRAPNEL_PATH");
         set_command("true; sh \"$HOME\"/hooks/guard.sh");
       },
       script + why},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    c.set();
    for (int i = 0; i < 2; ++i) {
      const RunOutcome outcome = run();
      EXPECT_EQ(outcome.cold, c.cold);
      EXPECT_EQ(outcome.out.bytes, "/a/Bash\n") << outcome.err.bytes;
    }
    EXPECT_EQ(pool_->counts().waiting, 0u);
  }
  set_command("cat >/dev/null; echo $MY_GRAPNEL_PATH_TOO");
  EXPECT_EQ(run().cold, "no process was waiting") << "a longer name is another variable";
}

TEST_F(Warm, StaysColdWhereOnlyAShellKnowsItsFile) {
  set_command("sh \"$(cat /nowhere)/guard.sh\"");
  EXPECT_EQ(run().cold, "only a shell knows which file $(cat /nowhere)/guard.sh is");
}

TEST_F(Warm, NeedsAProgramThatWaitsForItsInput) {
  set_script("echo early; exit 2");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(said_in(run()), "exit 2 out:early\n err:");
    // The waiting process ends by itself, which its exit shows.
    ASSERT_TRUE(becomes_true([&] { return find_stray_processes().empty(); }));
  }
  EXPECT_EQ(said_in(run()), "exit 2 out:early\n err:");
  EXPECT_EQ(run().cold, "it does not wait for its input");
  EXPECT_EQ(pool_->counts().waiting, 0u);
  // A change of the script gives it another chance.
  set_script("cat >/dev/null; echo late");
  EXPECT_EQ(run().cold, "no process was waiting");
  EXPECT_TRUE(run().was_warm);
}

TEST_F(Warm, DoesNotTakeAProcessThatHasBegunToAnswer) {
  set_script("echo half; echo x >>" + (dir_ / "said") + "; cat >/dev/null; echo whole");
  run();
  ASSERT_TRUE(becomes_true([&] { return dir_.read("said") == "x\nx\n"; }))
      << "the second is that of the one that waits";
  const RunOutcome outcome = run();
  EXPECT_EQ(outcome.cold, "the process printed something before the event");
  EXPECT_EQ(outcome.out.bytes, "half\nwhole\n");
}

TEST_F(Warm, RunsAgainIfTheProcessIsKilled) {
  set_script("echo $$ >>" + (dir_ / "pids") + "; cat >/dev/null; echo no >&2; exit 2");
  run();
  // While it waits: it is found dead. The first line is from the cold process, the second from the one that waits.
  ASSERT_TRUE(becomes_true([&] { return std::ranges::count(dir_.read("pids"), '\n') == 2; }));
  const std::string pids = dir_.read("pids");
  const auto waiting = static_cast<pid_t>(std::stol(pids.substr(pids.find('\n') + 1)));
  ::kill(waiting, SIGKILL);
  ASSERT_TRUE(becomes_true([&] { return has_exited(waiting); }));
  const RunOutcome found_dead = run();
  EXPECT_EQ(found_dead.cold, "the process ended before the event");
  EXPECT_EQ(said_in(found_dead), "exit 2 out: err:no\n");
  EXPECT_TRUE(run().was_warm) << "somebody else's kill is not held against the hook";
  // While it answers, and in a shell's child: each kills itself once.
  for (const std::string& how : {std::string("kill -9 $$"), std::string("sh -c 'kill -9 $$'; exit $?")}) {
    SCOPED_TRACE(how);
    const std::string flag = dir_ / "flag";
    set_script("cat >/dev/null; if rm " + flag + " 2>/dev/null; then " + how + "; fi; echo no >&2; exit 2");
    run();
    dir_.put("flag", "");
    const RunOutcome outcome = run();
    EXPECT_EQ(outcome.cold, "the process that waited was killed");
    EXPECT_EQ(said_in(outcome), "exit 2 out: err:no\n");
    EXPECT_FALSE(outcome.was_warm);
  }
}

TEST_F(Warm, StopsWithItsEvent) {
  set_script("trap '' TERM; cat >/dev/null; sleep 600");
  hook().timeout = 1ms;
  const RunOutcome cold = run();
  EXPECT_EQ(text_of(cold.ending), "timed out");
  const RunOutcome outcome = run();
  EXPECT_TRUE(outcome.was_warm) << outcome.cold;
  EXPECT_EQ(text_of(outcome.ending), "timed out");
}

TEST_F(Warm, IsBounded) {
  seats_ = std::make_shared<WarmSeats>(2);
  pool_ = make_pool(seats_);
  set_script("cat");
  for (const char* value : {"1", "2", "3"}) {
    env_.set("SESSION", value);
    run();
  }
  EXPECT_EQ(pool_->counts().waiting, 2u);
  env_.set("SESSION", "2");
  EXPECT_TRUE(run().was_warm);
  env_.set("SESSION", "1");
  EXPECT_FALSE(run().was_warm) << "it had waited for the longest, and made room";
  // The same holds for all pools together.
  auto other = make_pool(seats_);
  pool_.swap(other);
  run();
  EXPECT_EQ(pool_->counts().waiting, 1u);
  EXPECT_EQ(other->counts().waiting, 1u);
  other->close();
}

TEST_F(Warm, OneHookLeavesRoomForOthers) {
  set_script("cat");
  for (const char* value : {"1", "2", "3", "4", "5", "6"}) {
    env_.set("SESSION", value);
    run();
  }
  EXPECT_EQ(pool_->counts().waiting, 4u);
}

TEST_F(Warm, StartsNothingThatIsNotTrustedAnyMore) {
  const std::string project = canonical_directory(dir_.path());
  cwd_ = project;
  hook().project = project;
  hook().scope = Scope::Project;
  set_script("cat >/dev/null; echo trusted");
  hook().trust = Trust::Trusted;
  hook().digest = pinned_digest(hook(), project, project);
  run();
  EXPECT_TRUE(run().was_warm);
  hook().digest = "of something else";
  run();
  EXPECT_FALSE(run().was_warm);
  EXPECT_EQ(pool_->counts().waiting, 1u) << "the one from before, which nobody can ask any more";
}

TEST_F(Warm, LeavesNothingBehind) {
  // Its children are in other groups and sessions, and ignore signals.
  set_script("trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; exec sleep 600' & cat >/dev/null; kill -9 $!");
  run();
  ASSERT_EQ(pool_->counts().waiting, 1u);
  ASSERT_TRUE(becomes_true([&] { return find_stray_processes().size() >= 2; }));
  pool_->close();
  EXPECT_EQ(find_stray_processes().size(), 0u);
  run();
  EXPECT_EQ(pool_->counts().waiting, 0u) << "a closed pool starts nothing";
}

TEST_F(Warm, EndsWhenItsHookIsNoLongerTheSame) {
  struct Case {
    const char* note;
    std::function<void(std::vector<HookSpec>&)> change;
    bool is_kept;
  };
  const Case cases[] = {
      {"the files were read again", [](auto&) {}, true},
      {"another hook came", [](auto& hooks) { hooks.emplace_back(hooks.front()).name = "another"; }, true},
      {"gone", [](auto& hooks) { hooks.clear(); }, false},
      {"defined in another way", [](auto& hooks) { hooks.front().definition += " "; }, false},
      {"not warm any more", [](auto& hooks) { hooks.front().warm = false; }, false},
      {"switched off", [](auto& hooks) { hooks.front().enabled = false; }, false},
      {"not trusted any more", [](auto& hooks) { hooks.front().trust = Trust::Untrusted; }, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    set_script("cat");
    run();
    ASSERT_EQ(pool_->counts().waiting, 1u);
    std::vector<HookSpec> hooks = registry_.hooks;
    c.change(hooks);
    pool_->keep_only(hooks);
    EXPECT_EQ(pool_->counts().waiting, c.is_kept ? 1u : 0u);
    EXPECT_EQ(pool_->counts().pending, 0u);
    EXPECT_EQ(run().was_warm, c.is_kept);
    pool_->keep_only({});
    EXPECT_TRUE(find_stray_processes().empty());
  }
}

TEST_F(Warm, EndsWhenNobodyNeedsIt) {
  pool_ = make_pool(seats_, 0ms);
  set_script("cat");
  run();
  EXPECT_EQ(run().cold, "the process has waited for too long");
  ASSERT_EQ(pool_->counts().waiting, 1u);
  pool_->sweep();
  EXPECT_EQ(pool_->counts().waiting, 0u);
  EXPECT_TRUE(find_stray_processes().empty());
}

TEST_F(Warm, NamesWhatCannotBeWarm) {
  struct Case {
    const char* note;
    std::function<void(HookSpec&)> change;
    std::string why;
  };
  const Case cases[] = {
      {"a command", [](HookSpec&) {}, ""},
      {"async", [](HookSpec& hook) { hook.async = true; }, "nobody waits for it"},
      {"debounced", [](HookSpec& hook) { hook.debounce.until_turn_ends = true; }, "nobody waits for it"},
      {"files", [](HookSpec& hook) { std::get<CommandHandler>(hook.handler).takes_files = true; },
       "its files are not known before the event"},
      {"a sandbox", [](HookSpec& hook) { hook.sandbox.emplace().network = false; },
       "its sandbox is made for each event"},
      {"no sandbox but the usual care", [](HookSpec& hook) { hook.sandbox.emplace(); }, ""},
      {"a worker", [](HookSpec& hook) { hook.handler = WorkerHandler{}; },
       "it is not a command that is started for each event"},
      {"an argument", [](HookSpec& hook) { std::get<CommandHandler>(hook.handler).args = {{"$GRAPNEL_TOOL"}}; },
       "its command mentions GRAPNEL_TOOL, which is not known before the event"},
      {"a variable", [](HookSpec& hook) { std::get<CommandHandler>(hook.handler).env = {{"A", "${GRAPNEL_TOOL}"}}; },
       "its command mentions GRAPNEL_TOOL, which is not known before the event"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    set_command("cat");
    HookSpec changed = hook();
    c.change(changed);
    EXPECT_EQ(why_never_warm(changed), c.why);
  }
}

/// The table of each dialect says so for exactly those values that differ between two tool calls of one session.
TEST(WarmVariables, AreGivenUpIfTheyChangeWithEveryEvent) {
  for (const Dialect* dialect : all_dialects()) {
    for (const VariableRow& row : dialect->process.variables) {
      SCOPED_TRACE(row.name);
      const bool changes =
          row.value == Field::ToolPath || row.value == Field::ToolName || row.value == Field::ToolUseId;
      EXPECT_EQ(row.per_event, changes);
    }
  }
}

}  // namespace
}  // namespace grapnel::testing
