#pragma once

#include <set>
#include <string>

#include "grapnel/error.h"

#include "approve/peers.h"
#include "base/environment.h"
#include "base/unique_fd.h"

/// Somebody who is there to answer: an unlocked page, or `grapnel approve --follow`.
///
/// A waiting process keeps a connection to every listener. So it notices at once when the last of them is gone, and a
/// listener notices when a question comes or is over.
namespace grapnel {

/// For whom a listener speaks: people at this computer, or people of a fleet, who are asked only if a question is for
/// them, too.
enum class Reach : uint8_t { Here, Fleet };

class AskListener {
 public:
  /// Fails: System, Refused when the directory is not private.
  static Result<AskListener> open(const Environment& env, Reach reach = Reach::Here);
  AskListener(AskListener&& other) noexcept;
  AskListener& operator=(AskListener&&) = delete;
  ~AskListener();

  /// Becomes readable when questions came or went. Then call `settle`, and `waiting_asks` again.
  int fd() const { return poll_.get(); }
  void settle();

 private:
  AskListener(std::string path, UniqueFd socket, UniqueFd poll);

  std::string path_;
  UniqueFd socket_;
  UniqueFd poll_;
  std::set<int> waiting_;  ///< connections; owned
};

/// Whether there may be a listener. Cheap; for callers that prepare something for the case.
bool may_have_listeners(const Environment& env);

/// Connections to all listeners that may speak for a person; with `Reach::Fleet`, also to those of a fleet. Listeners
/// that have died are removed.
std::vector<UniqueFd> connect_to_listeners(const Environment& env, const PeerObjection& objection,
                                           Reach reach = Reach::Here);

}  // namespace grapnel
