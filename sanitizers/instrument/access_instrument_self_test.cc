// AccessInstrument's self-test: each planted access is made once inside an open range (the instrument has to be
// silent), once before and once behind it, and, when it can be made at any address, once across each edge. Then one
// operator runs inside a call of another: afterwards the caller's own range has to be open and the callee's closed. At
// last one reads and writes a constant.
#include <algorithm>
#include <array>
#include <cstring>

#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/planted/planted_access.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill, and no multiple of 16 as zeroed memory is full of

}  // namespace

void AccessInstrument::RunSelfTest() {
  MemoryRegion area = registry_.arena();
  if (area.bytes < kPlantedAreaBytes) area = {probe_.data(), probe_.size()};
  // The arena's bytes are the caller's to give and are put back as they were.
  auto* begin = const_cast<std::byte*>(area.data);
  begin += (8 - AddressOf(begin) % 8) % 8;
  std::array<std::byte, kPlantedAreaBytes - 8> saved;
  std::memcpy(saved.data(), begin, saved.size());

  state_ = State::kIdle;
  blind_ = false;  // until the test is over
  MakePlantedAccesses(begin);
  TestReadOnly();
  self_test_.ran = true;
  operands_.clear();
  log_.Clear();
  extents_.clear();
  std::memcpy(begin, saved.data(), saved.size());
}

void AccessInstrument::MakePlantedAccesses(std::byte* area) {
  std::byte* open = area + kPlantedClosedBytes;
  operator_ = {.subgraph = -1, .index = -1, .phase = OperatorPhase::kInvoke, .name = "self-test", .kernel = "planted"};
  operands_ = {{open, kPlantedOpenBytes, AccessRight::kReadWrite, OperandKind::kScratch, 0}};
  const auto reported = [this](const PlantedAccess& planted, std::byte* address) {
    const std::uint64_t before = log_.access_count();
    SetPlantedValue(kPlantedByte);
    state_ = State::kOperator;
    Close(operands_);
    planted.make(address);
    Open(operands_);
    state_ = State::kIdle;
    return log_.access_count() != before;
  };
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (planted.depends_on_bytes && !SeesAccesses()) continue;
    ForEachPlantedPlace(planted, open, kPlantedOpenBytes, [&](std::byte* address, bool illegal, const char* where) {
      const std::string what = std::string(planted.what) + " " + where;
      NotePlanted(reported(planted, address), illegal && (planted.write || SeesAccesses()), what);
    });
  }
  TestNesting(area, open);
  TestInPlace(open);
  TestRuntime(open);
}

// The runtime does work of its own, by itself and on behalf of an operator that has called it.
void AccessInstrument::TestRuntime(std::byte* area) {
  if (!WatchesRuntime()) return;
  const OperandRange record{area, 8, AccessRight::kReadWrite, OperandKind::kRecord, 0};
  const OperandRange callers{area + 16, 8, AccessRight::kReadWrite, OperandKind::kScratch, 0};
  OperatorScope caller;
  caller.subgraph = caller.operator_index = -1;
  caller.operator_name = "self-test";
  caller.kernel_name = "planted";
  caller.operands = {&callers, 1};
  for (const bool called : {false, true}) {
    state_ = State::kIdle;
    if (called) OnOperatorBegins(caller);
    if (called) OnRuntimeEnters();
    for (const PlantedAccess& planted : PlantedAccesses()) {
      if (planted.bytes > 8) continue;
      const auto reported = [&](std::byte* address) {
        const std::uint64_t before = log_.access_count();
        OnRuntimeWorkBegins({RuntimeWork::kRecords, -1, {&record, 1}});
        planted.make(address);
        OnRuntimeWorkEnds();
        return log_.access_count() != before;
      };
      const std::string what = std::string(planted.what) + (called ? " by the runtime in a call" : " by the runtime");
      NotePlanted(reported(area), false, what);
      NotePlanted(reported(area + 16), true, what);
    }
    if (called) OnRuntimeLeaves();
    if (called) OnOperatorEnds();
  }
}

// An operator reads a byte that it shares, writes it, and reads it again.
void AccessInstrument::TestInPlace(std::byte* shared) {
  if (!SeesOverwritten()) return;
  const auto make = [&](bool write) {
    const std::uint64_t before = log_.access_count();
    for (const PlantedAccess& planted : PlantedAccesses()) {
      if (planted.write != write || planted.bytes > 8) continue;
      planted.make(shared);
      break;
    }
    return log_.access_count() != before;
  };
  const OperandRange ranges[] = {{shared, 8, AccessRight::kReadInPlace, OperandKind::kInput, 0},
                                 {shared, 8, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 1}};
  OperatorScope scope;
  scope.subgraph = scope.operator_index = -1;
  scope.operator_name = "self-test";
  scope.kernel_name = "planted";
  scope.operands = ranges;
  state_ = State::kIdle;
  for (int turn = 0; turn < 2; ++turn) {  // what was overwritten is forgotten with its operator
    OnOperatorBegins(scope);
    if (make(false)) self_test_.legal_reported.emplace_back("read in place of what is not yet overwritten");
    if (make(true)) self_test_.legal_reported.emplace_back("write in place");
    if (turn == 0) (make(false) ? self_test_.seen : self_test_.missed).emplace_back("read behind a write in place");
    OnOperatorEnds();
  }
}

// An operator reads and writes a constant, outside of the arena as the model is, in a phase in which no instrument
// wraps its kernel.
void AccessInstrument::TestReadOnly() {
  const std::span<std::byte> bytes =
      std::span(probe_).last(8);  // behind where the self-test takes place in a tiny arena
  static_assert(sizeof probe_ >= kPlantedAreaBytes + 8);
  const std::vector<std::byte> saved(bytes.begin(), bytes.end());
  const OperandRange constant{bytes.data(), bytes.size(), AccessRight::kRead, OperandKind::kConstant, 0};
  OperatorScope scope;
  scope.phase = OperatorPhase::kPrepare;
  scope.subgraph = scope.operator_index = -1;
  scope.operator_name = "self-test";
  scope.kernel_name = "planted";
  scope.operands = {&constant, 1};
  state_ = State::kIdle;
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (planted.bytes > bytes.size() || planted.any_alignment || planted.depends_on_bytes) continue;
    const std::uint64_t before = log_.access_count();
    OnOperatorBegins(scope);
    SetPlantedValue(kPlantedByte);
    planted.make(bytes.data());
    OnOperatorEnds();
    NotePlanted(log_.access_count() != before, planted.write, std::string(planted.what) + " of a constant");
    std::copy(saved.begin(), saved.end(), bytes.begin());
  }
}

void AccessInstrument::TestNesting(std::byte* of_callee, std::byte* of_caller) {
  const PlantedAccess* narrow = nullptr;
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (narrow == nullptr && planted.write != SeesAccesses() && planted.bytes <= 8) narrow = &planted;
  }
  const auto reported = [&](std::byte* address) {
    const std::uint64_t before = log_.access_count();
    SetPlantedValue(kPlantedByte);
    narrow->make(address);
    OnRuntimeEnters();  // some backends look when the operator's code stops running
    OnRuntimeLeaves();
    return log_.access_count() != before;
  };
  const auto begins = [this](const OperandRange& own, std::int32_t index) {
    OperatorScope scope;
    scope.subgraph = scope.operator_index = index;
    scope.operator_name = "self-test";
    scope.kernel_name = "planted";
    scope.operands = {&own, 1};
    OnOperatorBegins(scope);
  };
  const OperandRange callers{of_caller, 8, AccessRight::kReadWrite, OperandKind::kScratch, 0};
  const OperandRange callees{of_callee, 8, AccessRight::kReadWrite, OperandKind::kScratch, 0};
  const auto expect = [&](bool was_reported, bool illegal, const char* where) {
    NotePlanted(was_reported, illegal, std::string(narrow->write ? "write " : "read ") + where);
  };
  state_ = State::kIdle;
  begins(callers, -1);
  OnRuntimeEnters();
  begins(callees, -2);
  expect(reported(of_callee), false, "of its own by an operator that is called");
  expect(reported(of_caller), true, "of the caller's by an operator that is called");
  OnOperatorEnds();
  OnRuntimeLeaves();
  expect(reported(of_caller), false, "of its own by an operator after a call");
  expect(reported(of_callee), true, "of the callee's by an operator after a call");
  OnOperatorEnds();
}

}  // namespace arenaproof
