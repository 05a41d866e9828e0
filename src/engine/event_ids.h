#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace grapnel {

/// Makes ids for events. An id is 64 random bits and the time in milliseconds: `0123456789abcdef-019a0b1c2d3e`. The
/// random bits come first, so that a few digits are enough to tell events apart: people type the beginning of an id.
///
/// A process often needs only one id, so the first one fetches just its own random bytes. From the second id on, random
/// bytes are fetched for 64 ids at once. They lie in a page that the kernel clears in a forked child. Otherwise parent
/// and child would hand out the same ids. Thread: any.
class EventIds {
 public:
  EventIds() = default;
  EventIds(const EventIds&) = delete;
  EventIds& operator=(const EventIds&) = delete;
  ~EventIds();

  /// A new id. Never blocks and never fails.
  std::string next();

 private:
  using Random = std::array<unsigned char, 8>;
  struct Pool;

  Random next_random();

  std::mutex mutex_;
  Pool* pool_ = nullptr;  ///< in a page of its own; null before the second id, or if the page cannot be made
  uint64_t given_ = 0;    ///< number of ids so far
};

}  // namespace grapnel
