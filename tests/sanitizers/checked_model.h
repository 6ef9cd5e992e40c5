// A model file run once in checked memory with an instrument attached, in one of the layouts; the build's instrument.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/layout/dilating_planner.h"
#include "sanitizers/layout/layout.h"
#include "sanitizers/layout/relocated_model.h"

namespace arenaproof::testing {

// The instrument that this build has compiled in; empty when there is none.
std::string OwnInstrument();

class CheckedModel {
 public:
  // `reserve_bytes`: kept in front of the arena.
  CheckedModel(const std::string& instrument, Layout layout, std::size_t reserve_bytes = 0,
               std::size_t arena_bytes = std::size_t{1} << 21);

  // Before Run, in the faithful layout. It lives as long as this object.
  void PlanWith(MemoryPlanner& planner) { planner_ = &planner; }

  // Set-up and one invoke with generated inputs.
  Status Run(const std::filesystem::path& path, const std::string& kernels);
  Status Run(const std::vector<std::byte>& file, const std::string& kernels);
  Status Run(const std::vector<std::byte>& file, const KernelSet& kernels);

  const AccessInstrument& instrument() const { return *instrument_; }
  const std::vector<Violation>& groups() const { return instrument_->log().groups(); }
  std::vector<std::byte> FirstOutput() const;

 private:
  Layout layout_;
  std::unique_ptr<AccessInstrument> instrument_;
  RelocatedModel relocated_;
  CheckedMemory arena_;
  GreedyPlanner greedy_;
  DilatingPlanner dilating_{greedy_};
  MemoryPlanner* planner_ = nullptr;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace arenaproof::testing
