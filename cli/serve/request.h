#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/client/wire.h"

/// The frames of cli/client/wire.h on a server's side and on that of `serve --status`. Blocking; Thread: any.
namespace grapnel::cli {

/// One request as it came in.
struct ServeRequest {
  EngineIdentity engine;
  uint32_t user = 0;  ///< as the client knows itself
  std::vector<std::string> words;
  std::vector<std::string> env;
  std::string cwd;
  std::string payload;
};

/// False: it never came in full, or is nothing that could be one.
bool receive_request(int connection, ServeRequest& request);
bool send_request(int connection, const ServeRequest& request);

/// A reply with its texts.
struct ServeReply {
  ReplyKind kind = kReplyDeclined;
  int status = 0;
  int lost_status = 0;
  std::string out = {};
  std::string err = {};
  std::string lost_text = {};
};

bool send_reply(int connection, const ServeReply& reply);
bool receive_reply(int connection, ServeReply& reply);

}  // namespace grapnel::cli
