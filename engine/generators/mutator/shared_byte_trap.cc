// Reads one byte past a heap block through an inline function that the mutator uses too, as a target would whose parser
// is wrong. Linked behind the mutator, so that the mutator's copy of the function is the one that runs. A build in
// which the sanitizer does not end this program has a mutator that blinds its target.
#include <cstdio>
#include <vector>

#include "engine/generators/mutator/model_object.h"
#include "engine/generators/mutator/shared_byte.h"

int main(int argument_count, char**) {
  // Keeps the mutator's object file in the program.
  const arenaproof::ModelObject model = arenaproof::SmallestModelObject();
  std::vector<std::uint8_t> block = arenaproof::WriteModelObject(*model);
  block.shrink_to_fit();
  const std::size_t index = block.size() - 1 + static_cast<std::size_t>(argument_count);
  std::printf("read %d out of bounds and nobody noticed\n", arenaproof::SharedByteAt(block.data(), index));
  return 0;
}
