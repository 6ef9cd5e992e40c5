// An inline function that the mutator and its tests share, as mutator and target share flatbuffers' and the standard
// library's. Of such a function the linker keeps one copy. Were the mutator built without instrumentation, its copy
// could be the one, and the target would be blind there without a word: a test reads out of bounds through this one
// and has to be caught (CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

[[gnu::noinline]] inline std::uint8_t SharedByteAt(const std::uint8_t* bytes, std::size_t index) {
  return bytes[index];
}

}  // namespace arenaproof
