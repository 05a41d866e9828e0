#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "os/spawn.h"
#include "os/tag.h"
#include "run/sandbox_place.h"
#include "run/ways_out.h"
#include "run/worker_process.h"

// What a process in a sandbox can do, with the real kernel: the sandboxes of hooks around real programs.

namespace grapnel::testing {
namespace {

// ---- the map ----------------------------------------------------------------------------------------------------

TEST(SandboxMap, AllowsWhatItNamesAndNothingElse) {
  Sandbox writes;
  writes.files = {{.read = std::nullopt, .write = {{"project", "$TMPDIR"}}}};
  Sandbox reads;
  reads.files = {{.read = {{"system"}}, .write = std::nullopt}};
  Sandbox no_network;
  no_network.network = false;
  Sandbox both = writes;
  narrow(both, guard_sandbox());
  Sandbox memory;
  memory.memory = uint64_t{64} << 20;
  Sandbox cpu;
  cpu.cpu_seconds = 1;
  struct Case {
    const char* note;
    Sandbox sandbox;
    const char* script;
    const char* want;
  };
  const Case cases[] = {
      {"what is named can be written", writes, "echo x >new && cat new", "x\n"},
      {"and the private directory", writes, "echo x >$TMPDIR/new && cat $TMPDIR/new", "x\n"},
      {"everything can be read", writes, "cat $OUTSIDE/.ssh/id", "SECRET\n"},
      {"nothing else can be written", writes, "echo x >$OUTSIDE/new || echo no", "no\n"},
      {"what is not named cannot be read", reads, "cat file || echo no", "no\n"},
      {"but written", reads, "echo x >new && echo yes", "yes\n"},
      {"no network, but files", no_network, "echo x >$OUTSIDE/new && cat $OUTSIDE/new", "x\n"},
      {"of two, each takes away", both, "echo x >new || echo no", "no\n"},
      {"and both can allow", both, "echo x >$TMPDIR/new && echo yes", "yes\n"},
      {"memory", memory, "python3 -c 'x = bytearray(256 << 20)' 2>/dev/null || echo no", "no\n"},
      {"processor time", cpu, "(while :; do :; done); kill -l $?", "XCPU\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const Place place;
    const RunOutcome outcome = run_one(place.sh_in(c.sandbox, c.script));
    EXPECT_EQ(outcome.out.bytes, c.want) << outcome.err.bytes;
  }
}

TEST(SandboxMap, EndsTooManyProcesses) {
  Sandbox few;
  few.processes = 16;
  const NothingLeft check;
  const Place place;
  const char* const many = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do sleep 600 & done; wait";
  EXPECT_EQ(describe(run_one(place.sh_in(few, many)).ending), "stopped: it ran more than 16 processes");
  EXPECT_EQ(text_of(run_one(place.sh_in(few, "sleep 0.02 & sleep 0.02 & wait")).ending), "exit 0");
  // Nobody counts when it has ended, so nothing may be left.
  few.leftovers = Leftovers::Keep;
  EXPECT_TRUE(run_one(place.sh_in(few, "setsid sleep 600 >/dev/null 2>&1 & sleep 0.1")).contained.ended_leftovers);
}

TEST(SandboxMap, NamesWithoutAProjectAllowNothing) {
  Sandbox sandbox;
  sandbox.files = {{.read = {{"etc", "project", "home", "~/x", "system"}}, .write = {{"etc", "~/x", "project"}}}};
  const Environment nobody = {"PATH=/usr/bin"};
  const auto made = sandbox_for(sandbox, {"", nobody, {}});
  ASSERT_EQ(made->spec.layers.size(), 1u);
  EXPECT_TRUE(made->spec.layers[0].write.empty());
  EXPECT_EQ(std::ranges::count(made->spec.layers[0].read, "/etc"), 1) << "of the system";
}

// As an ordinary user: the kernel does not limit an administrator, and this machine has others on it. Whether it is
// counted first, or the kernel refuses to fork first, is a race; nothing may be left in either case.
TEST(SandboxMap, EndsAForkBomb) {
  const auto bomb = [] {
    Sandbox few;
    few.processes = 16;
    const Place place;
    run_one(place.sh_in(few, "bomb() { bomb | bomb & }; bomb; sleep 0.1"));
    return becomes_true([] { return find_stray_processes().empty(); }) ? 0 : 1;
  };
  EXPECT_EQ(in_another_host([&] {
              constexpr unsigned kNobody = 65534;
              if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 100;
              return in_another_host(bomb);
            }),
            0);
}

// ---- nothing is left ---------------------------------------------------------------------------------------------

/// Only a sandbox can keep it from that.
constexpr WayOut kTakesItsMarkOff = {
    "takes its mark off",
    "setsid python3 -c 'import os,resource,time\ntry: resource.setrlimit(15,(1<<40,1<<40))\nexcept Exception: pass\n"
    "open(os.environ[\"ready\"],\"w\"); time.sleep(600)' & exec sleep 600"};

std::vector<WayOut> ways_out_of_a_sandbox() {
  std::vector<WayOut> out(std::begin(kWaysOut), std::end(kWaysOut));
  out.push_back(kTakesItsMarkOff);
  return out;
}

struct Level {
  const char* name;
  int landlock;
};
constexpr Level kLevels[] = {{"scope", 7},       {"scope", 6},       {"sealed mark", 5}, {"sealed mark", 4},
                             {"sealed mark", 3}, {"sealed mark", 2}, {"sealed mark", 1}, {"sealed mark", 0}};

TEST(Sandbox, LeavesNothingBehindAtItsDeadline) {
  for (const Level& level : kLevels) {
    if (level.landlock > real_version()) continue;
    const os::Calls calls = with_landlock(level.landlock);
    Sandbox sandbox;
    sandbox.network = false;
    for (const WayOut& way : ways_out_of_a_sandbox()) {
      SCOPED_TRACE(std::string(way.note) + ", " + level.name);
      const NothingLeft check;
      const Place place;
      for (milliseconds timeout = 50ms;; timeout *= 2) {
        ChildSpec spec = place.sh_in(sandbox, way.script, timeout);
        spec.env.set("ready", place.dir / "ready");
        const RunOutcome outcome = run_one(spec, {.term_grace = 100ms, .drain_grace = 50ms}, {}, calls);
        EXPECT_EQ(text_of(outcome.ending), "timed out");
        EXPECT_EQ(outcome.contained.means, level.name);
        if (fs::exists(place.dir / "ready") || timeout > kLong) break;
      }
      EXPECT_TRUE(fs::exists(place.dir / "ready"));
      EXPECT_FALSE(is_left(place.dir / "ready"));
    }
  }
}

// A worker is ended when it is of no more use, with all it started, whatever its requests were about.
TEST(Sandbox, LeavesNothingBehindOfAWorker) {
  for (const Level& level : kLevels) {
    if (level.landlock > real_version()) continue;
    const os::Calls calls = with_landlock(level.landlock);
    Sandbox sandbox;
    sandbox.network = false;
    for (const WayOut& way : ways_out_of_a_sandbox()) {
      SCOPED_TRACE(std::string(way.note) + ", " + level.name);
      const NothingLeft check;
      const Place place;
      ChildSpec spec = place.sh_in(sandbox, way.script);
      spec.env.set("ready", place.dir / "ready");
      auto worker = WorkerProcess::start(spec, {}, calls);
      ASSERT_TRUE(worker) << worker.error().message;
      EXPECT_EQ((*worker)->contained().means, level.name);
      EXPECT_TRUE(becomes_true([&] { return fs::exists(place.dir / "ready"); }));
      worker->reset();
      EXPECT_FALSE(is_left(place.dir / "ready"));
    }
  }
}

TEST(Sandbox, CountsTheProcessesOfAWorker) {
  Sandbox few;
  few.processes = 4;
  const NothingLeft check;
  const Place place;
  const auto worker = WorkerProcess::start(place.sh_in(few, "for i in 1 2 3 4 5; do setsid sleep 600 & done; wait"), {},
                                           os::real_calls());
  ASSERT_TRUE(worker) << worker.error().message;
  EXPECT_TRUE(becomes_true([&] {
    (*worker)->on_overuse_due();
    return (*worker)->is_condemned();
  }));
  EXPECT_EQ((*worker)->why_condemned(), "it ran more than 4 processes");
}

TEST(Leftovers, AreToldKilledOrKept) {
  const char* const script = "setsid sh -c ': >$ready; exec sleep 600' & while ! test -e $ready; do sleep 0.01; done";
  for (const bool in_guard : {false, true}) {
    for (const Leftovers wish : {Leftovers::Tell, Leftovers::Kill, Leftovers::Keep}) {
      SCOPED_TRACE(static_cast<int>(wish));
      const Place place;
      Sandbox sandbox;
      sandbox.network = !in_guard;
      sandbox.leftovers = wish;
      ChildSpec spec = place.sh_in(sandbox, script);
      spec.env.set("ready", place.dir / "ready");
      const RunOutcome outcome = run_one(spec);
      EXPECT_EQ(text_of(outcome.ending), "exit 0");
      EXPECT_EQ(outcome.contained.left.size(), wish == Leftovers::Keep ? 0u : 1u);
      for (const HookLeftover& left : outcome.contained.left) EXPECT_EQ(left.name, "sleep");
      EXPECT_EQ(outcome.contained.ended_leftovers, wish == Leftovers::Kill);
      if (wish != Leftovers::Kill) {
        EXPECT_EQ(find_stray_processes().size(), 1u);
        kill_stray_processes();
      }
      EXPECT_TRUE(becomes_true([] { return find_stray_processes().empty(); }));
    }
  }
}

// ---- machines that cannot do it ----------------------------------------------------------------------------------

TEST(Sandbox, IsAFailureWhereTheKernelCannotEnforceIt) {
  const Place place;
  const os::Calls calls = with_landlock(0);
  const NothingLeft check;
  const RunOutcome closed = run_one(place.sh_in(guard_sandbox(), "echo ran"), {}, {}, calls);
  ASSERT_TRUE(std::holds_alternative<NotStarted>(closed.ending));
  EXPECT_TRUE(std::get<NotStarted>(closed.ending).lacks_sandbox);
  EXPECT_EQ(text_of(closed.ending), "not started: its sandbox cannot be set up: this kernel has no Landlock");
  EXPECT_EQ(closed.out.bytes, "");

  Sandbox if_possible = guard_sandbox();
  if_possible.required = false;
  const RunOutcome open = run_one(place.sh_in(if_possible, "echo ran"), {}, {}, calls);
  EXPECT_EQ(open.out.bytes, "ran\n");
  EXPECT_EQ(open.contained.not_enforced, "its sandbox cannot be set up: this kernel has no Landlock");
  EXPECT_EQ(open.contained.means, os::can_tag() ? "mark" : "group");
}

/// 0 if a guard works here, and what it started is ended by the strongest means; otherwise what went wrong.
int try_guard(const char* means) {
  const Place place;
  const RunOutcome good = run_one(place.sh_in(guard_sandbox(), "cat file && echo x >$TMPDIR/f && cat $TMPDIR/f"));
  if (good.out.bytes != "of the project\nx\n") return 1;
  if (good.contained.means != means) return 2;
  for (const char* bad : {"cat $OUTSIDE/.ssh/id", "echo x >>file && echo SECRET", "kill -0 $AGENT && echo SECRET",
                          "bash -c ': >/dev/tcp/127.0.0.1/22' && echo SECRET"}) {
    if (run_one(place.sh_in(guard_sandbox(), bad)).out.bytes.contains("SECRET")) return 3;
  }
  for (const WayOut& way : ways_out_of_a_sandbox()) {
    for (milliseconds timeout = 100ms; !fs::exists(place.dir / "ready"); timeout *= 2) {
      ChildSpec spec = place.sh_in(guard_sandbox(), way.script, timeout);
      spec.sandbox = sandbox_for({.network = false}, {place.dir / "project", spec.env, {}});
      spec.env.set("ready", place.dir / "ready");
      run_one(spec, {.term_grace = 50ms, .drain_grace = 50ms});
      if (timeout > kLong) return 4;
    }
    if (is_left(place.dir / "ready")) return 6;
    fs::remove(place.dir / "ready");
    if (!becomes_true([] { return find_stray_processes().empty(); })) return 5;
  }
  return 0;
}

const char* strongest() {
  return real_version() >= 6 ? "scope" : "sealed mark";
}

TEST(Sandbox, WorksForAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "runs as one already";
  // Once more below, so that the parent is an ordinary user, too.
  EXPECT_EQ(in_another_host([] {
              constexpr unsigned kNobody = 65534;
              if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 100;
              return in_another_host([] { return try_guard(strongest()); });
            }),
            0);
}

// `contain` must not break `sudo`; a sandbox must.
TEST(Sandbox, KeepsSudoOutAndContainDoesNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only an administrator can make such a program";
  if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) GTEST_SKIP() << "nothing here may get privileges";
  const TempDir dir;
  const std::string program = dir / "id";
  fs::copy_file("/usr/bin/id", program);
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  EXPECT_EQ(in_another_host([&] {
              constexpr unsigned kNobody = 65534;
              if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 100;
              const Place place;
              Sandbox no_network;
              no_network.network = false;
              const auto gained = [&](const Sandbox& sandbox) {
                ChildSpec spec = place.sh_in(sandbox, "exec $PROGRAM -u");
                spec.env.set("PROGRAM", program);
                return run_one(spec).out.bytes;
              };
              EXPECT_EQ(gained({}), "0\n");
              EXPECT_EQ(gained(no_network), "65534\n");
              return ::testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

// Without a parent that it may signal, the thread cannot prove that it is confined.
TEST(Sandbox, WorksBelowAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "cannot be another user";
  EXPECT_EQ(in_another_host([] {
              constexpr unsigned kNobody = 65534;
              if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 100;
              return try_guard("sealed mark");
            }),
            0);
}

/// What Docker refuses in its containers, as far as a sandbox might use it: namespaces, mounts, tracing, and `clone3`,
/// whose flags cannot be seen.
bool refuse_like_docker() {
  constexpr unsigned kNamespaces = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
  constexpr unsigned kClone3 = 435;
  std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kClone3, 0, 1),
                                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
  for (const unsigned number : {SYS_unshare,
                                SYS_setns,
                                SYS_mount,
                                SYS_umount2,
                                SYS_pivot_root,
                                SYS_ptrace,
                                SYS_bpf,
                                SYS_keyctl,
                                SYS_perf_event_open,
                                SYS_userfaultfd,
                                SYS_acct,
                                SYS_add_key,
                                SYS_request_key,
                                SYS_clock_settime,
                                SYS_settimeofday,
                                SYS_init_module,
                                SYS_finit_module,
                                SYS_delete_module,
                                SYS_kexec_load,
                                SYS_open_by_handle_at,
                                SYS_get_mempolicy,
                                SYS_set_mempolicy,
                                SYS_mbind,
                                SYS_move_pages,
                                SYS_kcmp,
                                SYS_io_uring_setup,
                                SYS_io_uring_enter,
                                SYS_io_uring_register,
                                SYS_quotactl,
                                SYS_reboot,
                                SYS_swapon,
                                SYS_swapoff,
                                SYS_lookup_dcookie,
                                SYS_syslog,
                                SYS_vhangup}) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  const sock_filter clone[] = {BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
                               BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
                               BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNamespaces, 0, 1),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  filter.insert(filter.end(), std::begin(clone), std::end(clone));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(Sandbox, WorksUnderAFilterLikeDockers) {
  EXPECT_EQ(in_another_host([] { return refuse_like_docker() ? try_guard(strongest()) : 100; }), 0);
}

/// Fails one of the calls that only sandboxes make, the nth time that it is made.
struct Failing {
  const char* name;
  void (*fail)(os::Calls& calls);
};

int fail_at = 0;
int made = 0;
bool is_due() {
  return ++made == fail_at;
}

const Failing kFailing[] = {
    {"open_place",
     [](os::Calls& calls) {
       calls.open_place = [](const char* path) {
         return is_due() ? (errno = EMFILE, -1) : os::real_calls().open_place(path);
       };
     }},
    {"landlock_create",
     [](os::Calls& calls) {
       calls.landlock_create = [](const void* attributes, size_t size, unsigned flags) {
         return is_due() ? (errno = EOPNOTSUPP, -1) : os::real_calls().landlock_create(attributes, size, flags);
       };
     }},
    {"landlock_allow",
     [](os::Calls& calls) {
       calls.landlock_allow = [](int ruleset, const void* rule) {
         return is_due() ? (errno = ENOMEM, -1) : os::real_calls().landlock_allow(ruleset, rule);
       };
     }},
    {"landlock_enter",
     [](os::Calls& calls) {
       calls.landlock_enter = [](int ruleset) -> long {
         return is_due() ? (errno = E2BIG, -1) : os::real_calls().landlock_enter(ruleset);
       };
     }},
    {"give_up_new_privileges",
     [](os::Calls& calls) {
       calls.give_up_new_privileges = []() -> long {
         return is_due() ? (errno = EINVAL, -1) : os::real_calls().give_up_new_privileges();
       };
     }},
    {"drop_capability",
     [](os::Calls& calls) {
       calls.drop_capability = [](unsigned long capability) -> long {
         return is_due() ? (errno = EPERM, -1) : os::real_calls().drop_capability(capability);
       };
     }},
    {"install_filter",
     [](os::Calls& calls) {
       calls.install_filter = [](const sock_fprog* filter) -> long {
         return is_due() ? (errno = ENOSYS, -1) : os::real_calls().install_filter(filter);
       };
     }},
    {"prlimit",
     [](os::Calls& calls) {
       calls.prlimit = [](pid_t pid, int resource, const rlimit64* limit, rlimit64* old) {
         return is_due() ? (errno = EPERM, -1) : os::real_calls().prlimit(pid, resource, limit, old);
       };
     }},
    {"limit_self",
     [](os::Calls& calls) {
       calls.limit_self = [](int resource, const rlimit64* limit) -> long {
         return is_due() ? (errno = EPERM, -1) : os::real_calls().limit_self(resource, limit);
       };
     }},
    {"kill",
     [](os::Calls& calls) {
       calls.kill = [](pid_t pid, int signal) {
         return is_due() ? (errno = EPERM, -1) : os::real_calls().kill(pid, signal);
       };
     }},
};

// However a call fails: the hook does not run, or it runs in the whole sandbox.
TEST(Sandbox, IsNeverHalf) {
  const char* const script = "cat $OUTSIDE/.ssh/id; echo x >>file; : </dev/null; echo ran with $(ulimit -d)";
  for (const Failing& failing : kFailing) {
    os::Calls calls = os::real_calls();
    failing.fail(calls);
    for (fail_at = 1;; ++fail_at) {
      SCOPED_TRACE(std::string(failing.name) + " " + std::to_string(fail_at));
      const NothingLeft check;
      const Place place;
      made = 0;
      Sandbox sandbox = guard_sandbox();
      sandbox.memory = uint64_t{1} << 30;
      const RunOutcome outcome = run_one(place.sh_in(sandbox, script), {}, {}, calls);
      EXPECT_EQ(place.dir.read("project/file"), "of the project\n");
      EXPECT_FALSE(outcome.out.bytes.contains("SECRET"));
      const auto* refused = std::get_if<NotStarted>(&outcome.ending);
      EXPECT_TRUE(outcome.out.bytes == "ran with 1048576\n" || (refused != nullptr && refused->lacks_sandbox))
          << text_of(outcome.ending) << outcome.out.bytes;
      if (made < fail_at || fail_at > 200) break;
    }
    EXPECT_GT(fail_at, 1) << failing.name << " was never made";
  }
}

// A wrong "scoped" would end the programs of the user. So a kernel that only says that it restricts is found out.
TEST(Sandbox, DoesNotBelieveInAScopeThatIsNone) {
  os::Calls calls = os::real_calls();
  calls.landlock_enter = [](int) -> long { return 0; };
  const Place place;
  Sandbox sandbox;
  sandbox.network = false;
  const RunOutcome outcome = run_one(place.sh_in(sandbox, "exec sleep 600", 50ms), {}, {}, calls);
  EXPECT_EQ(text_of(outcome.ending), "timed out");
  EXPECT_EQ(outcome.contained.means, "sealed mark");
}

}  // namespace
}  // namespace grapnel::testing
