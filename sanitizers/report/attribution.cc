#include "sanitizers/report/attribution.h"

#include <algorithm>
#include <tuple>

namespace arenaproof {
namespace {

struct Interval {
  std::uintptr_t begin, end;
};

Interval Of(const OperandRange& operand) {
  const std::uintptr_t begin = AddressOf(operand.data);
  return {begin, begin + operand.bytes};
}

bool Exists(const OperandRange& operand) { return operand.data != nullptr && operand.bytes > 0; }

constexpr int kLegal = -2;
constexpr int kOutside = -1;

// kLegal, kOutside, or the index of the operand that holds `address` without granting the right.
int Classify(std::span<const OperandRange> operands, std::uintptr_t address, bool write,
             std::span<const OperandRange> allowances) {
  for (const OperandRange& allowed : allowances) {
    if (!write && Exists(allowed) && address >= Of(allowed).begin && address < Of(allowed).end) return kLegal;
  }
  int holder = kOutside;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!Exists(operands[i])) continue;
    const Interval range = Of(operands[i]);
    if (address < range.begin || address >= range.end) continue;
    if (Grants(operands[i].right, write)) return kLegal;
    if (holder == kOutside) holder = static_cast<int>(i);
  }
  return holder;
}

void Charge(std::span<const OperandRange> operands, const Interval& access, IllegalRun* run) {
  // Smaller is better; see the rule in the header.
  std::tuple<std::uintptr_t, int, int, std::uintptr_t> best{};
  std::uintptr_t gap = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!Exists(operands[i])) continue;
    const Interval range = Of(operands[i]);
    const std::uintptr_t away = run->end <= range.begin ? range.begin - run->end : run->begin - range.end;
    const bool touched = access.begin < range.end && range.begin < access.end;
    const bool holds_first = access.begin >= range.begin && access.begin < range.end;
    const std::tuple key{away, touched ? 0 : 1, holds_first ? 0 : 1, range.begin};
    if (run->operand >= 0 && key >= best) continue;
    best = key;
    gap = away;
    run->operand = static_cast<int>(i);
  }
  if (run->operand < 0) return;
  const Interval range = Of(operands[static_cast<std::size_t>(run->operand)]);
  if (gap >= kFarBytes) {
    run->side = ViolationSide::kFar;
    run->distance_bytes = gap;
  } else if (run->end <= range.begin) {
    run->side = ViolationSide::kBefore;
    run->distance_bytes = range.begin - run->begin;
  } else {
    run->side = ViolationSide::kAfter;
    run->distance_bytes = run->end - range.end;
  }
}

}  // namespace

std::vector<IllegalRun> AttributeAccess(std::span<const OperandRange> operands, std::uintptr_t address,
                                        std::size_t bytes, bool write, std::span<const OperandRange> allowances) {
  std::vector<IllegalRun> runs;
  const Interval access{address, address + bytes < address ? UINTPTR_MAX : address + bytes};
  // Between two neighbouring cuts all bytes have the same class.
  std::vector<std::uintptr_t> cuts{access.begin, access.end};
  for (const auto ranges : {operands, allowances}) {
    for (const OperandRange& range : ranges) {
      if (!Exists(range)) continue;
      for (const std::uintptr_t cut : {Of(range).begin, Of(range).end}) {
        if (cut > access.begin && cut < access.end) cuts.push_back(cut);
      }
    }
  }
  std::sort(cuts.begin(), cuts.end());
  int previous = kLegal;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] == cuts[i + 1]) continue;
    const int current = Classify(operands, cuts[i], write, allowances);
    if (current != kLegal && current == previous) {
      runs.back().end = cuts[i + 1];
    } else if (current != kLegal) {
      IllegalRun run{.begin = cuts[i], .end = cuts[i + 1]};
      if (current >= 0) {
        run.side = ViolationSide::kInside;
        run.operand = current;
      }
      runs.push_back(run);
    }
    previous = current;
  }
  for (IllegalRun& run : runs) {
    if (run.side != ViolationSide::kInside) Charge(operands, access, &run);
  }
  return runs;
}

}  // namespace arenaproof
