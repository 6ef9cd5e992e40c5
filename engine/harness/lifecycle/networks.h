// The networks of the lifecycle machine: small models whose operators do byte arithmetic that a few lines of plain code
// can predict, and whose kernels complain when the memory that they were given is not theirs alone.
//
//   kAccumulate  inputs x, variable v, constant c; output y: v += x, then y = v ^ c           (one size)
//   kMix         inputs a, b; output y: y[i] = 3 a[i mod |a|] + b[i mod |b|]
//   kStretch     input a; output y: y[i] = a[i mod |a|] + i
//   kCount       input variable v, no output: v[0] += 1
//   kIf          input 0 a bool, the rest go to the subgraph that it chooses
//   kCallOnce    runs its subgraph in the first invoke that gets there
//   kStep        input a; output y: y[i] = a[i] - 1                                        (one size)
//   kAnyLeft     input a; output a bool: whether a[0] mod 4 is not 0
//   kWhile       its first subgraph says whether its second one runs (once more)
//   kHandle, kRead, kAssign   a resource variable: its handle, to a tensor, from a tensor
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

enum class NetworkOperation : std::uint8_t {
  kAccumulate,
  kMix,
  kStretch,
  kCount,
  kStep,
  kAnyLeft,
  kIf,
  kCallOnce,
  kWhile,
  kHandle,
  kRead,
  kAssign
};

// Whether the kernel is one of ours, which counts its runs and complains.
inline bool IsOwn(NetworkOperation operation) { return operation < NetworkOperation::kIf; }

struct NetworkTensor {
  std::size_t bytes = 0;
  bool variable = false;
  bool truth = false;                       // a bool of one element
  std::vector<std::uint8_t> constant = {};  // its value
  std::uint8_t zero_point = 0;              // of a variable: what a reset fills it with
  const char* resource = nullptr;           // a handle's: the name of the resource variable
};

struct NetworkOperator {
  NetworkOperation operation;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> called = {};  // subgraphs
};

struct NetworkGraph {
  std::vector<NetworkTensor> tensors;
  std::vector<NetworkOperator> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

struct Network {
  std::string name;
  std::vector<NetworkGraph> graphs;  // the main one first
  std::vector<std::byte> file;
  std::optional<ValidatedModel> view;  // of the file
};

// Built once; references stay valid.
const std::vector<Network>& Networks();

// The name under which its operators are reported.
const char* NameOf(NetworkOperation operation);

// The kernels of all networks.
const KernelSet& NetworkKernels();

// What the kernels do besides their arithmetic, and what they found.
struct KernelOrders {
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  std::size_t runs = 0;                  // of own kernels' invoke (IsOwn) so far
  std::size_t fail_at_run = kNever;      // this one fails before it does anything
  std::size_t prepares = 0;              // of own kernels
  std::size_t leak_at_prepare = kNever;  // this one keeps a temporary
  std::size_t contexts = 0;              // external contexts that kernels set: one for each set-up that comes so far
  std::function<void()> meanwhile;       // what the application does while a kernel's init runs
  std::string complaint;                 // the first one
};
KernelOrders& Orders();

}  // namespace arenaproof
