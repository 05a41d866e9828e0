#include "run/worker_news.h"

#include <array>
#include <cerrno>

#include <sys/epoll.h>

namespace grapnel {

uint64_t WorkerNews::mark() {
  if (is_watching_) take_news();
  return is_watching_ ? mark_ : kNone;
}

void WorkerNews::take_news() {
  std::array<epoll_event, 8> events;
  for (int count = static_cast<int>(events.size()); count == static_cast<int>(events.size());) {
    count = ::epoll_wait(ready_.get(), events.data(), static_cast<int>(events.size()), 0);
    if (count < 0) is_watching_ = false;
    for (int i = 0; i < count; ++i) {
      const auto source = static_cast<Source>(events[static_cast<size_t>(i)].data.u32);
      if (source == Source::Exit) ++mark_;
      if (source == Source::Files) is_watching_ = false;
    }
  }
}

/// The descriptors come in before files are watched: what mounts have to tell is told once, and by then of no interest.
bool WorkerNews::open() {
  if (ready_) return true;
  UniqueFd ready(::epoll_create1(EPOLL_CLOEXEC));
  if (!ready || !files_.open()) return false;
  ready_ = std::move(ready);
  if (add(files_.events_fd(), EPOLLIN, Source::Files) && add(files_.mounts_fd(), EPOLLPRI, Source::Files)) return true;
  ready_.reset();
  return false;
}

bool WorkerNews::add(int fd, uint32_t events, Source source) const {
  epoll_event event{};
  event.events = events;
  event.data.u32 = static_cast<uint32_t>(source);
  return ::epoll_ctl(ready_.get(), EPOLL_CTL_ADD, fd, &event) == 0 || errno == EEXIST;
}

void WorkerNews::watch(const std::vector<std::string>& files) {
  is_watching_ = files_.watch(files);
  ++mark_;
}

/// Once: a process that has exited stays so, and would be news forever.
bool WorkerNews::watch_exit(int pidfd) const {
  return pidfd >= 0 && add(pidfd, EPOLLIN | EPOLLET, Source::Exit);
}

}  // namespace grapnel
