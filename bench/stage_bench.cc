#include <benchmark/benchmark.h>

#include "paths.h"

// Measures how long each stage takes in process. Compare rows of one run; absolute times depend on the machine.

int main(int argc, char** argv) {
  for (const grapnel::bench::Path& path : grapnel::bench::paths()) {
    benchmark::RegisterBenchmark(path.name, [&path](benchmark::State& state) {
      const auto work = path.prepare();
      work();  // warms up: an event does not pay for work that is done only once
      for (auto _ : state) work();
    });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
