#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/client/wire.h"

/// Sends and receives the frames of cli/client/wire.h: for the server, and for `grapnel serve --status` and `--stop`,
/// which talk to it. (`grapnel fire` uses its own code in C, cli/client/exchange.c.) All functions block. Thread: any.
namespace grapnel::cli {

/// One request, with its strings taken apart.
struct ServeRequest {
  EngineIdentity engine;
  uint32_t user = 0;  ///< the effective user id as the client sees it
  std::vector<std::string> words;
  std::vector<std::string> env;
  std::string cwd;
  std::string payload;
};

/// Receives a request. False when it did not arrive completely or is not valid.
bool receive_request(int connection, ServeRequest& request);
/// Sends a request. False when the server is gone.
bool send_request(int connection, const ServeRequest& request);

/// A reply with its texts. The defaults decline the request.
struct ServeReply {
  ReplyKind kind = kReplyDeclined;
  int status = 0;
  int lost_status = 0;
  std::string out = {};
  std::string err = {};
  std::string lost_text = {};
};

/// Sends a reply. False when the client is gone.
bool send_reply(int connection, const ServeReply& reply);
/// Receives the answer and skips the signs of life before it. False when the request was declined or no answer came.
bool receive_reply(int connection, ServeReply& reply);

}  // namespace grapnel::cli
