// A kernel's script, and what it asks for as memory.
#include <array>
#include <limits>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

// Whether `bytes` fit between the cursor, rounded up, and the limit; the cursor moves then.
bool FitsAbove(std::uintptr_t* cursor, std::size_t bytes, std::size_t alignment, std::uintptr_t limit) {
  const std::size_t gap = (alignment - *cursor % alignment) % alignment;
  if (*cursor > limit || gap > limit - *cursor || bytes > limit - *cursor - gap) return false;
  *cursor += gap + bytes;
  return true;
}

std::size_t DrawRepetitions(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  return choice < 240 ? 1 : choice < 250 ? 14 : 66;
}

}  // namespace

void ServiceSession::FollowKernel() {
  while (!reader_.empty() && kernel_calls_ < kMostKernelCalls && reader_.Byte() >= 56) {
    ++kernel_calls_;
    CallOfKernel();
  }
}

void ServiceSession::CallOfKernel() {
  using Call = void (ServiceSession::*)();
  using S = ServiceSession;
  static constexpr std::array<Call, 26> kInSetUp = {
      &S::AskForPersistent,  &S::AskForScratch,     &S::AskForTemporary, &S::GiveTemporaryBack,  &S::AskAboutSubgraph,
      &S::AskAboutOperand,   &S::FindVariable,      &S::PlaceAnOutput,   &S::SizeVariable,       &S::SetContextOfKernel,
      &S::AskForPersistent,  &S::AskForScratch,     &S::AskForTemporary, &S::GiveTemporaryBack,  &S::AskAboutOperand,
      &S::FindVariable,      &S::PlaceAnOutput,     &S::SizeVariable,    &S::AskForScratch,      &S::GiveTemporaryBack,
      &S::AskTheInterpreter, &S::CopyBetweenGraphs, &S::CallSubgraph,    &S::ReadSubgraphOutput, &S::ReadVariable,
      &S::AssignVariable};
  static constexpr std::array<Call, 26> kInInvoke = {
      &S::CopyBetweenGraphs,  &S::CallSubgraph,      &S::ReadSubgraphOutput, &S::ReadVariable,  &S::AssignVariable,
      &S::CopyBetweenGraphs,  &S::CallSubgraph,      &S::ReadSubgraphOutput, &S::ReadVariable,  &S::AssignVariable,
      &S::CopyBetweenGraphs,  &S::CallSubgraph,      &S::CopyBetweenGraphs,  &S::CallSubgraph,  &S::AssignVariable,
      &S::SetContextOfKernel, &S::AskTheInterpreter, &S::AskForPersistent,   &S::AskForScratch, &S::AskForTemporary,
      &S::GiveTemporaryBack,  &S::AskAboutSubgraph,  &S::AskAboutOperand,    &S::FindVariable,  &S::PlaceAnOutput,
      &S::SizeVariable};
  const std::size_t choice = reader_.Below(kInSetUp.size());
  (this->*(phase_ == ScriptPhase::kInvoke ? kInInvoke : kInSetUp)[choice])();
  granted_.RequireUntouched();
}

// Mostly success; quiet ends, failures, and values that no status has.
Status ServiceSession::DrawResult() {
  const std::uint8_t choice = reader_.Byte();
  if (choice < 216) return Ok();
  Status result = Failure(StatusCode::kKernelUnsupported, 1u);
  if (choice < 248) result = StatusOfKernelValue(std::array{1, 8, 15, -1}[choice % 4]);
  if (Explaining()) Explain("      the kernel fails");
  return result;
}

void ServiceSession::AskForPersistent() {
  const std::size_t bytes = DrawBytes();
  const std::size_t repetitions = DrawRepetitions(reader_);
  for (std::size_t i = 0; i < repetitions; ++i) {
    std::byte* block = nullptr;
    ExpectedAnswer expected;
    RefuseOutside(expected, true, true, false);
    const std::size_t spacing = world_.spaced ? 64 : 0;
    if (!expected.refused()) {
      expected.RefuseIf(state_at(*running_).persistent.size() >= 64, StatusCode::kTooManyPersistentBlocks, 64);
      RefusePersistent(expected, bytes, 16, spacing);
    }
    const std::uintptr_t low = services_ == nullptr ? 0 : tail_limit(), high = services_ == nullptr ? 0 : tail_begin();
    if (services_ == nullptr) return;
    RequireAnswer("AllocatePersistent", services_->AllocatePersistent(bytes, &block), expected);
    if (expected.refused()) {
      if (block != nullptr) Defect("AllocatePersistent", "refused, and there is a block");
      if (tail_begin() != high) Defect("AllocatePersistent", "refused, and the tail moved");
      continue;
    }
    if (reinterpret_cast<std::uintptr_t>(block) % 16 != 0) Defect("AllocatePersistent", "a misaligned block");
    asked_bytes_ += bytes + 16 + 2 * spacing;
    granted_.Take(state_at(*running_).persistent, {block, bytes},
                  {reinterpret_cast<const std::byte*>(low + spacing), high - low - 2 * spacing});
  }
}

void ServiceSession::AskForScratch() {
  const std::size_t bytes = DrawBytes();
  const std::size_t repetitions = DrawRepetitions(reader_);
  for (std::size_t i = 0; i < repetitions && services_ != nullptr; ++i) {
    ExpectedAnswer expected;
    RefuseOutside(expected, false, true, false);
    // Twelve have a slot, each more takes 16 bytes of the tail.
    const bool extra = !expected.refused() && state_at(*running_).scratch_bytes.size() >= 12;
    if (extra) RefusePersistent(expected, 16, 8, 0);
    const std::uintptr_t tail = tail_begin();
    RequireAnswer("RequestScratch", services_->RequestScratch(bytes), expected);
    if ((expected.refused() || !extra) && tail_begin() != tail) Defect("RequestScratch", "the tail moved");
    if (expected.refused()) continue;
    state_at(*running_).scratch_bytes.push_back(bytes);
    const std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
    asked_bytes_ = asked_bytes_ < most && bytes < most ? asked_bytes_ + bytes + 160 : most;
  }
}

void ServiceSession::AskForTemporary() {
  constexpr std::size_t kAlignments[] = {16, 1, 4, 8, 64, 12, 0, std::size_t{1} << 63};
  const std::size_t bytes = DrawBytes();
  const std::size_t alignment = kAlignments[reader_.Byte() % 8];
  const std::size_t repetitions = DrawRepetitions(reader_);
  for (std::size_t i = 0; i < repetitions && services_ != nullptr; ++i) {
    std::byte* block = nullptr;
    ExpectedAnswer expected;
    RefuseOutside(expected, false, true, false);
    const std::uintptr_t begin = temporary_end(), tail = tail_begin();
    if (!expected.refused()) {
      // A link of 16 bytes lies before each block; it stays until the operator's end, also that of a refused one.
      std::uintptr_t cursor = begin;
      const bool has_link = FitsAbove(&cursor, 16, 8, head_limit());
      expected.RefuseIf(alignment == 0, StatusCode::kArenaZeroAlignment);
      const bool fits = has_link && (alignment == 0 || FitsAbove(&cursor, bytes, alignment, head_limit()));
      expected.RefuseIf(!fits, StatusCode::kArenaTemporaryDoesNotFit);
    }
    RequireAnswer("AllocateTemporary", services_->AllocateTemporary(bytes, alignment, &block), expected);
    if (tail_begin() != tail) Defect("AllocateTemporary", "the tail moved");
    if (expected.refused()) {
      if (block != nullptr) Defect("AllocateTemporary", "refused, and there is a block");
      if (temporary_end() - begin > 32) Defect("AllocateTemporary", "refused, and bytes are taken");
      continue;
    }
    if (reinterpret_cast<std::uintptr_t>(block) % alignment != 0) Defect("AllocateTemporary", "a misaligned block");
    asked_bytes_ += bytes + 16;
    granted_.Take(state_.temporaries, {block, bytes},
                  {reinterpret_cast<const std::byte*>(begin), head_limit() - begin});
  }
}

void ServiceSession::GiveTemporaryBack() {
  const std::uint8_t choice = reader_.Byte();
  if (services_ == nullptr) return;
  std::vector<GrantedBlock>& held = state_.temporaries;
  std::byte* block = nullptr;
  std::size_t which = held.size();
  if (choice < 192 && !held.empty()) {
    which = choice % held.size();
    block = held[which].data;
  } else if (choice < 224 && !state_.given_back.empty()) {
    block = state_.given_back[choice % state_.given_back.size()];
  } else if (choice < 232 && !held.empty()) {
    block = held[0].data + 8;
  } else if (choice < 240 && running_ && !state_at(*running_).persistent.empty()) {
    block = state_at(*running_).persistent[0].data;
  } else if (choice < 248) {
    block = arena_.data();
  }
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  if (!expected.refused()) {
    expected.RefuseIf(which == held.size(), StatusCode::kForeignTemporary, reinterpret_cast<std::uintptr_t>(block));
  }
  RequireAnswer("FreeTemporary", services_->FreeTemporary(block), expected);
  if (expected.refused()) return;
  held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
  state_.given_back.push_back(block);
}

// What an application may ask, asked by a kernel.
void ServiceSession::AskTheInterpreter() {
  const std::uint8_t choice = reader_.Byte();
  ExpectedAnswer busy, state, late;
  busy.RefuseIf(true, StatusCode::kAllocatorBusy);
  state.RefuseIf(true, StatusCode::kRuntimeState);
  late.RefuseIf(true, StatusCode::kPreallocatedTooLate, 0, 0);
  if (phase_ != ScriptPhase::kInit && phase_ != ScriptPhase::kPrepare) return;
  std::span<std::byte> bytes;
  switch (choice % 5) {
    case 0:
      return RequireAnswer("AllocateTensors by a kernel", interpreter_->AllocateTensors(), busy);
    case 1:
      return RequireAnswer("Invoke by a kernel", interpreter_->Invoke(), state);
    case 2:
      return RequireAnswer("Reset by a kernel", interpreter_->Reset(), state);
    case 3:
      return RequireAnswer("TensorBytes by a kernel", interpreter_->TensorBytes(0, &bytes), state);
    default:
      return RequireAnswer("RegisterPreallocatedTensor by a kernel",
                           interpreter_->RegisterPreallocatedTensor(0, 0, arena_.data(), 0), late);
  }
}

}  // namespace arenaproof
