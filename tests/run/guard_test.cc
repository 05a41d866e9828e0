#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run/refusals.h"
#include "run/sandbox_place.h"

// What a hook can do in a guard, with the real kernel and real programs: what it is meant to do, and what a hostile one
// tries.

namespace grapnel::testing {
namespace {

// ---- what works in a guard --------------------------------------------------------------------------------------

struct Program {
  const char* name;
  const char* script;
  const char* want;
};

const Program kPrograms[] = {
    {"sh", "cat file", "of the project\n"},
    {"bash", "bash -c 'cat <<X\nhere\nX\ncat <(echo there); echo $((1+1)) >$TMPDIR/f; cat $TMPDIR/f'",
     "here\nthere\n2\n"},
    {"jq", "echo '{\"a\":[1,2]}' | jq -c .a", "[1,2]\n"},
    {"git",
     "git init -q $TMPDIR/r && cd $TMPDIR/r && git status --short && git -c user.name=x -c user.email=x commit -q "
     "--allow-empty -m first && git log --format=%s",
     "first\n"},
    {"python3",
     "python3 -c 'import subprocess,tempfile,json,threading; f=tempfile.NamedTemporaryFile(); "
     "print(subprocess.run([\"echo\",\"child\"],capture_output=True,text=True).stdout,end=\"\")'",
     "child\n"},
    {"node",
     "node -e 'require(\"fs\").writeFileSync(process.env.TMPDIR+\"/f\",\"x\"); "
     "process.stdout.write(require(\"child_process\").execSync(\"echo child\"))'",
     "child\n"},
    {"xargs", "echo 1 2 3 | xargs -n1 echo", "1\n2\n3\n"},
    {"gcc", "cd $TMPDIR && echo 'int main(void){return 7;}' >t.c && gcc t.c -o t; ./t; echo $?", "7\n"},
    {"mktemp", "f=$(mktemp) && echo x >$f && sed -i s/x/y/ $f && cat $f && rm $f", "y\n"},
    {"timeout", "timeout 60 echo in time", "in time\n"},
    {"perl", "perl -e 'print `echo child`'", "child\n"},
};

TEST(Guard, LeavesProgramsWorking) {
  for (const int version : {real_version(), 2}) {
    const os::Calls calls = with_landlock(version);
    for (const Program& program : kPrograms) {
      if (!has_program(program.name)) continue;
      SCOPED_TRACE(std::string(program.name) + " with Landlock " + std::to_string(version));
      const NothingLeft check;
      const Place place;
      const RunOutcome outcome = run_one(place.sh_in(guard_sandbox(), program.script), {}, {}, calls);
      EXPECT_EQ(text_of(outcome.ending), "exit 0") << outcome.err.bytes;
      EXPECT_EQ(outcome.out.bytes, program.want) << outcome.err.bytes;
    }
  }
}

TEST(Guard, ReadsTheProjectOfALinkedWorktree) {
  if (!has_program("git")) GTEST_SKIP() << "no git";
  const Place place;
  const std::string make =
      "cd $P && git init -q main && cd main && git -c user.name=x -c user.email=x commit -q "
      "--allow-empty -m first && git worktree add -q ../tree";
  ChildSpec plain = sh(make);
  plain.env.set("P", place.dir / "home");
  plain.env.set("HOME", place.dir / "home");
  ASSERT_EQ(text_of(run_one(plain).ending), "exit 0");
  ChildSpec spec = sh("git log --format=%s");
  spec.cwd = place.dir / "home/tree";
  spec.env.set("HOME", place.dir / "home");
  spec.sandbox = sandbox_for(guard_sandbox(), {spec.cwd, spec.env, {}});
  const RunOutcome outcome = run_one(spec);
  EXPECT_EQ(outcome.out.bytes, "first\n") << outcome.err.bytes;
}

// The files of a project are its author's words. None of them may open what is outside of it.
TEST(Guard, ReadsNothingMoreIfTheProjectSaysSo) {
  const Place place;
  const std::string home = place.dir / "home";
  const std::string project = place.dir / "project";
  fs::create_directory_symlink(home, project + "/link");
  fs::create_directories(project + "/bin");
  fs::create_directory_symlink(home + "/.ssh", project + "/bin/link");
  struct Case {
    const char* note;
    std::vector<std::string> read;
    std::string git;
    std::string path;
  };
  const Case cases[] = {
      {"a link", {"link"}, "", ""},
      {"a link on the way", {"link/.ssh"}, "", ""},
      {"dots", {"../home/.ssh"}, "", ""},
      {"a directory that git is said to have", {"project"}, "gitdir: " + home + "/.ssh\n", ""},
      {"one with worktrees", {"project"}, "gitdir: " + home + "/.ssh/worktrees/x\n", ""},
      {"one that exists", {"project"}, "gitdir: ../home/worktrees/x\n", ""},
      {"a directory of PATH", {"project"}, "", project + "/bin/link"},
  };
  fs::create_directories(home + "/worktrees/x");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    place.dir.put("project/.git", c.git);
    Sandbox sandbox;
    std::vector<std::string> read = c.read;
    read.emplace_back("system");
    sandbox.files = {{.read = read, .write = std::nullopt}};
    ChildSpec spec = place.sh_in(sandbox, "cat $OUTSIDE/.ssh/id; echo ran");
    Environment env = spec.env;
    env.set("PATH", c.path + ":/usr/bin:/bin");
    spec.sandbox = sandbox_for(sandbox, {project, env, {}});
    const RunOutcome outcome = run_one(spec);
    EXPECT_EQ(outcome.out.bytes, "ran\n") << outcome.err.bytes;
  }
}

// A hook of the user may be anywhere in the home. What its command only reads is not part of it.
TEST(Guard, ReadsTheScriptsOfTheHook) {
  const Place place;
  place.dir.put("home/.hooks/guard.py", "import beside; print(beside.word)\n");
  place.dir.put("home/.hooks/beside.py", "word = 'beside'\n");
  const std::string home = place.dir / "home";
  const std::vector<std::string> words = {"python3", "~/.hooks/guard.py", "~/.ssh/id", "$HOME/.bashrc"};
  EXPECT_EQ(places_of_words(words, home), std::vector<std::string>{home + "/.hooks"});
  if (!has_program("python3")) return;
  ChildSpec spec = place.sh_in({}, "python3 ~/.hooks/guard.py; cat ~/.ssh/id");
  spec.sandbox = sandbox_for(guard_sandbox(), {place.dir / "project", spec.env, places_of_words(words, home)});
  EXPECT_EQ(run_one(spec).out.bytes, "beside\n");
}

TEST(Guard, HasItsDirectoryInMemoryIfThereIsOne) {
  const TempDir dir;
  fs::create_directories(dir / "memory");
  struct Case {
    const char* note;
    std::string runtime;
    std::string temporary;
    std::string want;
  };
  const Case cases[] = {{"the user's", dir / "memory", "/tmp", dir / "memory"},
                        {"none", "", dir / "", dir / ""},
                        {"one that is gone", dir / "gone", dir / "", dir / ""},
                        {"a relative one", "memory", "also/relative", "/tmp"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Environment env = {"XDG_RUNTIME_DIR=" + c.runtime, "TMPDIR=" + c.temporary};
    const auto made = sandbox_for(guard_sandbox(), {"/", env, {}});
    ASSERT_TRUE(made->temporary) << made->problem;
    EXPECT_TRUE(made->temporary->path().starts_with(c.want)) << made->temporary->path();
  }
}

TEST(Guard, HasADirectoryOfItsOwnThatIsRemoved) {
  const Place place;
  std::string directory;
  {
    const ChildSpec spec = place.sh_in(guard_sandbox(), "mkdir $TMPDIR/d && echo x >$TMPDIR/d/f && echo $TMPDIR");
    const RunOutcome outcome = run_one(spec);
    ASSERT_EQ(text_of(outcome.ending), "exit 0") << outcome.err.bytes;
    directory = outcome.out.bytes.substr(0, outcome.out.bytes.size() - 1);
    EXPECT_TRUE(fs::exists(directory + "/d/f"));
  }
  EXPECT_FALSE(fs::exists(directory));
}

// ---- what a hostile hook tries ----------------------------------------------------------------------------------

/// Every attempt prints `DONE` if it succeeds; what is refused is told on standard error.
struct Attempt {
  const char* note;
  const char* needs;
  const char* script;
  int from_version = 1;  ///< of Landlock
};

#define PY(code) "python3 -c '" code "; print(\"DONE\")'"

const Attempt kAttempts[] = {
    {"reads a key", "sh", "cat $OUTSIDE/.ssh/id && echo DONE"},
    {"lists a home", "sh", "ls $OUTSIDE && echo DONE"},
    {"reads by a link in the project", "sh", "ln -s $OUTSIDE/.ssh/id $TMPDIR/l && cat $TMPDIR/l && echo DONE"},
    {"reads by a path with dots", "sh", "cat /usr/../$OUTSIDE/.ssh/id && echo DONE"},
    {"reads by the root of a process", "sh", "cat /proc/self/root$OUTSIDE/.ssh/id && echo DONE"},
    {"executes from a home", "sh", "cp /bin/true $OUTSIDE/t && echo DONE"},
    {"writes .bashrc", "sh", "echo evil >>$OUTSIDE/.bashrc && echo DONE"},
    {"writes the project", "sh", "echo evil >>file && echo DONE"},
    {"makes a file in the project", "sh", "echo evil >new && echo DONE"},
    {"removes a file", "sh", "rm -f file && echo DONE"},
    {"removes a directory", "sh", "rmdir $OUTSIDE/.ssh && echo DONE"},
    {"renames a file", "sh", "mv file other && echo DONE"},
    {"links a file in", "sh", "ln file $TMPDIR/file && echo x >$TMPDIR/file && echo DONE"},
    {"truncates with truncate", "python3", PY("import os; os.truncate(\"file\", 0)")},
    {"truncates while it opens for reading", "python3", PY("import os; os.open(\"file\", os.O_RDONLY | os.O_TRUNC)")},
    {"truncates while it opens for nothing", "python3", PY("import os; os.open(\"file\", 3 | os.O_TRUNC)")},
    {"writes to /tmp", "sh", "echo x >/tmp/grapnel-test-evil && echo DONE"},
    {"writes to /dev/shm", "sh", "echo x >/dev/shm/grapnel-test-evil && echo DONE"},
    {"makes a device", "sh", "mknod $TMPDIR/d b 7 0 && echo DONE"},
    {"reads the agent's environment", "sh", "cat /proc/$AGENT/environ && echo DONE"},
    {"reads the agent's memory", "sh", "head -c1 /proc/$AGENT/mem && echo DONE"},
    {"opens the agent's files", "sh", "head -c0 /proc/$AGENT/fd/0 && echo DONE"},
    {"traces the agent", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.ptrace(16,int(os.environ[\"AGENT\"]),0,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r else 0")},
    {"reads memory by a system call", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); b=ctypes.create_string_buffer(8); "
        "v=(ctypes.c_size_t*2)(ctypes.addressof(b),8); "
        "r=c.process_vm_readv(int(os.environ[\"AGENT\"]),v,1,v,1,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"kills the agent", "sh", "kill -9 $AGENT && echo DONE"},
    {"stops the agent", "sh", "kill -STOP $AGENT && echo DONE"},
    {"kills the agent by a pidfd", "python3",
     PY("import os,signal; signal.pidfd_send_signal(os.pidfd_open(int(os.environ[\"AGENT\"])), 0)")},
    {"kills the agent by its directory in /proc", "python3",
     PY("import os,signal; "
        "signal.pidfd_send_signal(os.open(\"/proc/\"+os.environ[\"AGENT\"], os.O_RDONLY|os.O_DIRECTORY), 0)")},
    {"kills the agent by the number of a thread", "python3",
     PY("import os\n"
        "for t in os.listdir(\"/proc/\"+os.environ[\"AGENT\"]+\"/task\"):\n"
        "  os.kill(int(t), 0)\n"
        "pass")},
    {"kills the group of the agent", "python3",
     PY("import os; "
        "os.killpg(int(open(\"/proc/\"+os.environ[\"AGENT\"]+\"/stat\").read().rsplit(\")\",1)[1].split()[2]), 0)")},
    {"kills the group of the agent from inside", "python3",
     PY("import os; os.setpgid(0, int(open(\"/proc/\" + os.environ[\"AGENT\"] + "
        "\"/stat\").read().rsplit(\")\", 1)[1].split()[2])); os.kill(0, 0); os.kill(int(os.environ[\"AGENT\"]), 0)")},
    {"kills all", "python3", PY("import os; os.kill(-1, 0); os.kill(int(os.environ[\"AGENT\"]), 0)")},
    {"has the kernel kill the agent", "python3",
     PY("import fcntl,os; fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, int(os.environ[\"AGENT\"]))")},
    {"slows the agent down", "python3",
     PY("import os; os.setpriority(os.PRIO_PROCESS, int(os.environ[\"AGENT\"]), 19)")},
    {"slows everything down", "python3", PY("import os; os.setpriority(os.PRIO_USER, 0, 19)")},
    {"slows everything down at the disk", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.syscall(251,3,0,7); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"gives the agent what is left", "python3",
     PY("import os; os.sched_setscheduler(int(os.environ[\"AGENT\"]), os.SCHED_IDLE, os.sched_param(0))")},
    {"binds the agent to one processor", "python3",
     PY("import os; os.sched_setaffinity(int(os.environ[\"AGENT\"]), os.sched_getaffinity(0))")},
    {"shares memory with other programs", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.shmget(0,4096,0o1600); r<0 or c.shmctl(r,0,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"sends messages to other programs", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.msgget(0,0o1600); r<0 or c.msgctl(r,0,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"kills a thread of the agent", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); a=int(os.environ[\"AGENT\"])\n"
        "for t in os.listdir(f\"/proc/{a}/task\"):\n"
        "  r=c.syscall(234,a,int(t),0)\n"
        "  if r==0: break\n"
        "else: sys.exit(os.strerror(ctypes.get_errno()))\n"
        "pass")},
    {"limits the agent", "python3",
     PY("import resource,os; resource.prlimit(int(os.environ[\"AGENT\"]), resource.RLIMIT_CORE, (0, 0))")},
    {"takes its mark off", "python3", PY("import resource; resource.setrlimit(15, (1, 1))")},
    {"takes its mark off, otherwise", "python3", PY("import resource; resource.prlimit(0, 15, (1, 1))")},
    {"connects", "bash", "bash -c ': >/dev/tcp/127.0.0.1/22' && echo DONE"},
    {"asks a name server", "python3", PY("import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)")},
    {"listens", "python3", PY("import socket; socket.create_server((\"127.0.0.1\", 0))")},
    {"opens a raw socket", "python3", PY("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)")},
    {"talks to a service", "python3", PY("import socket; socket.socket(socket.AF_UNIX)")},
    {"sends datagrams from a pair", "python3",
     PY("import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)")},
    {"uses io_uring", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); b=ctypes.create_string_buffer(256); "
        "r=c.syscall(425,8,b); sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"uses the calls of x32", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.syscall(0x40000000+41,2,1,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"mounts", "sh", "mount -t tmpfs none $TMPDIR && echo DONE"},
    {"mounts in a namespace of its own", "sh",
     "unshare -rm sh -c 'mount --bind / /mnt && cat $OUTSIDE/.ssh/id && echo DONE'"},
    {"enters another namespace", "sh", "nsenter -t 1 -m true && echo DONE"},
    {"changes the root", "sh", "/usr/sbin/chroot / sh -c 'cat $OUTSIDE/.ssh/id && echo DONE'"},
    {"reads the keys of the kernel", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.syscall(250,0,-3,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"loads a program into the kernel", "python3",
     PY("import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); r=c.syscall(321,0,0,0); "
        "sys.exit(os.strerror(ctypes.get_errno())) if r<0 else 0")},
    {"sets the clock", "sh", "date -s '2001-01-01' && echo DONE"},
    {"fills the disk with one file", "python3",
     PY("import os; f=os.open(os.environ[\"TMPDIR\"]+\"/f\", os.O_CREAT|os.O_WRONLY); os.ftruncate(f, 1<<40)")},
};

TEST(Guard, RefusesWhatAHostileHookTries) {
  for (int version = 1; version <= std::min(real_version(), 7); ++version) {
    const os::Calls calls = with_landlock(version);
    for (const Attempt& attempt : kAttempts) {
      if (!has_program(attempt.needs)) continue;
      SCOPED_TRACE(std::string(attempt.note) + " with Landlock " + std::to_string(version));
      const NothingLeft check;
      const Place place;
      const RunOutcome outcome = run_one(place.sh_in(guard_sandbox(), attempt.script), {}, {}, calls);
      EXPECT_FALSE(outcome.out.bytes.contains("DONE")) << outcome.out.bytes;
      EXPECT_FALSE(outcome.out.bytes.contains("SECRET"));
      EXPECT_FALSE(refusals_of(outcome).empty()) << text_of(outcome.ending) << outcome.err.bytes;
      EXPECT_EQ(place.dir.read("home/.bashrc"), "mine\n");
      EXPECT_EQ(place.dir.read("project/file"), "of the project\n");
      EXPECT_FALSE(fs::exists("/tmp/grapnel-test-evil"));
      EXPECT_FALSE(fs::exists("/dev/shm/grapnel-test-evil"));
    }
  }
}

/// What takes more and more is ended: until its deadline, too much would be gone.
const Attempt kFloods[] = {
    // They stop after ten doublings and end after a minute, should nobody do it: a machine with them is of no use.
    {"a fork bomb", "sh", "bomb() { test $1 -lt 10 && { bomb $(($1 + 1)) | bomb $(($1 + 1)) & }; sleep 60; }; bomb 0"},
    {"a fork bomb in sessions of their own", "sh",
     "export n=0 b='n=$((n + 1)); test $n -lt 10 && { setsid sh -c \"$b\" & setsid sh -c \"$b\" & }; sleep 60'; "
     "sh -c \"$b\""},
    {"many files", "python3",
     PY("import os\n"
        "for i in range(9999):\n"
        "  with open(os.environ[\"TMPDIR\"]+f\"/{i}\", \"wb\") as f: os.posix_fallocate(f.fileno(), 0, 64 << 20)\n"
        "pass")},
    {"files without names", "python3",
     PY("import os\n"
        "held = []\n"
        "for i in range(9999):\n"
        "  f = os.open(os.environ[\"TMPDIR\"]+\"/f\", os.O_CREAT|os.O_RDWR)\n"
        "  os.posix_fallocate(f, 0, 64 << 20)\n"
        "  os.unlink(os.environ[\"TMPDIR\"]+\"/f\")\n"
        "  held.append(f)\n"
        "pass")},
    {"a tree that cannot be read", "python3",
     PY("import os\n"
        "os.chdir(os.environ[\"TMPDIR\"])\n"
        "os.mkdir(\"d\")\n"
        "os.chdir(\"d\")\n"
        "os.chmod(\".\", 0o300)\n"
        "for i in range(9999):\n"
        "  with open(str(i), \"wb\") as f: os.posix_fallocate(f.fileno(), 0, 64 << 20)\n"
        "pass")},
    {"directories in directories", "python3",
     PY("import os\n"
        "os.chdir(os.environ[\"TMPDIR\"])\n"
        "while True:\n"
        "  os.mkdir(\"d\")\n"
        "  os.chdir(\"d\")\n"
        "pass")},
};

/// 0 if each of them is stopped, and nothing of it is left.
int try_floods() {
  for (const Attempt& flood : kFloods) {
    if (!has_program(flood.needs)) continue;
    const Place place;
    std::string directory;
    {
      const ChildSpec spec = place.sh_in(guard_sandbox(), flood.script);
      directory = spec.sandbox->temporary->path();
      const RunOutcome outcome = run_one(spec);
      const bool is_stopped = std::holds_alternative<Stopped>(outcome.ending) ||
                              (std::string(flood.note).contains("fork") && outcome.contained.ended_leftovers);
      EXPECT_TRUE(is_stopped) << flood.note << ": " << text_of(outcome.ending) << outcome.err.bytes;
    }
    EXPECT_FALSE(fs::exists(directory)) << flood.note;
    EXPECT_TRUE(becomes_true([] { return find_stray_processes().empty(); })) << flood.note;
  }
  return ::testing::Test::HasFailure() ? 1 : 0;
}

TEST(Guard, StopsFloods) {
  const NothingLeft check;
  EXPECT_EQ(try_floods(), 0);
}

TEST(Guard, StopsFloodsOfAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "runs as one already";
  EXPECT_EQ(in_another_host([] {
              constexpr unsigned kNobody = 65534;
              if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 100;
              return in_another_host(try_floods);
            }),
            0);
}

// The same attempts succeed without a sandbox; otherwise the table above would show nothing.
TEST(Guard, AndOnlyTheGuardRefusesIt) {
  size_t done = 0;
  for (const Attempt& attempt : kAttempts) {
    const std::string note = attempt.note;
    if (!has_program(attempt.needs)) continue;
    // These would harm the machine or this test.
    const bool is_harmful = note.starts_with("kills") || note.starts_with("stops") || note.starts_with("sets the") ||
                            note.starts_with("traces") || note.starts_with("mounts") || note.starts_with("takes") ||
                            note.starts_with("limits") || note.starts_with("slows") || note.starts_with("gives") ||
                            note.starts_with("makes a device");
    if (is_harmful) continue;
    const Place place;
    ChildSpec spec = place.sh_in({}, attempt.script);
    spec.env.set("TMPDIR", place.dir / "home");
    done += run_one(spec).out.bytes.contains("DONE") ? 1 : 0;
    fs::remove("/tmp/grapnel-test-evil");
    fs::remove("/dev/shm/grapnel-test-evil");
  }
  EXPECT_GE(done, 20u);
}

}  // namespace
}  // namespace grapnel::testing
