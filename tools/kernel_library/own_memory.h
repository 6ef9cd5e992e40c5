// Reads this process's own memory at addresses that somebody else gave: what cannot be read is refused, where a load
// would end the process.
#pragma once

#include <cstddef>
#include <string>

namespace arenaproof {

class OwnMemory {
 public:
  OwnMemory();
  ~OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;

  // Copies all of them, or returns false.
  [[nodiscard]] bool Read(const void* from, void* to, std::size_t bytes) const;

  enum class TextEnd { kTerminated, kUnreadable, kTooLong };
  // The text up to its zero, which has to be one of the first `most_bytes` bytes.
  [[nodiscard]] TextEnd ReadText(const char* from, std::size_t most_bytes, std::string* text) const;

 private:
  int read_end_ = -1, write_end_ = -1;
};

}  // namespace arenaproof
