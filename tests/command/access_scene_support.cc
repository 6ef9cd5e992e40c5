#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sanitizers/self_test/planted_oracle.h"
#include "tests/command/access_model.h"
#include "tests/command/access_scene.h"
#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

// The planner's own choice, the same for every model of this kind.
std::int32_t ScratchOffset() {
  static const std::int32_t offset = [] {
    const auto run = Arenaproof("describe --json " + AccessModel({}).Write() + " --kernels=" + AccessLibrary("plain"));
    const nlohmann::json report = ParseJson(run.output);
    for (const auto& buffer : report.at("plan")) {
      if (buffer.at("scratch") == 0) return buffer.at("offset").get<std::int32_t>();
    }
    throw std::runtime_error("the plan has no scratch buffer: " + run.errors);
  }();
  return offset;
}

// Arena and file as bytes of this process, in which addresses stand for those of the run.
struct Space {
  alignas(64) std::byte arena[kAccessArenaBytes];
  std::vector<std::byte> file;

  const std::byte* Of(const AccessTensor& tensor) const {
    if (tensor.offset >= 0) return arena + tensor.offset;
    const std::vector<std::byte> data(kTensorBytes, static_cast<std::byte>(tensor.every_byte));
    return &*std::search(file.begin(), file.end(), data.begin(), data.end());
  }
};

std::vector<OperandRange> OperandsOf(const AccessModel& model, std::size_t row, const Space& space) {
  std::vector<OperandRange> operands;
  for (const std::int32_t index : model.operands(row)) {
    const AccessTensor& tensor = model.tensor(index);
    const bool output = !operands.empty();
    operands.push_back({space.Of(tensor), static_cast<std::size_t>(tensor.bytes),
                        output ? AccessRight::kReadWrite : AccessRight::kRead,
                        output              ? OperandKind::kOutput
                        : tensor.offset < 0 ? OperandKind::kConstant
                                            : OperandKind::kInput,
                        index});
  }
  return operands;
}

void Expect(std::span<const OperandRange> operands, const AccessModel& model, PlacedRow& placed) {
  const AccessWords& words = placed.row.words;
  const AccessPlace place = placed.row.place;
  const OperandRange& base = operands[words.base == AccessBase::kOutput ? 1 : 0];
  placed.base_kind = OperandKindName(base.kind);
  placed.base_name = model.tensor(base.index).name;
  placed.base_bytes = base.bytes;
  placed.result_name = model.tensor(operands[1].index).name;
  placed.base_address = reinterpret_cast<std::uintptr_t>(base.data);
  placed.only_far = place == AccessPlace::kTail || place == AccessPlace::kTemporary || place == AccessPlace::kRuntime;
  if (placed.only_far) return;
  const auto expect = [&](std::int32_t at, std::size_t bytes) {
    const PlantedAccess access{
        .what = "", .bytes = bytes, .write = words.kind == AccessKind::kStore, .any_alignment = true, .make = nullptr};
    return ExpectPlanted(access, base.data + at, operands);
  };
  const PlantedExpectation expected = expect(words.at, static_cast<std::size_t>(words.bytes));
  const auto end = static_cast<std::int32_t>(base.bytes);
  placed.distance_of_first_bytes = expect(words.at < 0 ? words.at : std::max(words.at, end), 1).distance_bytes;
  placed.side = expected.side;
  // Behind the gap the next operand of the pair is open.
  placed.distance_bytes = place == AccessPlace::kBetween ? std::size_t{kGapBytes} : expected.distance_bytes;
  placed.operand_kind = OperandKindName(expected.operand->kind);
  placed.operand_name = model.tensor(expected.operand->index).name;
}

}  // namespace

std::vector<AccessRow> ChosenRows(const RowChoice& choice) {
  AccessPlaces places = PlannedPlaces();
  places.scratch = ScratchOffset();
  const std::vector<AccessRow> table = AccessRows(places);
  std::vector<AccessRow> chosen;
  for (std::size_t i = 0; i < table.size(); i += choice.every) {
    if (choice.undone || !table[i].only_where_undone) chosen.push_back(table[i]);
  }
  return chosen;
}

AccessScene::AccessScene(std::span<const AccessRow> rows) {
  static Space space;
  AccessModel model(rows);
  model_ = model.Write();
  space.file = ReadFileBytes(model_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto index = kFirstAccessOperator + static_cast<std::int32_t>(i);
    PlacedRow& placed = rows_.emplace_back(PlacedRow{.row = rows[i], .operator_index = index});
    Expect(OperandsOf(model, i, space), model, placed);
  }
}

}  // namespace arenaproof::testing
