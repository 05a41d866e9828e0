#include "approve/listener.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "approve/ask_place.h"
#include "os/ancestors.h"
#include "os/files.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

void watch(int poll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.fd = fd;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

/// Listeners of a fleet have names that begin so.
constexpr std::string_view kFleetName = "fleet-";

/// Whether the process that a listener's socket is named after has ended. One that is just starting has its file, but
/// does not listen yet.
bool is_of_dead(std::string_view name) {
  pid_t process = 0;
  if (name.starts_with(kFleetName)) name.remove_prefix(kFleetName.size());
  std::from_chars(name.data(), name.data() + name.size(), process);
  return process <= 0 || os::process_start(process) == 0;
}

/// Reads what is there. False when the other end is gone.
bool drain(int fd) {
  std::array<char, 256> bytes;
  for (;;) {
    const ssize_t count = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
  }
}

}  // namespace

AskListener::AskListener(std::string path, UniqueFd socket, UniqueFd poll)
    : path_(std::move(path)), socket_(std::move(socket)), poll_(std::move(poll)) {}

AskListener::AskListener(AskListener&& other) noexcept
    : path_(std::move(other.path_)),
      socket_(std::move(other.socket_)),
      poll_(std::move(other.poll_)),
      waiting_(std::move(other.waiting_)) {
  other.path_.clear();
  other.waiting_.clear();
}

AskListener::~AskListener() {
  for (const int fd : waiting_) ::close(fd);
  if (path_.empty()) return;
  ::unlink(path_.c_str());
  ::rmdir(path_.substr(0, path_.rfind('/')).c_str());  // if it was the last one
}

namespace {

/// Makes the directory and the socket in it. A process that finds no listener removes the directory, and it may do so
/// in between: then this is tried again.
Result<UniqueFd> listen_in_directory(const std::string& path) {
  constexpr int kTries = 20;
  for (int i = 1;; ++i) {
    if (auto made = os::make_parent_dirs(path, 0700); !made) return std::unexpected(made.error());
    if (auto safe = check_private_directory(path); !safe) return std::unexpected(safe.error());
    ::unlink(path.c_str());  // of a process that had the same number and was killed
    auto socket = listen_at(path);
    if (socket || i == kTries || socket.error().sys != ENOENT) return socket;
  }
}

}  // namespace

Result<AskListener> AskListener::open(const Environment& env, Reach reach) {
  static std::atomic<uint32_t> count = 0;
  const std::string path = listeners_dir(env) + "/" + std::string(reach == Reach::Fleet ? kFleetName : "") +
                           std::to_string(::getpid()) + "-" + std::to_string(++count);
  auto socket = listen_in_directory(path);
  if (!socket) return std::unexpected(socket.error());
  UniqueFd poll(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll) return fail_errno("cannot wait for questions");
  watch(poll.get(), socket->get());
  return AskListener(path, std::move(*socket), std::move(poll));
}

void AskListener::settle() {
  std::array<epoll_event, 16> ready{};
  int count = 0;
  while ((count = ::epoll_wait(poll_.get(), ready.data(), ready.size(), 0)) > 0) {
    for (int i = 0; i < count; ++i) {
      const int fd = ready[static_cast<size_t>(i)].data.fd;
      if (fd == socket_.get()) {
        const int connection = ::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (connection < 0) return;
        waiting_.insert(connection);
        watch(poll_.get(), connection);
      } else if (!drain(fd)) {
        waiting_.erase(fd);
        ::close(fd);
      }
    }
  }
}

bool may_have_listeners(const Environment& env) {
  return ::access(listeners_dir(env).c_str(), F_OK) == 0;
}

std::vector<UniqueFd> connect_to_listeners(const Environment& env, const PeerObjection& objection, Reach reach) {
  std::vector<UniqueFd> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(listeners_dir(env), error)) {
    if (reach == Reach::Here && entry.path().filename().string().starts_with(kFleetName)) continue;
    auto connection = connect_to(entry.path().string());
    if (!connection) {
      if (connection.error().code == Errc::NotFound && is_of_dead(entry.path().filename().string())) {
        ::unlink(entry.path().c_str());
      }
      continue;
    }
    const auto peer = peer_of(connection->get());
    const bool speaks_for_person =
        peer && is_own_process(peer->pid) && (!objection || objection(peer->pid).empty()) && is_alive(*peer);
    if (speaks_for_person) out.push_back(std::move(*connection));
  }
  if (out.empty()) ::rmdir(listeners_dir(env).c_str());  // fails as long as there is one
  return out;
}

}  // namespace grapnel
