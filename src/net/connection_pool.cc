#include "net/connection_pool.h"

#include <utility>

namespace grapnel::net {

namespace {

/// Servers and firewalls forget connections that say nothing for long, often without a word.
constexpr std::chrono::seconds kLongestIdle{100};

}  // namespace

/// The connection that came back last is taken first: it is the one that most likely still works.
std::optional<Stream> ConnectionPool::take(const std::string& key) {
  std::vector<Idle> gone;  // closed after the lock is released
  const std::scoped_lock lock(mutex_);
  const Deadline oldest = SteadyClock::now() - kLongestIdle;
  std::optional<Stream> found;
  for (size_t i = idle_.size(); i-- > 0;) {
    const bool is_wanted = !found && idle_[i].key == key;
    const bool works = idle_[i].since >= oldest && (!is_wanted || idle_[i].stream.is_quiet());
    if (!is_wanted && works) continue;
    Idle one = std::move(idle_[i]);
    idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(i));
    if (works) {
      found = std::move(one.stream);
    } else {
      gone.push_back(std::move(one));
    }
  }
  return found;
}

void ConnectionPool::give_back(std::string key, Stream stream) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back({std::move(key), std::move(stream), SteadyClock::now()});
}

std::expected<TlsContext, HttpError> ConnectionPool::tls_context(const std::string& ca_file) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = contexts_.find(ca_file); found != contexts_.end()) return found->second;
  auto made = make_tls_context(ca_file);
  if (made) contexts_[ca_file] = *made;
  return made;
}

}  // namespace grapnel::net
