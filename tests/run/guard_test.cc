#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
    {"changes the root", "sh", "chroot / sh -c 'cat $OUTSIDE/.ssh/id && echo DONE'"},
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
      const bool is_told = !outcome.err.bytes.empty() || std::holds_alternative<Signaled>(outcome.ending);
      EXPECT_TRUE(is_told) << text_of(outcome.ending);
      EXPECT_EQ(place.dir.read("home/.bashrc"), "mine\n");
      EXPECT_EQ(place.dir.read("project/file"), "of the project\n");
      EXPECT_FALSE(fs::exists("/tmp/grapnel-test-evil"));
      EXPECT_FALSE(fs::exists("/dev/shm/grapnel-test-evil"));
    }
  }
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
                            note.starts_with("limits") || note.starts_with("makes a device");
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
