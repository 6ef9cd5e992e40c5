#include "sanitizers/layout/relocated_model.h"

#include <algorithm>
#include <cstring>

#include "core/model/model_view.h"

namespace arenaproof {
namespace {

struct FileExtent {
  std::size_t begin, end;  // in the file
  std::uint32_t buffer;
};

std::vector<FileExtent> ConstantExtents(const ModelView& model) {
  std::vector<FileExtent> extents;
  for (std::size_t i = 0; i < model.buffer_count(); ++i) {
    const std::span<const std::byte> data = model.buffer(i).data;
    if (data.empty()) continue;
    const std::size_t begin = static_cast<std::size_t>(data.data() - model.bytes().data());
    extents.push_back({begin, begin + data.size(), static_cast<std::uint32_t>(i)});
  }
  std::sort(extents.begin(), extents.end(), [](const FileExtent& a, const FileExtent& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.buffer < b.buffer;
  });
  return extents;
}

// Extents that share bytes become one stretch, so the places never need more than the file and the room between.
std::vector<RelocatedModel::Move> ArrangeMoves(std::span<const FileExtent> extents) {
  std::vector<RelocatedModel::Move> moves;
  for (const FileExtent& extent : extents) {
    if (!moves.empty() && extent.begin < moves.back().end) {
      moves.back().end = std::max(moves.back().end, extent.end);
    } else {
      moves.push_back({extent.begin, extent.end, 0});
    }
  }
  std::size_t free = kClosedBytes;
  for (RelocatedModel::Move& move : moves) {
    move.place = free + (move.begin - free) % kClosedBytes;  // the first from `free` on that is equal modulo 64
    free = move.place + (move.end - move.begin) + 2 * kClosedBytes;
  }
  return moves;
}

}  // namespace

Status RelocatedModel::Create(const ValidatedModel& original, Layout layout, RelocatedModel* model) {
  const std::span<const std::byte> file = original.bytes();
  RelocatedModel result;
  result.layout_ = layout;
  result.file_ = CheckedMemory(file.size());
  if (result.file_.data() == nullptr) return Failure(StatusCode::kLayoutMemory, file.size());
  result.CopyFile(file);
  result.view_ = original.OfCopy(result.file());
  if (layout == Layout::kDilated) ARENAPROOF_RETURN_IF_ERROR(result.MoveConstants());
  result.CopyConstants();
  *model = std::move(result);
  return Ok();
}

void RelocatedModel::CopyFile(std::span<const std::byte> file) {
  if (!file.empty()) std::memcpy(file_.data(), file.data(), file.size());
}

void RelocatedModel::CopyConstants() {
  for (const Move& stretch : moves_) {
    std::memcpy(constants_.data() + stretch.place, file_.data() + stretch.begin, stretch.end - stretch.begin);
  }
}

Status RelocatedModel::MoveConstants() {
  const std::vector<FileExtent> extents = ConstantExtents(*view_);
  if (extents.empty()) return Ok();
  moves_ = ArrangeMoves(extents);
  const std::size_t bytes = moves_.back().place + (moves_.back().end - moves_.back().begin) + kClosedBytes;
  constants_ = CheckedMemory(bytes);
  if (constants_.data() == nullptr) return Failure(StatusCode::kLayoutMemory, bytes);
  places_.resize(view_->buffer_count(), nullptr);
  auto move = moves_.begin();
  for (const FileExtent& extent : extents) {
    while (extent.begin >= move->end) ++move;
    places_[extent.buffer] = constants_.data() + move->place + (extent.begin - move->begin);
  }
  return Ok();
}

std::vector<WatchedRegion> RelocatedModel::regions() const {
  std::vector<WatchedRegion> regions{file_.region()};
  if (constants_.bytes() > 0) regions.push_back(constants_.region());
  return regions;
}

const std::byte* RelocatedModel::Locate(std::uint32_t buffer_index, const std::byte* in_file) {
  const bool moved = buffer_index < places_.size() && places_[buffer_index] != nullptr;
  return moved ? places_[buffer_index] : in_file;
}

}  // namespace arenaproof
