#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <sys/socket.h>

#include "base/error.h"
#include "base/unique_fd.h"
#include "cli/serve/request.h"

extern "C" {
#include "cli/client/exchange.h"
}

// Input: bytes from the socket of a server. The first byte chooses who reads them: the server, `serve --status`, or the
// client. None of them may crash or hang, and a request or reply that could be read is the same after it was sent
// again.

namespace {

using namespace grapnel;
using namespace grapnel::cli;

struct Line {
  UniqueFd near, far;
};

Line make_line() {
  int ends[2];
  GRAPNEL_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

/// A connection whose other end sent these bytes and closed.
Line line_with(std::string_view said) {
  Line line = make_line();
  GRAPNEL_CHECK(::send(line.far.get(), said.data(), said.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(said.size()));
  ::shutdown(line.far.get(), SHUT_WR);
  return line;
}

void read_as_server(std::string_view said) {
  ServeRequest request;
  if (!receive_request(line_with(said).near.get(), request)) return;
  const Line line = make_line();
  ServeRequest again;
  GRAPNEL_CHECK(send_request(line.far.get(), request) && receive_request(line.near.get(), again));
  GRAPNEL_CHECK(again.words == request.words && again.env == request.env && again.cwd == request.cwd);
  GRAPNEL_CHECK(again.payload == request.payload && again.user == request.user);
}

void read_as_asker(std::string_view said) {
  ServeReply reply;
  if (!receive_reply(line_with(said).near.get(), reply)) return;
  const Line line = make_line();
  ServeReply again;
  GRAPNEL_CHECK(send_reply(line.far.get(), reply) && receive_reply(line.near.get(), again));
  GRAPNEL_CHECK(again.out == reply.out && again.err == reply.err && again.lost_text == reply.lost_text);
  GRAPNEL_CHECK(again.status == reply.status && again.lost_status == reply.lost_status);
}

void read_as_client(std::string_view said) {
  char words[] = "fire";
  char payload[] = "{}";
  char* none[] = {nullptr};
  char* some[] = {words, nullptr};
  const Process process{.words = some, .env = none, .name = ""};
  const EngineIdentity engine{};
  const Input input{.bytes = payload, .room = 2, .size = 2, .object = 2, .first = {}};
  Reply answer{};
  const Line line = line_with(said);
  const bool is_answered = ask_server(line.near.get(), &process, &engine, &input, &answer);
  const size_t size = size_t{answer.head.out} + answer.head.err + answer.head.lost;
  if (is_answered) GRAPNEL_CHECK(size <= said.size());
  if (answer.texts != nullptr && answer.texts != answer.room) std::free(answer.texts);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMost = 16384;  // a socket takes this many bytes in one send
  if (size == 0) return -1;
  const std::string_view said(reinterpret_cast<const char*>(data) + 1, std::min(size - 1, kMost));
  switch (data[0] % 3U) {
    case 0:
      read_as_server(said);
      break;
    case 1:
      read_as_asker(said);
      break;
    default:
      read_as_client(said);
      break;
  }
  return 0;
}
