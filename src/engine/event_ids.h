#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace grapnel {

/// New ids of events, sortable by time: milliseconds and 64 random bits, `019a0b1c2d3e-0123456789abcdef`.
///
/// After the first id, which is often the only one, random bytes are fetched for many at once. They lie in a page that
/// the kernel clears in a forked child, so that parent and child never give out the same. Thread: any.
class EventIds {
 public:
  EventIds() = default;
  EventIds(const EventIds&) = delete;
  EventIds& operator=(const EventIds&) = delete;
  ~EventIds();

  std::string next();

 private:
  using Random = std::array<unsigned char, 8>;
  struct Pool;

  Random next_random();

  std::mutex mutex_;
  Pool* pool_ = nullptr;  ///< of its own page, which there may be none of
  uint64_t given_ = 0;    ///< ids so far
};

}  // namespace grapnel
