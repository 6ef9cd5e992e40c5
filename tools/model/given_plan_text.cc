#include "tools/model/given_plan_text.h"

#include <cstddef>

#include "core/base/alignment.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

bool IsAboutTwoBuffers(StatusCode code) {
  switch (code) {
    case StatusCode::kPlanSharedBytes:
    case StatusCode::kPlanAliasLink:
    case StatusCode::kPlanAliasKept:
    case StatusCode::kPlanAliasStillRead:
    case StatusCode::kPlanAliasApart:
    case StatusCode::kPlanAliasOperator:
      return true;
    default:
      return false;
  }
}

bool IsAboutThePlan(StatusCode code) {
  return IsAboutTwoBuffers(code) || code == StatusCode::kPlannerPlanCount || code == StatusCode::kPlannerOverflow ||
         code == StatusCode::kPlanDoesNotFit || code == StatusCode::kPlanMisaligned;
}

// The second of the two buffers that the refusal is about; the first is the first detail.
std::uint64_t OtherBuffer(const Status& refusal) {
  return refusal.code == StatusCode::kPlanSharedBytes ? refusal.detail[2] : refusal.detail[1];
}

// Scratch buffers stand behind the tensors.
std::string BufferText(const ModelView& model, std::span<const std::uint32_t> buffer_of_tensor, std::uint64_t buffer) {
  std::size_t concatenated = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i, ++concatenated) {
      if (concatenated >= buffer_of_tensor.size() || buffer_of_tensor[concatenated] != buffer) continue;
      std::string text = "tensor " + std::to_string(i);
      if (s > 0) text += " of subgraph " + std::to_string(s);
      const std::string name(model.tensor(s, i).name);
      return name.empty() ? text : text + " \"" + Printable(name) + "\"";
    }
  }
  return "a scratch buffer";
}

}  // namespace

std::string GivenPlanSentence(const ModelView& model, const std::string& path,
                              std::span<const std::uint32_t> buffer_of_tensor, const Status& refusal,
                              const std::string& sentence) {
  if (!IsAboutThePlan(refusal.code)) return sentence;
  const std::string plan = "the plan in '" + Printable(path) + "': ";
  if (IsAboutTwoBuffers(refusal.code)) {
    const auto named = [&](std::uint64_t buffer) {
      return "buffer " + std::to_string(buffer) + " is " + BufferText(model, buffer_of_tensor, buffer);
    };
    return plan + sentence + "; " + named(refusal.detail[0]) + ", " + named(OtherBuffer(refusal));
  }
  if (refusal.code != StatusCode::kPlanMisaligned) return plan + sentence;
  return plan + BufferText(model, buffer_of_tensor, refusal.detail[0]) + " (" +
         Counted(static_cast<long long>(refusal.detail[2]), "byte") + " at offset " +
         std::to_string(refusal.detail[1]) + ") is misaligned: its offset has to be a multiple of " +
         std::to_string(kTensorAlignment);
}

}  // namespace arenaproof
