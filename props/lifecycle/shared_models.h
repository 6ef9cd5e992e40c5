// Models that share an allocator, what their kernels ask for, and what they were given. The kernels hold every answer
// of the runtime against what this very attempt has asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::sharing {

inline constexpr std::size_t kCapacity = 3;   // of each table of resource variables
inline constexpr std::size_t kNameCount = 4;  // one more than it takes
inline constexpr std::size_t kNever = static_cast<std::size_t>(-1);

using Bytes = std::vector<std::byte>;

struct Sized {
  std::size_t name = 0;
  std::size_t bytes = 0;
};

// What an operator asks for.
struct Wishes {
  std::size_t init_bytes = 0;  // a block
  std::vector<std::size_t> block_bytes;
  std::vector<std::size_t> scratch_bytes;
  std::vector<Sized> resources;
};

struct Attempt {
  std::vector<Wishes> operators;
  std::size_t fails_at = kNever;   // the prepare of this operator
  std::size_t refused = kNever;    // this operation of the arena, from the set-up's last one
  std::size_t takes_all = kNever;  // this operator takes all that the tail has, but for
  std::ptrdiff_t spare_bytes = 0;  // these
};

struct Block {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::byte pattern{};
};

struct Value {
  std::int32_t id = 0;
  std::size_t bytes = 0;  // 0: nobody has sized it
  std::byte fill{};
  Bytes content;
};

// What a set-up was given.
struct Given {
  std::vector<Block> blocks;
  std::map<std::size_t, Value> values;  // by the name's number
};

struct Model {
  std::vector<std::size_t> tensor_bytes;  // operator i makes tensor i + 1 of tensor i
  std::size_t variable_bytes = 0;         // the first operator counts its runs in each of them
  std::vector<std::byte> file;
  std::optional<ValidatedModel> view;  // of the file
  std::unique_ptr<Interpreter> interpreter;
  Attempt attempt;
  Given given;
  std::vector<std::size_t> offsets;
  std::size_t runs = 0;  // since the last reset
  bool ready = false;
};

// The set-up that is under way.
struct UnderWay {
  std::size_t model = 0;
  bool alone = false;  // where the model is measured
  const ModelAllocator* allocator = nullptr;
  std::size_t floor_bytes = 0;  // the largest head that a model has which was set up before
  std::size_t initialised_count = 0;
  Given given;
};

// There is one of each at a time; kernels find their operator here.
extern std::vector<Model> models;
extern UnderWay under_way;
extern std::string complaint;  // the first one; empty when all is well

// The kernels of the models.
const KernelSet& Kernels();
// Operator `index` makes of a byte.
std::byte Made(std::byte input, std::size_t index);
// Complains of persistent blocks of models that are ready and do not hold what was written there.
void RequireHeld(const char* when);
// What a reset does.
void Refill(Model& model);

}  // namespace arenaproof::sharing
