#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

/// Messages between a waiting process and one that answers:
///
///   waiting    {"nonce": …}   or {"refused": why}
///   answering  {"nonce", "digest", "answer", "pattern", "reason", "by"}
///   waiting    {"taken": true} or {"refused": why} or {"bad": why}
namespace grapnel {

inline constexpr size_t kMaxMessage = size_t{32} << 10;

struct Message {
  std::string text;  ///< "" when the other end is gone
  pid_t sender = 0;  ///< according to the kernel; 0 if it was not asked to tell
};

/// The message that is there; nothing if there is none yet.
std::optional<Message> receive_message(int connection);

/// False when the other end is gone.
bool send_message(int connection, std::string_view text);

}  // namespace grapnel
