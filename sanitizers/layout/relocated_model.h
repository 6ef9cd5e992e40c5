// A copy of a model file for checking: closed bytes around it and, in the dilated layout, every constant at a place of
// its own with closed bytes on both sides.
//
// The copy starts on a multiple of 64, so a constant's faithful address modulo 64 is its position in the file modulo
// 64; its dilated address is equal to that modulo 64. At least 64 closed bytes lie on each side of each constant (128
// between two). Buffers that share bytes of the file move together, as they lie there.
//
// Use: Watch() every region of regions() with the instrument, run view(), give *this to the interpreter as its
// ConstantPlacement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/constant_placement.h"
#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/layout/layout.h"

namespace arenaproof {

class RelocatedModel final : public ConstantPlacement {
 public:
  // Copies the file of `original`, which need not stay. kLayoutMemory; on failure *model is left as it was.
  static Status Create(const ValidatedModel& original, Layout layout, RelocatedModel* model);

  Layout layout() const { return layout_; }
  std::span<const std::byte> file() const { return file_.span(); }
  // The model in the copy, once created.
  const ValidatedModel& view() const { return *view_; }
  // The file's copy and, in the dilated layout of a model that has constants, the constants.
  std::vector<WatchedRegion> regions() const;

  // Puts back what kernels have written there; `file` holds the original's bytes.
  void Refresh(std::span<const std::byte> file) {
    CopyFile(file);
    CopyConstants();
  }

  // A stretch of the file that moves in one piece, and where to.
  struct Move {
    std::size_t begin, end, place;
  };

  const std::byte* Locate(std::uint32_t buffer_index, const std::byte* in_file) override;

 private:
  Status MoveConstants();
  void CopyFile(std::span<const std::byte> file);
  void CopyConstants();

  Layout layout_ = Layout::kFaithful;
  CheckedMemory file_{0};
  std::optional<ValidatedModel> view_;
  CheckedMemory constants_{0};
  std::vector<Move> moves_;
  std::vector<const std::byte*> places_;  // by buffer index; null: in the file
};

}  // namespace arenaproof
