#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/error.h"

#include "approve/waiting_asks.h"
#include "base/environment.h"
#include "base/unique_fd.h"

/// Where waiting processes and those who answer meet: `asks` in the runtime directory, for its owner alone.
///
///   asks/ID.json         a question
///   asks/ID.sock         its socket
///   asks/listeners/*     one socket for each listener
namespace grapnel {

inline constexpr size_t kMaxQuestion = size_t{1} << 20;  ///< bytes of a question's file
inline constexpr size_t kMaxWaiting = 64;                ///< questions of one user at a time

std::string asks_dir(const Environment& env);
std::string listeners_dir(const Environment& env);
std::string question_path(const Environment& env, const std::string& id);
std::string socket_path(const Environment& env, const std::string& id);

/// Ids become names of files: letters, digits and `-` only.
bool is_ask_id(std::string_view id);

/// A question as its file has it, with the process that waits.
struct StoredAsk {
  WaitingAsk ask;
  pid_t pid = 0;
  uint64_t started = 0;       ///< of the process
  bool is_for_fleet = false;  ///< people of the fleet may answer, too
};
std::string write_ask(const StoredAsk& stored);
/// Nothing if the text is no question.
std::optional<StoredAsk> read_ask(const std::string& text);

/// The questions in the directory, whoever wrote them. Those of dead processes are removed.
std::vector<StoredAsk> stored_asks(const Environment& env);

/// A listening socket at this path, which only the owner may connect to. Paths may be longer than addresses of sockets
/// can be. Fails: System.
Result<UniqueFd> listen_at(const std::string& path);
/// A connection to it. It does not block. Fails: NotFound when nobody listens there, System.
Result<UniqueFd> connect_to(const std::string& path);

}  // namespace grapnel
