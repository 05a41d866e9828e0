#include "cli/serve/socket.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::cli {

namespace {

/// How many clients may wait to be accepted. Further ones cannot connect and do the work themselves.
constexpr int kBacklog = 128;

/// The address for a path. Fails: BadInput, because such an address holds only about 100 bytes.
Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return fail(Errc::BadInput, path + " is too long for a socket");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* as_address(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// Makes the directory for the socket. Whoever can connect to the socket can start commands, so a directory that others
/// can enter is refused.
Result<void> make_private_dir(const std::string& path) {
  if (auto made = os::make_dirs(path, 0700); !made) return made;
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0) return fail_errno("cannot check " + path);
  const bool is_private = S_ISDIR(st.st_mode) && st.st_uid == ::geteuid() && (st.st_mode & 0077) == 0;
  if (is_private) return {};
  return fail(Errc::Refused, path + " must be your own directory, and nobody else may have access to it");
}

Result<UniqueFd> listen_at(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return std::unexpected(address.error());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno("cannot make a socket");
  // We hold the lock, so a socket that is still there belongs to a server that was killed.
  ::unlink(path.c_str());
  // bind() creates the file with the permissions of the umask; a later chmod would leave a gap.
  const mode_t before = ::umask(0177);
  const int bound = ::bind(socket.get(), as_address(*address), sizeof *address);
  ::umask(before);
  if (bound != 0 || ::listen(socket.get(), kBacklog) != 0) return fail_errno("cannot listen at " + path);
  return socket;
}

/// The process at the other end, according to the kernel.
std::optional<ucred> peer_of(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

uint64_t inode_of(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 ? st.st_ino : 0;
}

/// The network namespace of a process. For a client it is read from our own end of the connection: the kernel creates
/// that end in the namespace of the process that connects. Old kernels cannot report this; there /proc has to do.
uint64_t network_of(const std::string& process, int socket) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  if (::getsockopt(socket, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) == 0) return cookie;
  return inode_of(process + "/ns/net");
}

}  // namespace

std::string server_socket_path(const Environment& env) {
  return env.runtime_dir() + SERVE_SOCKET;
}

ListeningSocket::ListeningSocket(std::string path, UniqueFd lock, UniqueFd socket)
    : path_(std::move(path)), lock_(std::move(lock)), socket_(std::move(socket)), stamp_(os::stamp(path_)) {}

ListeningSocket::~ListeningSocket() {
  if (lock_) close_door();
}

Result<ListeningSocket> ListeningSocket::open(const Environment& env) {
  const std::string path = server_socket_path(env);
  if (auto made = make_private_dir(env.runtime_dir()); !made) return std::unexpected(made.error());
  auto lock = os::lock_file(env.runtime_dir() + "/serve.lock", std::chrono::milliseconds(0));
  // The lock is released when a process ends, however it ends, so a lock that is held means a living server.
  if (!lock && lock.error().sys == EWOULDBLOCK) return fail(Errc::Refused, "a server is already running");
  if (!lock) return std::unexpected(lock.error());
  auto socket = listen_at(path);
  if (!socket) return std::unexpected(socket.error());
  return ListeningSocket(path, std::move(*lock), std::move(*socket));
}

bool ListeningSocket::is_in_place() const {
  const auto now = os::stamp(path_);
  return now && stamp_ && now->ino == stamp_->ino && now->dev == stamp_->dev;
}

// Only our own file is removed: another server may have put its socket there. The lock goes last, so that the next
// server finds the path free.
void ListeningSocket::close_door() {
  if (is_in_place()) ::unlink(path_.c_str());
  ::shutdown(socket_.get(), SHUT_RDWR);
  lock_.reset();
}

Result<UniqueFd> connect_to_server(const Environment& env) {
  const auto address = address_of(server_socket_path(env));
  if (!address) return std::unexpected(address.error());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno("cannot make a socket");
  if (::connect(socket.get(), as_address(*address), sizeof *address) != 0) {
    return fail(Errc::NotFound, "no server is running");
  }
  // Somebody else may have created a socket at that path; its answers must not be believed.
  const auto peer = peer_of(socket.get());
  if (!peer || peer->uid != ::geteuid()) return fail(Errc::Refused, "the server belongs to another user");
  return socket;
}

Namespaces namespaces_of(const std::string& process, int socket) {
  Namespaces out{.network = network_of(process, socket)};
  struct statx root;
  if (::statx(AT_FDCWD, (process + "/root").c_str(), 0, STATX_INO | STATX_MNT_ID, &root) != 0) return out;
  out.root_inode = root.stx_ino;
  out.root_mount = (root.stx_mask & STATX_MNT_ID) != 0 ? root.stx_mnt_id : inode_of(process + "/ns/mnt");
  return out;
}

bool is_peer_in(const Namespaces& ours, int connection) {
  const auto peer = peer_of(connection);
  if (!peer || peer->uid != ::geteuid() || peer->pid <= 0) return false;
  return ours.are_known() && namespaces_of("/proc/" + std::to_string(peer->pid), connection) == ours;
}

pid_t peer_process(int connection) {
  const auto peer = peer_of(connection);
  return peer ? peer->pid : 0;
}

EngineIdentity identity_of(const std::string& program) {
  struct stat st;
  if (::stat(program.c_str(), &st) != 0) return {};
  return {st.st_dev, st.st_ino, static_cast<uint64_t>(st.st_size), st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
}

}  // namespace grapnel::cli
