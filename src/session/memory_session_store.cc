#include <list>
#include <mutex>
#include <unordered_map>

#include "grapnel/session_store.h"

namespace grapnel {

namespace {

/// A limit for hosts that run for a long time and open many sessions.
constexpr size_t kMaxSessions = 1024;

/// An LRU list: the state that was used last is at the front, and the last one is dropped when there are too many. The
/// index finds a state by its id.
class MemorySessionStore final : public SessionStore {
 public:
  /// Reading does not count as use, and it does not create a state.
  Result<SessionState> load(const std::string& session_id) override {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(session_id);
    return found == index_.end() ? SessionState{} : found->second->second;
  }

  Result<void> update(const std::string& session_id, const std::function<void(SessionState&)>& change) override {
    const std::lock_guard lock(mutex_);
    change(touch(session_id));
    return {};
  }

 private:
  /// Returns the state and moves it to the front, creating it if necessary.
  SessionState& touch(const std::string& session_id) {
    if (const auto found = index_.find(session_id); found != index_.end()) {
      states_.splice(states_.begin(), states_, found->second);
    } else {
      states_.emplace_front(session_id, SessionState{});
      index_[session_id] = states_.begin();
    }
    if (states_.size() > kMaxSessions) {
      index_.erase(states_.back().first);
      states_.pop_back();
    }
    return states_.front().second;
  }

  using States = std::list<std::pair<std::string, SessionState>>;
  std::mutex mutex_;
  States states_;
  std::unordered_map<std::string, States::iterator> index_;
};

}  // namespace

std::unique_ptr<SessionStore> make_memory_session_store() {
  return std::make_unique<MemorySessionStore>();
}

}  // namespace grapnel
