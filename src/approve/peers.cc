#include "approve/peers.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/text.h"
#include "os/files.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77  // Linux 6.5
#endif

namespace grapnel {

namespace {

/// The programs that may take part. Only they speak for people: the page, the command, and for people of a fleet the
/// program that carries their answers.
constexpr auto kPrograms = std::to_array<std::string_view>({"grapnel-engine", "grapnel-ui", "grapnel-fleet"});

std::string proc(pid_t pid, std::string_view name) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(name);
}

/// Kernels before 6.5 cannot give a handle of the process that connected; the number has to do, and is checked again.
UniqueFd handle_of(int connection, pid_t pid) {
  int handle = -1;
  socklen_t size = sizeof handle;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &handle, &size) == 0) return UniqueFd(handle);
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

bool is_same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Whoever may write the file decides what the program does.
bool is_ours_alone(const struct stat& program) {
  return (program.st_uid == 0 || program.st_uid == ::geteuid()) && (program.st_mode & S_IWOTH) == 0;
}

/// A process that is traced says what its tracer wants.
bool is_traced(pid_t pid) {
  constexpr std::string_view kKey = "TracerPid:";
  constexpr size_t kMaxStatus = size_t{64} << 10;
  const auto status = os::read_file(proc(pid, "status"), kMaxStatus);
  if (!status) return true;
  for (const std::string_view line : text::split(*status, '\n')) {
    if (line.starts_with(kKey)) return text::trim(line.substr(kKey.size())) != "0";
  }
  return false;
}

std::string own_directory() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view text(path.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  return std::string(text.substr(0, text.rfind('/') + 1));
}

}  // namespace

std::optional<Peer> peer_of(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  if (peer.uid != ::geteuid() || peer.pid <= 0) return std::nullopt;
  UniqueFd handle = handle_of(connection, peer.pid);
  if (!handle) return std::nullopt;
  return Peer{peer.pid, std::move(handle)};
}

bool is_alive(const Peer& peer) {
  pollfd handle{.fd = peer.handle.get(), .events = POLLIN, .revents = 0};
  return ::poll(&handle, 1, 0) == 0;
}

bool is_own_process(pid_t pid) {
  struct stat theirs;
  struct stat ours;
  if (::stat(proc(pid, "exe").c_str(), &theirs) != 0 || !is_ours_alone(theirs) || is_traced(pid)) return false;
  if (::stat("/proc/self/exe", &ours) == 0 && is_same_file(theirs, ours)) return true;
  const std::string directory = own_directory();
  return std::ranges::any_of(kPrograms, [&](std::string_view name) {
    return ::stat((directory + std::string(name)).c_str(), &ours) == 0 && is_same_file(theirs, ours);
  });
}

}  // namespace grapnel
