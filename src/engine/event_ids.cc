#include "engine/event_ids.h"

#include <chrono>

#include <sys/mman.h>
#include <sys/random.h>

namespace grapnel {

/// A new page is all zero, and so is the page of a forked child. Zero means `left == 0`: the pool is empty.
struct EventIds::Pool {
  size_t left = 0;
  std::array<Random, 64> values{};
};

namespace {

/// Returns a new page that is cleared on fork; null if the kernel cannot do that.
void* map_page(size_t size) {
  void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (::madvise(page, size, MADV_WIPEONFORK) == 0) return page;
  ::munmap(page, size);
  return nullptr;
}

/// Writes two digits and returns the position behind them.
char* write_hex(char* out, unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out++ = kDigits[byte >> 4];
  *out++ = kDigits[byte & 15];
  return out;
}

}  // namespace

EventIds::~EventIds() {
  if (pool_ != nullptr) ::munmap(pool_, sizeof *pool_);
}

/// Never blocks. If the kernel has no random bytes yet, early after boot, the bits are zero and only the time is left.
EventIds::Random EventIds::next_random() {
  const std::lock_guard lock(mutex_);
  // The page is made for the second id, because most processes need only one.
  if (given_++ == 1) pool_ = static_cast<Pool*>(map_page(sizeof(Pool)));
  Random random{};
  if (pool_ == nullptr) {
    if (::getrandom(random.data(), random.size(), GRND_NONBLOCK) < 0) random.fill(0);
    return random;
  }
  if (pool_->left == 0 && ::getrandom(&pool_->values, sizeof pool_->values, GRND_NONBLOCK) == sizeof pool_->values) {
    pool_->left = pool_->values.size();
  }
  return pool_->left == 0 ? random : pool_->values[--pool_->left];
}

std::string EventIds::next() {
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  std::array<char, 12 + 1 + 2 * std::tuple_size_v<Random>> id;
  char* at = id.data();
  for (const unsigned char byte : next_random()) at = write_hex(at, byte);
  *at++ = '-';
  for (int shift = 40; shift >= 0; shift -= 8) at = write_hex(at, static_cast<unsigned char>(now.count() >> shift));
  return {id.begin(), id.end()};
}

}  // namespace grapnel
