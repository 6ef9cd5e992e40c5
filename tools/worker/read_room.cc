#include "tools/worker/read_room.h"

#include "sanitizers/report/attribution.h"
#include "sanitizers/report/violation.h"
#include "tools/text/names.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// How far the bytes of the tensor can be followed on both sides without leaving what holds them.
struct Room {
  std::size_t before_bytes, after_bytes;
  bool in_model;
};

Room RoomBeside(MemoryRegion bytes, MemoryRegion holder, bool in_model) {
  const std::uintptr_t begin = AddressOf(bytes.data), from = AddressOf(holder.data);
  return {begin - from, from + holder.bytes - (begin + bytes.bytes), in_model};
}

std::string Sentence(const AllowedRead& read, bool before, const Room& room) {
  const std::size_t wanted = before ? read.before_bytes : read.after_bytes;
  const std::size_t given = before ? room.before_bytes : room.after_bytes;
  const std::string missing = Counted(static_cast<long long>(wanted - given), "byte");
  const std::string right = room.in_model ? missing + " more " + (before ? "in front of it" : "at the end of the file")
                            : before      ? "--reserve-front=" + std::to_string(wanted - given) + " or more"
                                          : "an arena with " + missing + " more behind it (--arena-bytes)";
  return "kernel '" + read.kernel + "' declares that " + read.operator_name + " (operator " +
         std::to_string(read.operator_index) + ") reads " + Counted(static_cast<long long>(wanted), "byte") +
         (before ? " before " : " behind ") + OperandKindName(read.kind) + " " + std::to_string(read.tensor) + " '" +
         Printable(read.tensor_name) + "', where " + (room.in_model ? "the model file" : "the arena's allocation") +
         " has " + std::to_string(given) + "; " + right + " would be right";
}

}  // namespace

std::string MissingRoom(std::span<const AllowedRead> reads, const ModelView& model, const DeviceBytes& device) {
  for (const AllowedRead& read : reads) {
    const TensorView tensor =
        model.tensor(static_cast<std::size_t>(read.subgraph), static_cast<std::size_t>(read.tensor));
    std::vector<Room> rooms;
    if (read.kind == OperandKind::kConstant && !tensor.data.empty()) {
      const MemoryRegion file{model.bytes().data(), model.bytes().size()};
      rooms.push_back(RoomBeside({tensor.data.data(), tensor.data.size()}, file, true));
    }
    for (const PlanEntry& entry : device.plan) {
      if (!read.IsOf(entry)) continue;
      rooms.push_back(RoomBeside({device.head_start + entry.offset, entry.bytes}, device.allocation, false));
    }
    for (const Room& room : rooms) {
      if (read.before_bytes > room.before_bytes) return Sentence(read, true, room);
      if (read.after_bytes > room.after_bytes) return Sentence(read, false, room);
    }
  }
  return {};
}

}  // namespace arenaproof
