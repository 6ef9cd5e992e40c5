// arenaproof-bench: what set-up, invoke, planning, certifying and observing cost. Options are Google Benchmark's.
#include <benchmark/benchmark.h>

#include <iostream>

#include "bench/models_benchmark.h"

int main(int argument_count, char** arguments) {
  if (const std::string problem = arenaproof::RegisterModelBenchmarks(); !problem.empty()) {
    std::cerr << "arenaproof-bench: " << problem << "\n";
    return 2;
  }
  benchmark::Initialize(&argument_count, arguments);
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
