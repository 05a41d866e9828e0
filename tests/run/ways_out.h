#pragma once

#include <fcntl.h>

#include <cstdint>
#include <fstream>
#include <string>

#include <sys/file.h>
#include <sys/types.h>

#include "base/unique_fd.h"
#include "run/harness.h"

/// What hooks do so that something of them is left.
namespace grapnel::testing {

/// What becomes of it where only the process group is ended.
enum class InGroup : uint8_t {
  Ends,
  MayStay,  ///< it races with the end
  Stays,
};

/// A shell script that makes the file $ready when it has got away. Then it runs until it is ended, or until the
/// directory of $ready is gone, if nobody could catch it.
struct WayOut {
  const char* note;
  const char* script;
  InGroup group = InGroup::Stays;
};

inline constexpr WayOut kWaysOut[] = {
    {"a session of its own", "setsid sh -c ': >$ready; exec sleep 600' & exec sleep 600"},
    {"a double fork in a session of its own",
     "(setsid sh -c '(: >$ready; exec sleep 600) & exit 0' &) ; exec sleep 600"},
    {"a double fork, no files open", "(setsid sh -c '(: >$ready; exec sleep 600 <&- >&- 2>&-) &' &) ; exec sleep 600"},
    // Nothing but its id tells that it is ours.
    {"no files, no environment",
     "setsid env -i r=$ready PATH=$PATH sh -c 'echo $$ >$r.new; mv $r.new $r; exec sleep 600 <&- >&- 2>&-' & exec "
     "sleep 600"},
    {"ignores all signals",
     "setsid sh -c 'trap \"\" TERM HUP INT QUIT; : >$ready; sleep 600; sleep 600' & exec sleep 600"},
    {"stopped", "setsid sh -c ': >$ready; kill -STOP $$; exec sleep 600' & exec sleep 600"},
    {"its parent ends on TERM",
     "trap 'exit 0' TERM; setsid sh -c ': >$ready; exec sleep 600' & while :; do sleep 0.01; done"},
    {"gets away when it is told to end",
     "trap 'setsid sleep 600 & exit 0' TERM; : >$ready; while :; do sleep 0.01; done", InGroup::MayStay},
    {"leapfrogs: each starts the next and ends",
     "exec 9>$ready.lock; flock 9; export hop='test -e ${ready%/*} && : >$ready && setsid sh -c \"$hop\" & exit 0'; "
     "setsid sh -c \"$hop\" & exec sleep 600"},
    {"leapfrogs as fast as it can",
     "setsid python3 -c 'import fcntl, os\nready = os.environ[\"ready\"]\nlock = open(ready + \".lock\", \"w\")\n"
     "fcntl.flock(lock, fcntl.LOCK_EX)\nopen(ready, \"w\")\n"
     "while os.path.exists(os.path.dirname(ready)):\n  if os.fork(): os._exit(0)' & exec sleep 600"},
    {"a double fork in the group", "((: >$ready; exec sleep 600) &) ; exec sleep 600", InGroup::Ends},
    {"no files, no environment, in the group",
     "env -i r=$ready PATH=$PATH sh -c 'echo $$ >$r.new; mv $r.new $r; exec sleep 600 <&- >&- 2>&-' & exec sleep 600",
     InGroup::Ends},
    {"ignores all signals in the group",
     "(trap '' TERM HUP INT QUIT; exec >&- 2>&-; : >$ready; sleep 600; sleep 600) & exec sleep 600", InGroup::Ends},
    {"the hook itself ignores all signals", "trap '' TERM HUP INT QUIT; : >$ready; sleep 600; sleep 600",
     InGroup::Ends},
    {"stopped in the group", "sh -c ': >$ready; kill -STOP $$; exec sleep 600' & exec sleep 600", InGroup::Ends},
    {"stopped, and ignores TERM", "trap '' TERM; : >$ready; kill -STOP $$; exec sleep 600", InGroup::Ends},
    {"leapfrogs in the group, and ignores TERM",
     "python3 -c 'import fcntl, os, signal\nready = os.environ[\"ready\"]\nlock = open(ready + \".lock\", \"w\")\n"
     "fcntl.flock(lock, fcntl.LOCK_EX)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen(ready, \"w\")\n"
     "while os.path.exists(os.path.dirname(ready)):\n  if os.fork(): os._exit(0)' & exec sleep 600",
     InGroup::Ends},
};

/// Whether the process that left its id in the file $ready still runs. One that has ended keeps its name until init has
/// reaped it.
inline bool is_sleeping(const std::string& ready) {
  pid_t pid = 0;
  if (!(std::ifstream(ready) >> pid)) return false;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  file >> id >> name >> state;
  return name == "(sleep)" && state != "Z" && state != "X";
}

/// Whether something of it is left that `find_stray_processes` may not find: it has no environment, or is a chain of
/// processes that end before anybody can look at them. Those share a lock.
inline bool is_left(const std::string& ready) {
  const UniqueFd lock(::open((ready + ".lock").c_str(), O_RDWR | O_CLOEXEC));
  return is_sleeping(ready) || (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0);
}

}  // namespace grapnel::testing
