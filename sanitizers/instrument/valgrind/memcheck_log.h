// The text that memcheck writes about errors, as far as an instrument understands it.
//
//   ==812== Invalid read of size 16
//   ==812==    at 0x48A1B2: Dot (example.cc:141)
//   ==812==  Address 0x515f010 is in a rw- anonymous segment
//   ==812==
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arenaproof {

struct MemcheckError {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kUnwrittenUse,  // a branch, an address or an argument of the system was made from what nobody has written
    kOther,         // no access: a wrong free(), copies that overlap
    kUnknown        // of a text that says nothing here
  };
  Kind kind = Kind::kUnknown;
  std::size_t bytes = 0;       // of an access; 0: not known
  std::uintptr_t address = 0;  // of an access
  unsigned mark = 0;           // the mark written last before it (memcheck_requests.h); 0: none

  bool is_access() const { return (kind == Kind::kRead || kind == Kind::kWrite) && bytes > 0; }
};

// The errors of the process in `text`, in their order.
std::vector<MemcheckError> ReadMemcheckLog(std::string_view text, pid_t process);

// The log of this process and of all others that began as copies of its worker, a file that memcheck appends to.
class MemcheckLog {
 public:
  // Where the next instrument finds it; -1: nowhere.
  static void UseDescriptor(int descriptor);
  static bool Exists();

  // What was written since the last call, or since the process began to write.
  std::string TakeText();

 private:
  off_t taken_ = 0;
};

}  // namespace arenaproof
