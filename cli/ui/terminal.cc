#include "cli/ui/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/ui/gate.h"
#include "os/resolve.h"
#include "os/spawn.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

constexpr int kLookAgainMs = 1000;

/// Whether standard input is something whose end means that nobody is there any more. A file or /dev/null is not.
bool can_hang_up() {
  struct stat input{};
  if (::fstat(STDIN_FILENO, &input) != 0) return false;
  return S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode) || ::isatty(STDIN_FILENO) == 1;
}

/// A job in the background is stopped if it reads from its terminal.
bool may_read_input() {
  return ::isatty(STDIN_FILENO) != 1 || ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

/// The program that opens addresses here; nothing if there is no screen.
std::optional<std::string> browser_of(const Environment& env) {
  const bool has_screen = !env.get("DISPLAY").empty() || !env.get("WAYLAND_DISPLAY").empty();
  if (!has_screen) return std::nullopt;
  const std::string wanted(env.get("BROWSER"));
  for (const std::string_view name : text::split(wanted, ':')) {
    if (name.empty()) continue;
    if (auto path = os::find_executable(name, env.get("PATH"), ".")) return path;
  }
  return os::find_executable("xdg-open", env.get("PATH"), ".");
}

}  // namespace

Terminal::Terminal() : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
  if (fd_ && ::isatty(fd_.get()) != 1) fd_.reset();
}

void Terminal::show(const std::string& line) const {
  const std::string text = line + "\n";
  if (fd_) static_cast<void>(::write(fd_.get(), text.data(), text.size()));
}

EndWatch::EndWatch() : parent_(::getppid()), reads_input_(can_hang_up()) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  // A shell that is killed sends nothing.
  ::prctl(PR_SET_PDEATHSIG, SIGHUP);
}

Wakeup EndWatch::wait() const {
  const bool listens = reads_input_ && may_read_input();
  std::array<pollfd, 2> ready{{{signals_.get(), POLLIN, 0}, {listens ? STDIN_FILENO : -1, POLLIN, 0}}};
  ::poll(ready.data(), ready.size(), kLookAgainMs);
  if (ready[0].revents != 0 || ::getppid() != parent_) return Wakeup::End;
  if (ready[1].revents == 0) return Wakeup::Time;
  std::array<char, 256> line{};
  return ::read(STDIN_FILENO, line.data(), line.size()) > 0 ? Wakeup::Enter : Wakeup::End;
}

BrowserWindow::BrowserWindow(const Environment& env, const std::string& address) {
  const auto browser = browser_of(env);
  if (!browser) return;
  file_ = env.state_dir() + "/ui-" + random_hex(16) + ".html";
  const std::string page = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=" +
                           text::escape_markup(address) + "\"><title>Grapnel</title>\n";
  if (!write_private_file(file_, page, os::Durability::Lazy)) return;
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const std::vector<std::string> argv = {*browser, "file://" + file_};
  is_open_ = os::spawn({.path = browser->c_str(),
                        .argv = argv,
                        .env = env,
                        .stdin_fd = nothing.get(),
                        .stdout_fd = nothing.get(),
                        .stderr_fd = nothing.get()},
                       os::real_calls())
                 .has_value();
}

BrowserWindow::~BrowserWindow() {
  if (!file_.empty()) ::unlink(file_.c_str());
}

}  // namespace grapnel::cli
