// The model of a check: loaded, with the kernels that serve it, and copied to memory that the instrument can watch.
#pragma once

#include <cstddef>
#include <optional>

#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/layout/relocated_model.h"
#include "tools/kernel_library/chosen_kernels.h"
#include "tools/model/model_file.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/run_refusal.h"

namespace arenaproof {

class CheckedModel {
 public:
  // `kernels` null: those that the arguments name, which may be a file's.
  std::optional<RunRefusal> Load(const CheckArguments& arguments, const KernelSet* kernels);

  // Copies the file with closed bytes around it, or around each of its constants, and announces the copy and the names
  // of its tensors to `instrument` (may be null).
  std::optional<RunRefusal> Place(Layout layout, AccessInstrument* instrument);

  // Of the copy, whatever kernels have written there; once placed.
  void Refresh() { relocated_.Refresh(file_.model().bytes()); }

  // The loaded file; null when it could not be opened.
  const ModelView* file() const { return opened_ ? &file_.view() : nullptr; }
  // The copy, once placed.
  const ValidatedModel& view() const { return relocated_.view(); }
  RelocatedModel& relocated() { return relocated_; }
  const KernelSet& kernels() const { return *kernels_; }
  const ChosenKernels& chosen_kernels() const { return chosen_; }

 private:
  void NameTensors(std::size_t subgraph, ByteRegistry& registry);

  ChosenKernels chosen_;
  const KernelSet* kernels_ = nullptr;
  ModelFile file_;
  bool opened_ = false;
  RelocatedModel relocated_;
};

}  // namespace arenaproof
