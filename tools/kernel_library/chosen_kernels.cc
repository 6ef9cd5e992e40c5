#include "tools/kernel_library/chosen_kernels.h"

#include "kernels/kernel_sets.h"

namespace arenaproof {

std::optional<KernelRefusal> ChosenKernels::Choose(const KernelChoice& choice, std::string_view instrument) {
  if (std::string problem = WrongKernelChoice(choice); !problem.empty()) {
    const bool files = NamesKernelFiles(choice.kernels);
    return KernelRefusal{files ? ToolRefusal::kKernelFileUnreadable : ToolRefusal::kKernelsUnknown, std::move(problem)};
  }
  if (!NamesKernelFiles(choice.kernels)) {
    set_ = FindKernelSet(choice.kernels);
    return {};
  }
  if (std::string problem = NoKernelFileFor(choice, instrument); !problem.empty()) {
    return KernelRefusal{ToolRefusal::kKernelFileUnreadable, std::move(problem)};
  }
  KernelFiles files;
  files.Read(choice.kernels);
  const KernelSet* const fallback = choice.fallback == "none" ? nullptr : FindKernelSet(choice.fallback);
  if (auto refused = library_.Load(files.ForInstrument(instrument), BuildFor(instrument), fallback)) return refused;
  loaded_ = true;
  hidden_ = !SeesWithHooks(instrument, library_.hooks());
  set_ = &library_.kernels().set();
  return {};
}

bool ChosenKernels::Hides(const Kernel* kernel) const {
  return loaded_ && hidden_ && kernel != nullptr && library_.kernels().Has(kernel);
}

}  // namespace arenaproof
