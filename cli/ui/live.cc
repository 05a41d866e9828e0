#include "cli/ui/live.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <sys/eventfd.h>
#include <sys/inotify.h>

#include "base/clock.h"

namespace grapnel::cli {

namespace {

/// Where the kernel does not tell of changes (network disks), this is how late news may be.
constexpr std::chrono::seconds kLookAnyway{1};
constexpr int kCollectMs = 15;

void signal_fd(int fd) {
  const uint64_t one = 1;
  static_cast<void>(::write(fd, &one, sizeof one));
}

/// Reads the events of inotify that are waiting. Whether one is about something else than our own database.
bool has_news(int fd) {
  alignas(inotify_event) std::array<char, 4096> buffer{};
  bool is_news = false;
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      is_news |= event->len == 0 || !std::string_view(event->name).starts_with("journal.db");
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
  return is_news;
}

/// Reads all that is waiting.
void drain(int fd) {
  std::array<char, 4096> buffer{};
  while (::read(fd, buffer.data(), buffer.size()) > 0) continue;
}

}  // namespace

Bell::Listener::Listener(Bell& bell) : bell_(bell), fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  const std::scoped_lock lock(bell_.mutex_);
  bell_.listeners_.insert(fd_.get());
}

Bell::Listener::~Listener() {
  const std::scoped_lock lock(bell_.mutex_);
  bell_.listeners_.erase(fd_.get());
}

void Bell::Listener::calm() const {
  drain(fd_.get());
}

void Bell::ring() {
  const std::scoped_lock lock(mutex_);
  for (const int fd : listeners_) signal_fd(fd);
}

Follower::Follower(const Environment& env, const Retention& retention, SharedJournal& journal, Bell& bell)
    : directory_(env.state_dir()),
      retention_(retention),
      journal_(journal),
      bell_(bell),
      events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { follow(); });
}

Follower::~Follower() {
  signal_fd(stop_.get());
  thread_.join();
}

void Follower::follow() {
  // Another reader may import records, too, so what was seen last is kept here.
  int64_t seen = -1;
  bool has_retained = false;
  do {
    watch();
    journal_.import_new([&] {
      const int64_t now = journal_.with([](JournalReader& reader) {
        const auto health = reader.health();
        return health ? health->records + health->lost : -1;
      });
      if (now != seen) bell_.ring();
      seen = now;
      return !is_stopping();
    });
    // If a writer holds the lock now, the next reader does it.
    if (!std::exchange(has_retained, true)) {
      journal_.with([&](JournalReader& reader) {
        static_cast<void>(reader.retain(retention_, std::chrono::system_clock::now()));
      });
    }
  } while (wait_for_change());
}

bool Follower::is_stopping() const {
  pollfd ready{stop_.get(), POLLIN, 0};
  return ::poll(&ready, 1, 0) > 0;
}

void Follower::watch() {
  // The directory may not exist before the first event.
  if (is_watched_ || !events_) return;
  is_watched_ = ::inotify_add_watch(events_.get(), directory_.c_str(),
                                    IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR) >= 0;
}

bool Follower::wait_for_change() {
  const Deadline deadline = SteadyClock::now() + kLookAnyway;
  while (true) {
    std::array<pollfd, 2> ready{{{stop_.get(), POLLIN, 0}, {events_.get(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    ::poll(ready.data(), ready.size(), static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready[0].revents != 0) return false;
    if (left <= 0) return true;
    if (ready[1].revents == 0 || !has_news(events_.get())) continue;
    // Many events in a row are imported together.
    return ::poll(ready.data(), 1, kCollectMs) == 0;
  }
}

}  // namespace grapnel::cli
