#include "cli/serve/request.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include <sys/socket.h>
#include <sys/uio.h>

namespace grapnel::cli {

namespace {

/// False when the other end closes the connection, or says nothing for too long, before all bytes are here.
bool receive_all(int connection, std::span<char> into) {
  while (!into.empty()) {
    const ssize_t count = ::recv(connection, into.data(), into.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into = into.subspan(static_cast<size_t>(count));
  }
  return true;
}

/// Reads frames from a connection. A small request usually arrives in one piece, so the reader receives into a buffer
/// first and needs one system call for the head and all the strings; large texts bypass the buffer.
class FrameReader {
 public:
  explicit FrameReader(int connection) : connection_(connection) {}

  template <typename Head>
  bool read(Head& head) {
    return read_bytes({reinterpret_cast<char*>(&head), sizeof head});
  }

  /// Reads a text of an announced size. Memory grows in steps while bytes arrive: a client that announces a huge size
  /// has to send as much before it costs us anything.
  bool read(std::string& text, size_t size) {
    while (text.size() < size) {
      const size_t before = text.size();
      text.resize(before + std::min(size - before, kStep));
      if (!read_bytes(std::span(text).subspan(before))) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kStep = size_t{1} << 20;

  bool read_bytes(std::span<char> into) {
    if (at_ == size_ && into.size() < bytes_.size()) {
      // An error or a closed connection leaves the buffer empty; `receive_all` below runs into it again and reports it.
      const ssize_t count = ::recv(connection_, bytes_.data(), bytes_.size(), 0);
      at_ = 0;
      size_ = static_cast<size_t>(std::max<ssize_t>(count, 0));
    }
    const size_t here = std::min(into.size(), size_ - at_);
    std::ranges::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(at_), static_cast<ptrdiff_t>(here), into.begin());
    at_ += here;
    return receive_all(connection_, into.subspan(here));
  }

  int connection_;
  std::array<char, 8192> bytes_;
  size_t at_ = 0;
  size_t size_ = 0;
};

/// Sends all texts with as few system calls as possible. False when the other end is gone; MSG_NOSIGNAL keeps SIGPIPE
/// away.
bool send_all(int connection, std::span<const std::string_view> texts) {
  std::array<iovec, 5> rest{};
  size_t count = 0;
  for (const std::string_view text : texts) rest[count++] = {const_cast<char*>(text.data()), text.size()};
  std::span<iovec> left(rest.data(), count);
  while (!left.empty()) {
    msghdr message{};
    message.msg_iov = left.data();
    message.msg_iovlen = left.size();
    const ssize_t sent = ::sendmsg(connection, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    auto done = static_cast<size_t>(sent);
    // After a partial send, skip the texts that were sent completely and shorten the one that was cut.
    for (; !left.empty() && done >= left.front().iov_len; left = left.subspan(1)) done -= left.front().iov_len;
    if (left.empty()) break;
    left.front().iov_base = static_cast<char*>(left.front().iov_base) + done;
    left.front().iov_len -= done;
  }
  return true;
}

template <typename Head>
std::string_view bytes_of(const Head& head) {
  return {reinterpret_cast<const char*>(&head), sizeof head};
}

/// The strings of a block in which a NUL ends each of them.
std::vector<std::string> split_strings(std::string_view bytes) {
  std::vector<std::string> out;
  out.reserve(static_cast<size_t>(std::ranges::count(bytes, '\0')));
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    out.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return out;
}

/// The opposite of `split_strings`.
std::string join_strings(const std::vector<std::string>& strings) {
  std::string out;
  for (const std::string& text : strings) (out += text) += '\0';
  return out;
}

/// Whether a head may be believed: it is of this version, and it announces no more than the limits allow.
bool is_sound(const RequestHead& head) {
  return head.magic == SERVE_MAGIC && uint64_t{head.words} + head.env + head.cwd <= SERVE_MAX_HEAD &&
         head.payload <= SERVE_MAX_PAYLOAD;
}

}  // namespace

bool receive_request(int connection, ServeRequest& request) {
  FrameReader reader(connection);
  RequestHead head;
  if (!reader.read(head) || !is_sound(head)) return false;
  std::string texts;
  if (!reader.read(texts, size_t{head.words} + head.env + head.cwd)) return false;
  if (!reader.read(request.payload, head.payload)) return false;
  const std::string_view all = texts;
  request.engine = head.engine;
  request.user = head.user;
  request.words = split_strings(all.substr(0, head.words));
  request.env = split_strings(all.substr(head.words, head.env));
  // Exactly one string is expected here; anything else is not a path.
  const auto where = split_strings(all.substr(head.words + head.env));
  request.cwd = where.size() == 1 ? where.front() : "";
  // A verb and an absolute directory are the least that a request needs.
  return !request.words.empty() && request.cwd.starts_with('/');
}

bool send_request(int connection, const ServeRequest& request) {
  const std::string words = join_strings(request.words);
  const std::string env = join_strings(request.env);
  const std::string cwd = request.cwd + '\0';
  RequestHead head{.magic = SERVE_MAGIC,
                   .words = static_cast<uint32_t>(words.size()),
                   .env = static_cast<uint32_t>(env.size()),
                   .cwd = static_cast<uint32_t>(cwd.size()),
                   .user = request.user,
                   .unused = 0,
                   .payload = request.payload.size(),
                   .engine = request.engine};
  return send_all(connection, std::to_array<std::string_view>({bytes_of(head), words, env, cwd, request.payload}));
}

bool send_reply(int connection, const ServeReply& reply) {
  const ReplyHead head{.magic = SERVE_MAGIC,
                       .kind = reply.kind,
                       .status = reply.status,
                       .lost_status = reply.lost_status,
                       .out = static_cast<uint32_t>(reply.out.size()),
                       .err = static_cast<uint32_t>(reply.err.size()),
                       .lost = static_cast<uint32_t>(reply.lost_text.size()),
                       .unused = 0};
  return send_all(connection, std::to_array<std::string_view>({bytes_of(head), reply.out, reply.err, reply.lost_text}));
}

// Signs of life may come first, any number of them; they carry no texts.
bool receive_reply(int connection, ServeReply& reply) {
  FrameReader reader(connection);
  ReplyHead head;
  do {
    if (!reader.read(head) || head.magic != SERVE_MAGIC) return false;
  } while (head.kind == kReplyAlive);
  if (head.kind != kReplyAnswer) return false;
  reply = {.kind = kReplyAnswer, .status = head.status, .lost_status = head.lost_status};
  for (const auto& [text, size] :
       {std::pair{&reply.out, head.out}, {&reply.err, head.err}, {&reply.lost_text, head.lost}}) {
    if (!reader.read(*text, size)) return false;
  }
  return true;
}

}  // namespace grapnel::cli
