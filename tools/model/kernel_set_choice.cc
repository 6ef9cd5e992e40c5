#include "tools/model/kernel_set_choice.h"

#include "kernels/kernel_sets.h"

namespace arenaproof {

std::string UnknownKernelSet(const std::string& name) {
  if (FindKernelSet(name) != nullptr) return {};
  std::string problem = "there is no kernel set '" + name + "'; known are";
  const char* separator = " ";
  for (const KernelSet* known : AllKernelSets()) {
    problem += separator + std::string(known->name);
    separator = ", ";
  }
  return problem;
}

}  // namespace arenaproof
