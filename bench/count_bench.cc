#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "paths.h"

// Runs one in-process path a few times, for callgrind, which counts instructions only inside `grapnel_counted`:
//
//   count_bench              lists the paths
//   count_bench PATH TIMES   warms up, then runs PATH that many times

extern "C" {

/// Replaces libc's clock with a fixed time, because the number of instructions to print a time depends on its digits.
int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {1767323045, 678000000};
  return 0;
}

__attribute__((noinline)) void grapnel_counted(const std::function<void()>& work, int times) {
  for (int i = 0; i < times; ++i) work();
}
}

constexpr int kWarmUp = 3;

int main(int argc, char** argv) {
  for (const grapnel::bench::Path& path : grapnel::bench::paths()) {
    if (!path.is_counted) continue;
    if (argc == 1) {
      std::puts(path.name);
    } else if (argc == 3 && std::string_view(argv[1]) == path.name) {
      const auto work = path.prepare();
      for (int i = 0; i < kWarmUp; ++i) work();
      grapnel_counted(work, std::atoi(argv[2]));
      return 0;
    }
  }
  if (argc == 1) return 0;
  std::fputs("usage: count_bench [PATH TIMES]\n", stderr);
  return 2;
}
