#include <iterator>
#include <utility>

#include "tests/command/access_rows.h"

namespace arenaproof::testing {
namespace {

constexpr AccessKind kAll[] = {AccessKind::kLoad, AccessKind::kUsedLoad, AccessKind::kStore};

struct Shape {
  std::int32_t bytes, distance;
  bool by_call = false;
};

// Wholly outside of an operand of 64 bytes, as far as to its neighbour's end.
constexpr Shape kOutside[] = {{1, 1},   {1, 64},  {2, 5},   {4, 4},         {8, 33},
                              {16, 16}, {16, 64}, {32, 48}, {64, 64, true}, {3, 5, true}};

class Rows {
 public:
  explicit Rows(const AccessPlaces& places) : places_(places) {}

  std::vector<AccessRow> Make() {
    AddGrid();
    AddEdges();
    AddNeighbours();
    AddFarPlaces();
    AddModelPlaces();
    AddReadOnly();
    return std::move(rows_);
  }

 private:
  AccessRow& Add(AccessPlace place, BaseTensor tensor, AccessKind kind, AccessBase base, std::int32_t at,
                 const Shape& shape) {
    AccessRow& row = rows_.emplace_back();
    row.place = place;
    row.tensor = tensor;
    row.words.kind = kind;
    row.words.base = base;
    row.words.by_call = shape.by_call ? 1 : 0;
    row.words.at = at;
    row.words.bytes = shape.bytes;
    return row;
  }

  // Its furthest byte is so many bytes away from a base of `base_bytes`.
  AccessRow& AddBeside(AccessPlace place, BaseTensor tensor, AccessKind kind, AccessBase base, std::size_t base_bytes,
                       bool before, const Shape& shape) {
    const auto end = static_cast<std::int32_t>(base_bytes);
    return Add(place, tensor, kind, base, before ? -shape.distance : end + shape.distance - shape.bytes, shape);
  }

  // Every width at every distance, also those that begin or end in the operand.
  void AddGrid() {
    constexpr Shape kWidths[] = {{1, 0},  {2, 0},       {4, 0},       {8, 0},        {16, 0},      {32, 0},
                                 {64, 0}, {3, 0, true}, {7, 0, true}, {24, 0, true}, {63, 0, true}};
    constexpr std::int32_t kDistances[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64};
    for (const bool before : {true, false}) {
      const AccessPlace place = before ? AccessPlace::kBefore : AccessPlace::kBehind;
      for (const Shape& width : kWidths) {
        for (const std::int32_t distance : kDistances) {
          const Shape shape{width.bytes, distance, width.by_call};
          AddBeside(place, BaseTensor::kSpaced, AccessKind::kLoad, AccessBase::kInput, kTensorBytes, before, shape);
          AddBeside(place, BaseTensor::kSpaced, AccessKind::kStore, AccessBase::kOutput, kTensorBytes, before, shape);
          if (distance == 1 || distance == 16 || distance == 64) {
            AddBeside(place, BaseTensor::kSpaced, AccessKind::kUsedLoad, AccessBase::kInput, kTensorBytes, before,
                      shape);
          }
        }
      }
    }
  }

  // Byte by byte where granules and alignments leave some open, and over a gap of less than a granule.
  void AddEdges() {
    for (const AccessKind kind : kAll) {
      for (const std::int32_t distance : {1, 2, 3, 4, 5, 8, 11, 12, 13, 24}) {
        const Shape byte{1, distance};
        AddBeside(AccessPlace::kBeforeOdd, BaseTensor::kOdd, kind, AccessBase::kInput, kOddBytes, true, byte);
        AddBeside(AccessPlace::kBehindOdd, BaseTensor::kOdd, kind, AccessBase::kInput, kOddBytes, false, byte);
        if (kind == AccessKind::kStore || distance > 8) continue;
        AddBeside(AccessPlace::kBeforeLoose, BaseTensor::kLoose, kind, AccessBase::kInput, kTensorBytes, true, byte);
      }
      constexpr Shape kOver[] = {{8, 5}, {16, 11}, {32, 19}, {7, 6, true}};
      for (const Shape& shape : kOver) {
        Add(AccessPlace::kBetween, BaseTensor::kSpaced, kind, AccessBase::kOutput,
            kFirstOfPairBytes + shape.distance - shape.bytes, shape);
      }
    }
  }

  // On both sides of a tensor: others without a byte in between.
  void AddNeighbours() {
    constexpr struct {
      AccessPlace place;
      BaseTensor tensor;
    } kBeside[] = {{AccessPlace::kDead, BaseTensor::kDeadBeside},
                   {AccessPlace::kUnborn, BaseTensor::kUnbornBeside},
                   {AccessPlace::kLive, BaseTensor::kLiveBeside}};
    for (const auto& [place, tensor] : kBeside) {
      for (const AccessKind kind : kAll) {
        for (const Shape& shape : kOutside) {
          for (const bool before : {true, false}) {
            AddBeside(place, tensor, kind, AccessBase::kInput, kTensorBytes, before, shape);
          }
        }
      }
    }
  }

  // Distances to the operands are what the places make of them.
  void AddFarPlaces() {
    constexpr Shape kWidths[] = {{1, 0}, {8, 0}, {16, 0}, {64, 0}, {24, 0, true}};
    constexpr auto kMiddle = static_cast<std::int32_t>(kHeldBytes / 2);
    for (const AccessKind kind : kAll) {
      for (const Shape& width : kWidths) {
        const auto add = [&](AccessPlace place, std::int32_t offset) -> AccessRow& {
          return Add(place, BaseTensor::kSpaced, kind, AccessBase::kInput, offset - places_.spaced, width);
        };
        add(AccessPlace::kScratch, places_.scratch + kMiddle);
        add(AccessPlace::kGap, places_.gap);
        add(AccessPlace::kRuntime, places_.runtime - width.bytes).only_where_undone = kind == AccessKind::kStore;
        for (const bool in_prepare : {false, true}) {
          if (in_prepare && kind == AccessKind::kUsedLoad) continue;
          for (const auto& [place, base] : {std::pair{AccessPlace::kTail, AccessBase::kPersistentOfHolder},
                                            std::pair{AccessPlace::kTemporary, AccessBase::kTemporaryOfHolder}}) {
            AccessRow& row = Add(place, BaseTensor::kSpaced, kind, base, kMiddle, width);
            row.words.in_prepare = in_prepare ? 1 : 0;
            // In prepare the runtime may have something of its own there.
            row.only_where_undone = kind == AccessKind::kStore && in_prepare && place == AccessPlace::kTemporary;
          }
        }
      }
    }
  }

  // Behind a constant lie 16 bytes that say where the next one is, and then the next one.
  void AddModelPlaces() {
    constexpr Shape kInFile[] = {{1, 1}, {4, 4}, {8, 12}, {3, 7, true}};
    constexpr Shape kInConstant[] = {{1, 17}, {1, 40}, {4, 24}, {8, 33}, {16, 40}, {16, 64}, {32, 64}, {7, 25, true}};
    for (const AccessKind kind : kAll) {
      for (const Shape& shape : kInFile) {
        AddBeside(AccessPlace::kModelFile, BaseTensor::kConstant, kind, AccessBase::kInput, kTensorBytes, false, shape)
            .only_where_undone = kind == AccessKind::kStore;
      }
      for (const Shape& shape : kInConstant) {
        AddBeside(AccessPlace::kConstant, BaseTensor::kConstant, kind, AccessBase::kInput, kTensorBytes, false, shape);
      }
    }
  }

  // Each byte once: the next write of the same would change nothing.
  void AddReadOnly() {
    constexpr Shape kWidths[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}};
    for (const auto& [place, tensor] : {std::pair{AccessPlace::kReadOnly, BaseTensor::kSpaced},
                                        std::pair{AccessPlace::kReadOnlyModel, BaseTensor::kConstant}}) {
      std::int32_t at = 0;
      for (const Shape& width : kWidths) {
        Add(place, tensor, AccessKind::kStore, AccessBase::kInput, at, width);
        at += width.bytes;
      }
    }
  }

  const AccessPlaces places_;
  std::vector<AccessRow> rows_;
};

}  // namespace

const char* AccessPlaceName(AccessPlace place) {
  constexpr const char* kNames[] = {"gap before",
                                    "gap behind",
                                    "gap before, odd size",
                                    "gap behind, odd size",
                                    "before a loose constant",
                                    "gap between operands",
                                    "dead tensor",
                                    "unborn tensor",
                                    "live tensor",
                                    "foreign scratch",
                                    "former temporary",
                                    "far gap",
                                    "foreign block of the tail",
                                    "the runtime's records",
                                    "other constant",
                                    "model file",
                                    "own input, written",
                                    "own constant, written"};
  static_assert(std::size(kNames) == kAccessPlaceCount);
  return kNames[static_cast<std::size_t>(place)];
}

std::vector<AccessRow> AccessRows(const AccessPlaces& places) { return Rows(places).Make(); }

std::string Describe(const AccessRow& row) {
  constexpr const char* kKinds[] = {"nothing", "load", "used load", "store"};
  return std::string(AccessPlaceName(row.place)) + ": " + (row.words.by_call != 0 ? "call, " : "") +
         kKinds[static_cast<std::size_t>(row.words.kind)] + " of " + std::to_string(row.words.bytes) +
         " bytes from byte " + std::to_string(row.words.at) + " on" + (row.words.in_prepare != 0 ? ", in prepare" : "");
}

}  // namespace arenaproof::testing
