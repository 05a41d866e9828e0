#include "kernel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include <linux/time_types.h>
#include <sys/mman.h>

int wait_for(int fd, short what, long* milliseconds) {
  struct pollfd one = {fd, what, 0};
  struct __kernel_timespec left = {*milliseconds / 1000, *milliseconds % 1000 * 1000000};
  long ready;
  do {
    ready = KERNEL5(ppoll, &one, 1, &left, NULL, 0); /* which says in `left` what is left */
  } while (ready == -EINTR);
  *milliseconds = (long)(left.tv_sec * 1000 + left.tv_nsec / 1000000);
  return ready > 0;
}

char* take_memory(size_t size) {
  const long made = kernel(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return made < 0 ? NULL : (char*)made;
}

int write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const long count = KERNEL3(write, fd, bytes, size);
    if (count == -EINTR) continue;
    if (count <= 0) return 0;
    bytes += count;
    size -= (size_t)count;
  }
  return 1;
}

size_t length_of(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

int is_same(const char* one, const char* other) {
  for (; *one == *other; ++one, ++other) {
    if (*one == '\0') return 1;
  }
  return 0;
}

int starts_with(const char* text, const char* start) {
  while (*start != '\0' && *text == *start) ++text, ++start;
  return *start == '\0';
}

const char* find_byte(const char* text, char byte) {
  for (; *text != byte; ++text) {
    if (*text == '\0') return NULL;
  }
  return text;
}

void copy_bytes(char* into, const char* bytes, size_t size) {
  while (size-- > 0) *into++ = *bytes++;
}

#ifdef THIN_FREESTANDING

/* Compilers call these two by themselves. */
void* memcpy(void* into, const void* bytes, size_t size) {
  copy_bytes(into, bytes, size);
  return into;
}

void* memset(void* into, int byte, size_t size) {
  for (char* at = into; size-- > 0;) *at++ = (char)byte;
  return into;
}

#endif
