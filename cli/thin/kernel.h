#pragma once

#include <stddef.h>

#include <sys/syscall.h>

/* The kernel without a C library: of starting a small program, setting one up is a sixth. So this one has none where
 * it knows how to call the kernel (THIN_FREESTANDING); elsewhere the library's `syscall` does.
 *
 * Calls return what the kernel does: what is negative is an error, -ENOENT for one. */

#ifdef THIN_FREESTANDING

static inline long kernel(long number, long a, long b, long c, long d, long e) {
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = 0; /* an offset or an address that nobody here has */
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
}

#else

#include <errno.h>
#include <unistd.h>

static inline long kernel(long number, long a, long b, long c, long d, long e) {
  const long result = syscall(number, a, b, c, d, e, 0L);
  return result == -1 ? -errno : result;
}

#endif

#define KERNEL2(name, a, b) kernel(SYS_##name, (long)(a), (long)(b), 0, 0, 0)
#define KERNEL3(name, a, b, c) kernel(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0)
#define KERNEL4(name, a, b, c, d) kernel(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0)
#define KERNEL5(name, a, b, c, d, e) kernel(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))

/* Waits for one descriptor, no longer than the time there is, and takes off that what it took. False: it is not ready.
 */
int wait_for(int fd, short what, long* milliseconds);
/* Fresh memory, or NULL. */
char* take_memory(size_t size);
/* All of it, or 0. */
int write_all(int fd, const char* bytes, size_t size);

size_t length_of(const char* text);
int is_same(const char* one, const char* other);
int starts_with(const char* text, const char* start);
/* Where that byte is in a text, or NULL. */
const char* find_byte(const char* text, char byte);
void copy_bytes(char* into, const char* bytes, size_t size);
