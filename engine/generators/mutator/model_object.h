// Model files as objects that can be changed, and back. The generated types stay out of this header: it costs seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace arenaproof::wire {
struct ModelT;
}

namespace arenaproof {

struct ModelObjectDeleter {
  void operator()(wire::ModelT* object) const;
};
using ModelObject = std::unique_ptr<wire::ModelT, ModelObjectDeleter>;

// Null unless the verifier accepts the bytes (with the limits of ModelView::Open), no list of 64-bit numbers lies on
// four bytes only (flatbuffers' objects would read it misaligned), and nothing is longer than kMostObjectBytes.
inline constexpr std::size_t kMostObjectBytes = 16 * 1024;
ModelObject ReadModelObject(std::span<const std::uint8_t> file);

// A file that the verifier accepts, whatever its numbers mean. What an object cannot hold is lost: empty lists become
// absent ones, an options type without its table becomes none.
std::vector<std::uint8_t> WriteModelObject(wire::ModelT& object);

// RELU of one float tensor.
ModelObject SmallestModelObject();

}  // namespace arenaproof
