#include "tools/text/memory_end.h"

#include <cxxabi.h>

#include <cstdlib>
#include <new>
#include <typeinfo>

namespace arenaproof {

bool MemoryRanOut() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr) return *thrown == typeid(std::bad_alloc) || *thrown == typeid(std::bad_array_new_length);
  // As much as an exception takes. (Volatile: a compiler may leave out a block that is freed at once, as if there
  // had been one.)
  void* volatile block = std::malloc(256);
  if (block == nullptr) return true;
  std::free(block);
  return false;
}

}  // namespace arenaproof
