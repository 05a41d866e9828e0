#include <benchmark/benchmark.h>

#include "paths.h"

// What each stage costs inside the process. Compare rows of one run; absolute values belong to the machine.

int main(int argc, char** argv) {
  for (const grapnel::bench::Path& path : grapnel::bench::paths()) {
    benchmark::RegisterBenchmark(path.name, [&path](benchmark::State& state) {
      const auto work = path.prepare();
      work();  // what is made at the first use is not what an event costs
      for (auto _ : state) work();
    });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
