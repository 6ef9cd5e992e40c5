#include "tools/command/worker_words.h"

#include "tools/text/version.h"

namespace arenaproof {

// Where the report goes stands first: what is wrong with other words is said there.
std::vector<std::string> WorkerCommand(const CheckOptions& options, const Instrument& instrument,
                                       const std::string& layout) {
  const bool extents = options.extents && instrument.name == kExtentsInstrument;
  std::vector<std::string> words = {WorkerPath(instrument).string(),
                                    "check",
                                    "--result-fd=" + std::to_string(kResultDescriptor),
                                    "--version=" + std::string(kVersion),
                                    "--model=" + (options.file.empty() ? options.model : options.file),
                                    "--kernels=" + options.kernels,
                                    "--fallback=" + options.fallback,
                                    "--layout=" + layout,
                                    "--instrument=" + std::string(instrument.name),
                                    std::string("--two-arenas=") + (options.two_arenas ? "1" : "0"),
                                    "--reserve-front=" + std::to_string(options.reserve_front_bytes),
                                    "--seed=" + std::to_string(options.seed),
                                    "--runs=" + std::to_string(options.runs),
                                    std::string("--extents=") + (extents ? "1" : "0"),
                                    std::string("--trust-plan=") + (options.trust_plan ? "1" : "0"),
                                    std::string("--strict-plan=") + (options.strict_plan ? "1" : "0"),
                                    "--planner=" + options.planner,
                                    std::string("--no-sharing=") + (options.no_sharing ? "1" : "0")};
  if (options.arena_bytes) words.push_back("--arena-bytes=" + std::to_string(*options.arena_bytes));
  if (options.persistent_arena_bytes) {
    words.push_back("--persistent-arena-bytes=" + std::to_string(*options.persistent_arena_bytes));
  }
  for (const std::string& input : options.inputs) words.push_back("--input=" + input);
  return words;
}

}  // namespace arenaproof
