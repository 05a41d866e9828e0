#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "cli/client/wire.h"
#include "serve/world.h"

/// Who may ask a server, and whose answers are believed.
namespace grapnel::testing {

namespace {

constexpr uid_t kNobody = 65534;
constexpr int kCannotBe = 77;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

/// Asks for a server's status by hand. Returns the kind of its reply, or 0.
int kind_of_reply(const std::string& path) {
  const UniqueFd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_of(path);
  if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 0;
  const RequestHead head{.magic = SERVE_MAGIC,
                         .words = 7,
                         .env = 0,
                         .cwd = 2,
                         .user = ::geteuid(),
                         .unused = 0,
                         .payload = 0,
                         .engine = {}};
  std::string request(reinterpret_cast<const char*>(&head), sizeof head);
  request.append("status\0/\0", 9);
  ::send(server.get(), request.data(), request.size(), MSG_NOSIGNAL);
  ReplyHead reply{};
  const ssize_t count = ::recv(server.get(), &reply, sizeof reply, MSG_WAITALL);
  return count == sizeof reply ? static_cast<int>(reply.kind) : 0;
}

struct Peer {
  const char* note;
  std::function<bool(const World&)> become;
  int want;
  std::string root = "";  ///< what of the path is no longer there
};

/// In a process of its own, since there is no way back.
int ask_as(const World& world, const Peer& peer) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(peer.become(world) ? kind_of_reply(world.socket().substr(peer.root.size())) : kCannotBe);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Peers, OnlyTheSameUserInTheSameSurroundings) {
  World world;
  const RunningServer server(world);
  // Even where somebody opened the doors.
  for (const char* door : {"", "run", "run/grapnel"}) ::chmod((world.dir() / door).c_str(), 0755);
  ::chmod(world.socket().c_str(), 0666);
  const std::string root = world.dir().path();
  const Peer peers[] = {
      {"as the server is", [](const World&) { return true; }, kReplyAnswer},
      {"another user", [](const World&) { return ::setuid(kNobody) == 0; }, kReplyDeclined},
      {"other mounts", [](const World&) { return ::unshare(CLONE_NEWNS) == 0; }, kReplyDeclined},
      {"another network", [](const World&) { return ::unshare(CLONE_NEWNET) == 0; }, kReplyDeclined},
      {"other users", [](const World&) { return ::unshare(CLONE_NEWUSER) == 0; }, kReplyDeclined},
      {"another root", [&](const World&) { return ::chroot(root.c_str()) == 0; }, kReplyDeclined, root},
  };
  for (const Peer& peer : peers) {
    SCOPED_TRACE(peer.note);
    const int kind = ask_as(world, peer);
    if (kind != kCannotBe) {
      EXPECT_EQ(kind, peer.want);
    }
  }
}

/// A server of another user that says yes to everything. Writes a byte to `ready` when it listens.
void be_server_of_nobody(const std::string& path, int ready) {
  const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_of(path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
  if (::setuid(kNobody) != 0 || ::listen(socket.get(), 8) != 0 || ::write(ready, "x", 1) != 1) return;
  for (;;) {
    const UniqueFd client(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const ReplyHead yes{.magic = SERVE_MAGIC, .kind = kReplyAnswer};
    ::send(client.get(), &yes, sizeof yes, MSG_NOSIGNAL);
    char request[4096];
    while (::recv(client.get(), request, sizeof request, 0) > 0) {
    }
  }
}

TEST(Peers, AServerOfAnotherUserIsNotBelieved) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  World world;
  world.configure_hook("echo no >&2; exit 2");
  std::filesystem::create_directories(std::filesystem::path(world.socket()).parent_path());
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const UniqueFd reading(ready[0]);
  UniqueFd writing(ready[1]);
  const pid_t server = ::fork();
  if (server == 0) {
    be_server_of_nobody(world.socket(), writing.get());
    ::_exit(1);
  }
  writing.reset();
  char byte = 0;
  EXPECT_EQ(::read(reading.get(), &byte, 1), 1);
  EXPECT_TRUE(world.fire().denies());
  EXPECT_EQ(world.run({"serve", "--status"}), (Ended{1, "", "grapnel: the server belongs to another user\n"}));
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
}

}  // namespace

}  // namespace grapnel::testing
