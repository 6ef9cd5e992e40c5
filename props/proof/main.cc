// arenaproof-prove: runs the arena's own templates symbolically and asks Z3 whether any state that satisfies the
// invariants and any argument whatsoever can break what core/arena/invariants.h states.
#include <z3++.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "props/proof/counterexample.h"
#include "props/proof/prove.h"

namespace arenaproof::proof {
namespace {

constexpr int kClean = 0;
constexpr int kViolations = 1;
constexpr int kCouldNotRun = 2;
constexpr int kInternalError = 3;

int ReplayOne(const std::string& line) {
  Counterexample example;
  try {
    example = ParseReplayLine(line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenaproof-prove: %s\n", error.what());
    return kCouldNotRun;
  }
  const auto broken = Replay(example);
  std::printf("%s\n%s\n", ReplayLine(example).c_str(),
              broken ? ("broken: " + *broken).c_str() : "every invariant holds");
  return broken ? kViolations : kClean;
}

int ProveAll(const ProofOptions& options, bool quiet) {
  const auto begin = std::chrono::steady_clock::now();
  Ledger ledger;
  ProvePrimitives(options, &ledger);
  ProveWords(options, &ledger);
  ProveOperations(options, &ledger);
  ProveSequences(options, &ledger);
  ProveGrowing(options, &ledger);
  ledger.Print(quiet);

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t violated = ledger.Count(Verdict::kViolated);
  const std::size_t unknown = ledger.Count(Verdict::kUnknown);
  std::printf("\narena proof: %zu obligations, %zu proven, %zu violated, %zu unknown, %.1f s: %s\n",
              ledger.obligation_count(), ledger.Count(Verdict::kProven), violated, unknown, seconds,
              violated != 0  ? "VIOLATED"
              : unknown != 0 ? "NOT DECIDED (unknown is a failure)"
                             : "all proven");
  return violated != 0 ? kViolations : unknown != 0 ? kCouldNotRun : kClean;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Proves the arena: every operation, every state, every argument, for 32-bit and 64-bit words.\n"
      "Exit status: 0 all proven, 1 a violation (with a counterexample that replays), 2 could not run or not decided,\n"
      "3 internal error.\n\n"
      "Examples:\n"
      "  arenaproof-prove\n"
      "  arenaproof-prove --operation=AllocatePersistent --bits=32\n"
      "  arenaproof-prove --replay='AllocateTemporary bits=32 tail_begin=20 end=20 size=5 alignment=8'");
  ProofOptions options;
  bool quiet = false;
  std::string bits = "both";
  std::string replay;
  app.add_flag("--full", options.full, "also the language's % by constants, bit by bit (minutes)");
  app.add_flag("--quiet", quiet, "list only what is not proven");
  app.add_option("--bits", bits, "word width")->check(CLI::IsMember({"32", "64", "both"}));
  app.add_option("--operation", options.operation, "only this operation of the table");
  app.add_option("--dump-smt2", options.dump_folder, "write every question there, for an independent solver");
  app.add_option("--replay", replay, "run one step on the production arena instead of proving");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kClean : kCouldNotRun;
  }
  if (!replay.empty()) return ReplayOne(replay);
  options.bits32 = bits != "64";
  options.bits64 = bits != "32";
  const bool known = options.operation.empty() ||
                     std::any_of(kOperationTable.begin(), kOperationTable.end(),
                                 [&](const OperationDescriptor& each) { return options.operation == each.name; });
  if (!known) {
    std::fprintf(stderr, "arenaproof-prove: no operation is called '%s'; there are:\n", options.operation.c_str());
    for (const OperationDescriptor& each : kOperationTable) std::fprintf(stderr, "  %s\n", each.name);
    return kCouldNotRun;
  }
  return ProveAll(options, quiet);
}

}  // namespace
}  // namespace arenaproof::proof

int main(int argc, char** argv) {
  using namespace arenaproof::proof;
  try {
    return Main(argc, argv);
  } catch (const z3::exception& error) {
    std::fprintf(stderr, "arenaproof-prove: the solver failed: %s\n", error.msg());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenaproof-prove: internal error: %s\n", error.what());
  }
  return kInternalError;
}
