#include "jail.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace grapnel::differential {

namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr unsigned kMilliseconds = 500;

void must(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "differential: " << what << ": " << std::strerror(errno) << "\n";
  std::_Exit(2);
}

void write_file(const fs::path& file, std::string_view text) {
  std::ofstream(file) << text;
  must(::chown(file.c_str(), kNobody, kNobody) == 0, "cannot give a file to nobody");
}

void limit(int what, rlim_t most) {
  const rlimit both{.rlim_cur = most, .rlim_max = most};
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

/// In the jail: becomes the script.
[[noreturn]] void become_script(const std::string& script) {
  limit(RLIMIT_CPU, 2);
  limit(RLIMIT_FSIZE, 1 << 20);
  limit(RLIMIT_NPROC, 200);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int at : {0, 1, 2}) ::dup2(nothing, at);
  if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) std::_Exit(2);
  if (::chdir(Jail::kProject) != 0) std::_Exit(2);
  std::string text = script;
  std::array<char*, 5> words{const_cast<char*>("bash"), const_cast<char*>("-c"), text.data(), nullptr};
  std::array<char*, 5> variables{const_cast<char*>("PATH=/bin"), const_cast<char*>("HOME=/home/me"),
                                 const_cast<char*>("LANG=C.UTF-8"), const_cast<char*>("TMPDIR=/tmp"), nullptr};
  ::execve("/bin/bash", words.data(), variables.data());
  std::_Exit(2);
}

/// The first process of the jail: waits for the script and for what it left in the background. When this process ends,
/// the kernel kills the rest.
[[noreturn]] void watch_script(const std::string& script) {
  ::mount("proc", "/proc", "proc", 0, nullptr);
  const pid_t child = ::fork();
  if (child == 0) become_script(script);
  ::ualarm(kMilliseconds * 1000, 0);  // the default action of SIGALRM does not end a first process, so:
  ::signal(SIGALRM, [](int) { std::_Exit(0); });
  while (::wait(nullptr) > 0 || errno == EINTR) {
  }
  std::_Exit(0);
}

}  // namespace

Jail::Jail(const std::string& root) {
  must(::geteuid() == 0, "needs root");
  must(::unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC) == 0, "cannot leave the network");
  must(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "cannot keep mounts to itself");
  must(::chroot(root.c_str()) == 0 && ::chdir("/") == 0, "cannot enter the jail");
  must(::mount("proc", "/proc", "proc", 0, nullptr) == 0, "cannot see processes");
  news_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  must(news_ >= 0, "inotify");
}

Jail::~Jail() {
  ::close(news_);
}

void Jail::reset() {
  const fs::path project = kProject;
  for (const char* name : {"/home/me", "/tmp", "/etc"}) {
    fs::remove_all(name);
    fs::create_directories(name);
    must(::chown(name, kNobody, kNobody) == 0, "cannot give a directory to nobody");
  }
  fs::create_directories(project / "sub");
  for (const fs::path& made : {project, project / "sub"})
    must(::chown(made.c_str(), kNobody, kNobody) == 0, "cannot give a directory to nobody");
  write_file(project / ".env", "TOKEN=canary\n");
  write_file(project / "notes.txt", "some notes\n");
  write_file("/etc/hosts", "127.0.0.1 localhost\n");
  write_file("/deeds", "");
}

void Jail::watch() {
  secrets_ =
      ::inotify_add_watch(news_, (std::string(kProject) + "/.env").c_str(), IN_ACCESS | IN_MODIFY | IN_MOVE_SELF);
  etc_ = ::inotify_add_watch(news_, "/etc", IN_CREATE | IN_MODIFY | IN_MOVED_TO);
}

void Jail::take_news(std::set<std::string>& deeds) const {
  alignas(inotify_event) std::array<char, 4096> bytes{};
  for (ssize_t size = 0; (size = ::read(news_, bytes.data(), bytes.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      if (event->wd == secrets_ && (event->mask & (IN_ACCESS | IN_MODIFY | IN_MOVE_SELF)) != 0) deeds.insert("secrets");
      if (event->wd == etc_ && (event->mask & (IN_CREATE | IN_MODIFY | IN_MOVED_TO)) != 0) deeds.insert("etc");
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
}

std::set<std::string> Jail::run(const std::string& script) {
  reset();
  std::set<std::string> deeds;
  take_news(deeds);  // of the reset
  deeds.clear();
  watch();
  const pid_t outer = ::fork();
  must(outer >= 0, "fork");
  if (outer == 0) {
    if (::unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) std::_Exit(2);
    const pid_t first = ::fork();
    if (first == 0) watch_script(script);
    ::waitpid(first, nullptr, 0);
    std::_Exit(0);
  }
  ::waitpid(outer, nullptr, 0);
  take_news(deeds);
  std::ifstream noted("/deeds");
  for (std::string deed; std::getline(noted, deed);) deeds.insert(deed);
  ::inotify_rm_watch(news_, secrets_);
  ::inotify_rm_watch(news_, etc_);
  return deeds;
}

}  // namespace grapnel::differential
