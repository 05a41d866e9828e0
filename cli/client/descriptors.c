#include "descriptors.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The time left is computed for each poll(), so that a signal that interrupts it does not prolong the wait. */
bool wait_ready(int fd, short events, int64_t until_ms) {
  struct pollfd one = {.fd = fd, .events = events, .revents = 0};
  int ready;
  do {
    const int64_t left = until_ms - now_ms();
    ready = poll(&one, 1, left > 0 ? (int)left : 0);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

bool write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = write(fd, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= (size_t)count;
  }
  return true;
}
