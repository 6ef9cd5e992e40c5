// What a library of kernels calls: of another library, which has no hooks, once by its name and once out of a table.
#include <cstddef>

extern "C" void CopyElsewhere(const float* from, float* to, std::size_t count);
void CopyElsewhere(const float* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

using Copy = void (*)(const float* from, float* to, std::size_t count);
extern "C" const Copy copies_elsewhere[];
const Copy copies_elsewhere[] = {CopyElsewhere};
