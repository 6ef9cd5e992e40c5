#include "sanitizers/device/illegal_runs.h"

#include <algorithm>
#include <tuple>

namespace arenaproof {
namespace {

constexpr int kLegal = -2;
constexpr int kOutside = -1;

// kLegal, kOutside, or the index of the operand that holds `address` without granting the right.
int Classify(std::span<const OperandRange> operands, std::uintptr_t address, bool write,
             std::span<const OperandRange> allowances) {
  for (const OperandRange& allowed : allowances) {
    if (!write && Exists(allowed) && address >= AddressesOf(allowed).begin && address < AddressesOf(allowed).end) {
      return kLegal;
    }
  }
  int holder = kOutside;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!Exists(operands[i])) continue;
    const AddressRange range = AddressesOf(operands[i]);
    if (address < range.begin || address >= range.end) continue;
    if (Grants(operands[i].right, write)) return kLegal;
    if (holder == kOutside) holder = static_cast<int>(i);
  }
  return holder;
}

void Charge(std::span<const OperandRange> operands, const AddressRange& access, IllegalRun* run) {
  // Smaller is better; see the rule in the header.
  std::tuple<std::uintptr_t, int, int, std::uintptr_t> best{};
  std::uintptr_t gap = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!Exists(operands[i])) continue;
    const AddressRange range = AddressesOf(operands[i]);
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
  const AddressRange range = AddressesOf(operands[static_cast<std::size_t>(run->operand)]);
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

std::uintptr_t NextEdge(std::span<const OperandRange> operands, std::uintptr_t address, std::uintptr_t end) {
  std::uintptr_t nearest = end;
  for (const OperandRange& operand : operands) {
    if (!Exists(operand)) continue;
    for (const std::uintptr_t edge : {AddressesOf(operand).begin, AddressesOf(operand).end}) {
      if (edge > address) nearest = std::min(nearest, edge);
    }
  }
  return nearest;
}

bool NextIllegalRun(std::span<const OperandRange> operands, AddressRange access, bool write,
                    std::span<const OperandRange> allowances, std::uintptr_t from, IllegalRun* run) {
  const auto edge_behind = [&](std::uintptr_t address) {
    return std::min(NextEdge(operands, address, access.end), NextEdge(allowances, address, access.end));
  };
  const auto class_at = [&](std::uintptr_t address) { return Classify(operands, address, write, allowances); };
  while (from < access.end && class_at(from) == kLegal) from = edge_behind(from);
  if (from >= access.end) return false;
  const int kind = class_at(from);
  *run = {.begin = from, .end = edge_behind(from)};
  while (run->end < access.end && class_at(run->end) == kind) run->end = edge_behind(run->end);
  if (kind == kOutside) {
    Charge(operands, access, run);
  } else {
    run->side = ViolationSide::kInside;
    run->operand = kind;
  }
  return true;
}

}  // namespace arenaproof
