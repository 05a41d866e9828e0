#include "cli/ui/presence.h"

#include <poll.h>

#include <array>

#include <sys/eventfd.h>

namespace grapnel::cli {

Presence::Presence(const Environment& env, Bell& bell)
    : env_(env), bell_(bell), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { listen(); });
}

Presence::~Presence() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  count(0);
  thread_.join();
}

void Presence::count(int change) {
  const std::scoped_lock lock(mutex_);
  pages_ += change;
  const uint64_t one = 1;
  static_cast<void>(::write(wake_.get(), &one, sizeof one) >= 0);
}

void Presence::listen() {
  std::optional<AskListener> listener;
  while (true) {
    std::array<pollfd, 2> ready{{{wake_.get(), POLLIN, 0}, {listener ? listener->fd() : -1, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), -1);
    uint64_t rings = 0;
    static_cast<void>(::read(wake_.get(), &rings, sizeof rings) >= 0);
    bool is_wanted = false;
    {
      const std::scoped_lock lock(mutex_);
      if (is_ending_) return;
      is_wanted = pages_ > 0;
    }
    if (listener && ready[1].revents != 0) {
      listener->settle();
      bell_.ring();
    }
    if (!is_wanted) {
      listener.reset();
    } else if (!listener) {
      if (auto opened = AskListener::open(env_)) listener.emplace(std::move(*opened));
    }
  }
}

}  // namespace grapnel::cli
