// The models whose set-ups are refused: every seed model, and one whose kernel asks for what those of the seeds do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/model/model_file.h"

namespace arenaproof {

// A tensor of the main graph that the application can serve, and its bytes.
struct OutsideTensor {
  std::int32_t tensor = 0;
  std::size_t bytes = 0;
};

struct Subject {
  std::string name;
  const KernelSet* kernels = nullptr;
  std::unique_ptr<ModelFile> file;   // of a model on disk
  std::vector<std::byte> own_bytes;  // of a built one
  std::optional<ValidatedModel> view;
  std::size_t arena_bytes = 0;              // three set-ups in a row fit, with the tails of two of them lost
  std::vector<OutsideTensor> outside;       // graph inputs that no plan fixes, at least one
  std::size_t offline_plan_copy_bytes = 0;  // the temporary that a model's own plan is copied into; 0 without one
};

// Sorted by name. Fails the test when a model of the folder corpus/models cannot be loaded or set up, and when the
// folder does not hold exactly the seed models.
void LoadSubjects(std::vector<Subject>* subjects);

}  // namespace arenaproof
