#include "props/lifecycle/shared_models.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace arenaproof::sharing {

std::vector<Model> models;
UnderWay under_way;
std::string complaint;

namespace {

constexpr const char* kNames[kNameCount] = {"a", "b", "c", "d"};

void Complain(const std::string& what) {
  if (complaint.empty()) complaint = what;
}

struct Kept {
  static constexpr std::uint32_t kMark = 0x5AFE5AFE;
  std::uint32_t mark = kMark;
  std::uint32_t model = 0;
  std::uint32_t index = 0;
};

Status TakeBlock(PrepareServices& services, std::size_t bytes) {
  std::byte* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(services.AllocatePersistent(bytes, &data));
  std::vector<Block>& blocks = under_way.given.blocks;
  const auto pattern = static_cast<std::byte>(17 * under_way.model + 5 * blocks.size() + 3);
  std::memset(data, std::to_integer<int>(pattern), bytes);
  blocks.push_back({data, bytes, pattern});
  return Ok();
}

// All that the tail may have, but for a few bytes: whether that is granted follows from the heads of all models.
Status TakeAll(PrepareServices& services, std::ptrdiff_t spare_bytes) {
  const TensorArena& memory = under_way.allocator->arena();
  const auto& state = memory.persistent().state();
  const std::uintptr_t limit =
      memory.separate() ? state.begin : std::max(state.begin + under_way.floor_bytes, state.head_end);
  const auto room = static_cast<std::ptrdiff_t>(state.tail_begin - limit);
  if (room <= spare_bytes) return Ok();
  const auto bytes = static_cast<std::size_t>(room - spare_bytes);
  const std::uintptr_t place = (state.tail_begin - bytes) / 16 * 16;
  const Status status = TakeBlock(services, bytes);
  if (status.ok() && place < limit) Complain("I7, L11: a persistent block was granted in the head of an earlier model");
  if (!status.ok() && place >= limit) Complain("a persistent block was refused that ends above all heads");
  return status;
}

Status AskForResource(RuntimeServices& runtime, const Sized& wish) {
  std::map<std::size_t, Value>& values = under_way.given.values;
  const bool known = values.contains(wish.name);
  std::int32_t id = -1;
  const Status found = runtime.FindResource("", kNames[wish.name], &id);
  const StatusCode expected = !known && values.size() == kCapacity ? StatusCode::kResourceTableFull : StatusCode::kOk;
  if (found.code != expected)
    Complain("the table of resource variables has entries of an earlier attempt, or lost one");
  if (!found.ok()) return Ok();
  for (const auto& [name, value] : values) {
    if ((value.id == id) != (name == wish.name)) Complain("two resource variables have one number, or one has two");
  }
  Value& value = values[wish.name];
  value.id = id;
  const auto fill = static_cast<std::byte>(wish.name + 1);
  const std::size_t before = under_way.allocator->arena().PersistentUsedBytes();
  const Status status = runtime.SizeResource(id, wish.bytes, std::to_integer<std::uint8_t>(fill));
  const std::size_t taken = under_way.allocator->arena().PersistentUsedBytes() - before;
  if (value.bytes != 0) {
    const StatusCode answer = value.bytes == wish.bytes ? StatusCode::kOk : StatusCode::kResourceBytes;
    if (status.code != answer || taken != 0) Complain("a resource variable that has its memory was sized once more");
    return Ok();
  }
  if (status.code == StatusCode::kResourceBytes || (status.ok() && taken < wish.bytes)) {
    Complain("L2: a resource variable still has the memory of an attempt that failed");
  }
  ARENAPROOF_RETURN_IF_ERROR(status);
  value.bytes = wish.bytes;
  value.fill = fill;
  return Ok();
}

Status Init(PrepareContext& context) {
  const std::size_t index = under_way.initialised_count++;
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(sizeof(Kept), &block));
  context.op_data = new (block)
      Kept{.model = static_cast<std::uint32_t>(under_way.model), .index = static_cast<std::uint32_t>(index)};
  return TakeBlock(*context.services, models[under_way.model].attempt.operators[index].init_bytes);
}

Status Prepare(PrepareContext& context) {
  const std::size_t index = static_cast<const Kept*>(context.op_data)->index;
  const Attempt& attempt = models[under_way.model].attempt;
  const Wishes& wishes = attempt.operators[index];
  for (const Sized& wish : wishes.resources) ARENAPROOF_RETURN_IF_ERROR(AskForResource(*context.runtime, wish));
  for (const std::size_t bytes : wishes.block_bytes) ARENAPROOF_RETURN_IF_ERROR(TakeBlock(*context.services, bytes));
  for (const std::size_t bytes : wishes.scratch_bytes) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes));
  }
  if (under_way.alone) return Ok();
  if (index == attempt.takes_all) ARENAPROOF_RETURN_IF_ERROR(TakeAll(*context.services, attempt.spare_bytes));
  return index == attempt.fails_at ? StatusOfKernelValue(1) : Ok();
}

bool HoldsOnly(const std::byte* data, std::size_t bytes, std::byte pattern) {
  return std::all_of(data, data + bytes, [pattern](std::byte byte) { return byte == pattern; });
}

bool HoldsOnlyThese(const std::byte* data, const Bytes& expected) {
  return std::equal(expected.begin(), expected.end(), data);
}

void CountIn(const Operand& variable, Model& model) {
  if (!HoldsOnly(variable.data, variable.bytes, static_cast<std::byte>(model.runs++))) {
    Complain("L10: a variable is not what it has to be");
  }
  std::memset(variable.data, static_cast<int>(model.runs % 256), variable.bytes);
}

// An operand of any other size is refused, whichever of the two is the larger one, and nothing is copied.
void UseResource(RuntimeServices& runtime, Value& value, const Operand& input, const Operand& output) {
  const auto expected = [&value](std::size_t bytes) {
    if (value.bytes == 0) return StatusCode::kResourceEmpty;
    return value.bytes == bytes ? StatusCode::kOk : StatusCode::kResourceBytes;
  };
  const Bytes before(output.data, output.data + output.bytes);
  const StatusCode read = runtime.ReadResource(value.id, 0).code;
  if (read != expected(output.bytes)) Complain("a resource variable is read as if it had another size");
  if (!HoldsOnlyThese(output.data, read == StatusCode::kOk ? value.content : before)) {
    Complain("L17: a resource variable is not what it has to be");
  }
  const StatusCode assigned = runtime.AssignResource(value.id, 0).code;
  if (assigned != expected(input.bytes)) Complain("a resource variable is assigned as if it had another size");
  if (assigned == StatusCode::kOk) value.content.assign(input.data, input.data + input.bytes);
}

Status Invoke(const InvokeContext& context) {
  const Kept kept = *static_cast<const Kept*>(context.op_data);
  if (kept.mark != Kept::kMark || kept.model >= models.size()) {
    Complain("L11: an operator's own data were overwritten");
    return Ok();
  }
  Model& model = models[kept.model];
  const Operand &input = context.inputs[0], &output = context.outputs[0];
  const Wishes& wishes = model.attempt.operators[kept.index];
  if (context.scratch.size() != wishes.scratch_bytes.size()) {
    Complain("L2: another number of scratch buffers than this attempt asked for");
    return Ok();
  }
  for (std::size_t i = 0; i < context.scratch.size(); ++i) {
    std::memset(context.scratch[i], static_cast<int>(0x50 + i), wishes.scratch_bytes[i]);
  }
  for (const Sized& wish : wishes.resources) {
    const auto found = model.given.values.find(wish.name);
    if (found == model.given.values.end()) continue;
    UseResource(*context.runtime, found->second, input, output);
  }
  for (std::size_t i = 0; i < output.bytes; ++i) output.data[i] = Made(input.data[i % input.bytes], kept.index);
  if (kept.index == 0) CountIn(context.inputs[1], model);
  for (std::size_t i = 0; i < context.scratch.size(); ++i) {
    if (!HoldsOnly(context.scratch[i], wishes.scratch_bytes[i], static_cast<std::byte>(0x50 + i))) {
      Complain("L5: a scratch buffer is not its operator's alone");
    }
  }
  return Ok();
}

constexpr Kernel kWishKernels[] = {
    {.op = BuiltinOperator::kRelu, .name = "wishes", .init = Init, .prepare = Prepare, .invoke = Invoke}};

}  // namespace

const KernelSet& Kernels() {
  static const KernelSet set{"wishes", kWishKernels};
  return set;
}

std::byte Made(std::byte input, std::size_t index) {
  return static_cast<std::byte>(std::to_integer<std::size_t>(input) + index + 1);
}

void RequireHeld(const char* when) {
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (!models[m].ready) continue;
    for (const Block& block : models[m].given.blocks) {
      if (!HoldsOnly(block.data, block.bytes, block.pattern))
        Complain("L11: a persistent block of model " + std::to_string(m) + " was overwritten " + when);
    }
  }
}

void Refill(Model& model) {
  model.runs = 0;
  for (auto& [name, value] : model.given.values) value.content.assign(value.bytes, value.fill);
}

}  // namespace arenaproof::sharing
