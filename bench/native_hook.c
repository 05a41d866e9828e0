// The cheapest possible hook: it reads all of its input and lets the event pass. It uses no C library, because the start
// of one would take most of the measured time.

static long call3(long number, long a, const void* b, long c) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register const void* x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#else
#error "write this machine's system call here"
#endif
}

#if defined(__x86_64__)
enum { kRead = 0, kExitGroup = 231 };
#else
enum { kRead = 63, kExitGroup = 94 };
#endif

void _start(void) {
  static char buffer[1 << 16];
  while (call3(kRead, 0, buffer, sizeof buffer) > 0) {
  }
  call3(kExitGroup, 0, 0, 0);
  for (;;) {
  }
}
