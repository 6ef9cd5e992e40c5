// The simple model: what is alive, whose it is, and what it holds, as far as a kernel's calls can depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/harness/kernel_services/granted_memory.h"

namespace arenaproof {

enum class ScriptPhase : std::uint8_t { kNone, kInit, kPrepare, kInvoke, kReset, kFree };

struct OperatorPlace {
  std::size_t graph = 0, index = 0;
  bool operator==(const OperatorPlace&) const = default;
};

struct ServiceTensorState {
  std::byte* placed = nullptr;        // by its operator, in this set-up
  std::byte* preallocated = nullptr;  // the application's buffer
  std::byte* address = nullptr;       // once allocated
  bool shares = false;                // its operator placed another output on it
  bool known = false;                 // what it holds
  std::vector<std::byte> value;
};

struct ServiceOperatorState {
  std::vector<GrantedBlock> persistent;
  std::vector<std::size_t> scratch_bytes;
  std::size_t first_scratch = 0;
  void* op_data = nullptr;
  std::size_t resets = 0;  // since it was last looked
};

struct ServiceResource {
  std::string container, name;
  bool sized = false;
  std::uint8_t fill = 0;
  std::vector<std::byte> value;
};

// A graph that runs, and how far it came.
struct RunningGraph {
  std::size_t graph = 0;
  std::ptrdiff_t asked = -2;  // the operator about which the application was asked last; -1: the graph's start
  std::size_t next = 0;       // operator
  std::optional<Status> ended;
};

struct ServiceState {
  std::vector<std::vector<ServiceTensorState>> tensors;      // by graph
  std::vector<std::vector<ServiceOperatorState>> operators;  // by graph
  std::vector<GrantedBlock> temporaries;                     // of the operator that prepares
  std::vector<std::byte*> given_back;                        // temporaries of it
  std::vector<ServiceResource> resources;
  std::vector<RunningGraph> running;
  void* context = nullptr;
  bool context_is_of_kernels = false;
  bool allocated = false;
  std::optional<OperatorPlace> failed;  // the innermost operator that failed
};

}  // namespace arenaproof
