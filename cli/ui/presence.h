#pragma once

#include <mutex>
#include <optional>
#include <thread>

#include "approve/listener.h"
#include "base/environment.h"
#include "base/unique_fd.h"
#include "cli/ui/live.h"

namespace grapnel::cli {

/// Says that a person is there to answer, as long as an unlocked page follows what happens. Rings when questions come
/// or go. Thread: any.
class Presence {
 public:
  Presence(const Environment& env, Bell& bell);
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;
  ~Presence();

  /// One page that can answer. It counts as long as the object lives.
  class Here {
   public:
    explicit Here(Presence& presence) : presence_(presence) { presence_.count(+1); }
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
    ~Here() { presence_.count(-1); }

   private:
    Presence& presence_;
  };

 private:
  void count(int change);
  void listen();

  const Environment& env_;
  Bell& bell_;
  std::mutex mutex_;
  int pages_ = 0;
  bool is_ending_ = false;
  UniqueFd wake_;
  std::thread thread_;
};

}  // namespace grapnel::cli
