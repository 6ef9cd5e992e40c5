#include "corpus/memory/memory_ledger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/model/offline_plan.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_file.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostDifferences = 8;

constexpr const char* kHowToUpdate =
    "If that is meant, write the ledger anew in the same commit: build/release/corpus/memory/arenaproof-memory-ledger ";

MemoryNeed Measured(const std::filesystem::path& path, const ValidatedModel& model, const MemoryQuestion& question) {
  const MemoryNeed need = MeasureMemory(model, *FindKernelSet("reference"), question);
  if (!need.status.ok()) throw std::runtime_error(path.string() + ": cannot be set up");
  return need;
}

bool HasPlan(const ModelView& model) {
  OfflinePlanEntry entry;
  return LocateOfflinePlan(model, &entry).ok() && !entry.bytes.empty();
}

void AddNeed(std::ostream& text, const std::string& name, const MemoryNeed& need, bool two_arenas) {
  text << name << " need " << need.need_bytes << "\n";
  if (two_arenas) text << name << " persistent_need " << need.persistent_need_bytes << "\n";
}

void AddFigures(std::ostream& text, const std::string& name, const MemoryNeed& need, bool two_arenas) {
  AddNeed(text, name, need, two_arenas);
  if (two_arenas) return;  // the rest is that of the single arena, but for the second arena's object
  text << name << " head " << need.head_bytes << "\n";
  text << name << " tail " << need.tail_bytes << "\n";
  text << name << " set-up_peak " << need.set_up_peak_bytes << "\n";
  text << name << " planning " << need.planning.total() << "\n";
  for (const TailCategory& category : need.categories) {
    if (category.block_count == 0) continue;
    text << name << " tail: " << category.name << " " << category.used_bytes << "\n";
  }
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// "model arm32 head 512" as what it is about and how much it is.
std::pair<std::string, long long> Split(const std::string& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string::npos) return {line, 0};
  return {line.substr(0, space), std::strtoll(line.c_str() + space, nullptr, 10)};
}

}  // namespace

std::string MemoryLedger(const std::vector<std::filesystem::path>& models) {
  const KernelSet& kernels = *FindKernelSet("reference");
  const KernelSetSupport support(kernels);
  std::ostringstream text;
  text << "# Bytes that models need of an arena: model, machine, figure. host64: 64-bit words; arm32: the ARM EABI.\n"
          "# Written by arenaproof-memory-ledger; tests compare it with what is measured.\n";
  for (const auto& path : models) {
    ModelFile file;
    const std::string problem = file.Load(path, &support);
    if (!problem.empty()) throw std::runtime_error(path.string() + ": " + problem);
    for (const WordSize word : {WordSize::k64, WordSize::k32}) {
      const std::string name = path.stem().string() + (word == WordSize::k64 ? " host64" : " arm32");
      for (const bool two_arenas : {false, true}) {
        MemoryQuestion question{Layout::kFaithful, two_arenas, word};
        const std::string in = two_arenas ? " two-arenas" : "";
        AddFigures(text, name + in, Measured(path, file.model(), question), two_arenas);
        if (!HasPlan(file.view())) continue;
        question.set_up.offline_plan.trust = true;
        AddNeed(text, name + in + " trust-plan", Measured(path, file.model(), question), two_arenas);
      }
    }
  }
  return text.str();
}

std::string MemoryLedger(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return MemoryLedger(paths);
}

std::string CompareLedgers(const std::string& kept, const std::string& found, const std::string& words) {
  if (kept == found) return {};
  const std::vector<std::string> kept_lines = Lines(kept), found_lines = Lines(found);
  std::ostringstream text;
  std::size_t count = 0;
  const auto report = [&](const std::string& sentence) {
    if (++count <= kMostDifferences) text << sentence << "\n";
  };
  const auto lookup = [](const std::vector<std::string>& lines, const std::string& subject) -> const std::string* {
    for (const std::string& line : lines) {
      if (Split(line).first == subject) return &line;
    }
    return nullptr;
  };
  for (const std::string& line : found_lines) {
    const auto [subject, bytes] = Split(line);
    const std::string* before = lookup(kept_lines, subject);
    if (before == nullptr) {
      report(subject + ": " + std::to_string(bytes) + " bytes, which the ledger does not know");
    } else if (const long long known = Split(*before).second; known != bytes) {
      report(subject + (bytes > known ? " grew by " : " shrank by ") + std::to_string(std::abs(bytes - known)) +
             " bytes: " + std::to_string(known) + " in the ledger, " + std::to_string(bytes) + " now");
    }
  }
  for (const std::string& line : kept_lines) {
    if (lookup(found_lines, Split(line).first) == nullptr) report(Split(line).first + " is in the ledger only");
  }
  if (count > kMostDifferences) text << "... and " << count - kMostDifferences << " more figures\n";
  if (count == 0) text << "the ledger's lines are not in the order in which they are written\n";
  text << kHowToUpdate << words << "\n";
  return text.str();
}

}  // namespace arenaproof
