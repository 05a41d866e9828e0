#include "approve/messages.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace grapnel {

std::optional<Message> receive_message(int connection) {
  std::string bytes(kMaxMessage, '\0');
  iovec room{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
  msghdr head{};
  head.msg_iov = &room;
  head.msg_iovlen = 1;
  head.msg_control = control.data();
  head.msg_controllen = control.size();
  ssize_t count = 0;
  do {
    count = ::recvmsg(connection, &head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN) return std::nullopt;
  const bool is_whole = count > 0 && (head.msg_flags & MSG_TRUNC) == 0;
  if (!is_whole) return Message{};
  bytes.resize(static_cast<size_t>(count));
  Message out{std::move(bytes)};
  for (cmsghdr* part = CMSG_FIRSTHDR(&head); part != nullptr; part = CMSG_NXTHDR(&head, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(part), sizeof sender);
    out.sender = sender.pid;
  }
  return out;
}

bool send_message(int connection, std::string_view text) {
  ssize_t count = 0;
  do {
    count = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(text.size());
}

}  // namespace grapnel
