#include "engine/harness/model_pipeline/model_pipeline.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/byte_size.h"
#include "core/model/lifetimes.h"
#include "core/model/model_view.h"
#include "core/model/tensor_bytes.h"
#include "core/model/validate.h"
#include "core/model/validated_model.h"
#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/explain.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/model_pipeline/model_words.h"
#include "engine/harness/model_pipeline/watched_run.h"
#include "engine/oracles/defect.h"
#include "engine/oracles/model/model_oracle.h"
#include "tools/text/operator_text.h"
#include "tools/text/sentences.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {
namespace {

// The lists that flatbuffers reads in place ask for this; the heap gives it, but nobody promises.
bool IsAligned(const std::uint8_t* data) { return reinterpret_cast<std::uintptr_t>(data) % kModelAlignment == 0; }

// Everything the model itself says about the head; scratch buffers are known to prepare only.
std::vector<PlacedBuffer> BuffersOf(const ModelView& model, std::span<const Lifetime> lifetimes) {
  std::vector<PlacedBuffer> buffers;
  std::size_t number = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i, ++number) {
      const TensorView tensor = model.tensor(s, i);
      PlacedBuffer buffer;
      RequireOk(TensorArenaBytes(tensor, &buffer.bytes), "bytes of a sound model's tensor");
      CountReach("bytes of a tensor", buffer.bytes);
      if (tensor.is_constant() || tensor.is_variable || buffer.bytes == 0) continue;
      RequireOk(RoundUp16(buffer.bytes, &buffer.bytes), "rounding a sound model's tensor");
      buffer.first = lifetimes[number].first;
      buffer.last = lifetimes[number].last;
      buffers.push_back(buffer);
    }
  }
  return buffers;
}

std::string PlanWords(std::span<const PlacedBuffer> buffers, std::size_t head_bytes) {
  std::string text = "planned greedily, a head of " + std::to_string(head_bytes) + " bytes:";
  for (const PlacedBuffer& buffer : buffers) {
    text += "\n  " + std::to_string(buffer.bytes) + " bytes at " + std::to_string(buffer.offset) + ", alive from " +
            std::to_string(buffer.first) + " to " + std::to_string(buffer.last);
  }
  return text;
}

void PlanAndCertify(const ModelView& model) {
  std::vector<Lifetime> lifetimes(model.total_tensor_count());
  RequireOk(ComputeLifetimes(model, lifetimes, {}, {}), "lifetimes of a sound model");
  std::vector<PlacedBuffer> buffers = BuffersOf(model, lifetimes);
  if (buffers.size() > kMostPlannedBuffers) return;
  GreedyPlanner planner;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(buffers.size()));
  RequireOk(planner.Init(workspace), "the planner's start");
  for (const PlacedBuffer& buffer : buffers) {
    RequireOk(planner.AddBuffer(buffer.bytes, buffer.first, buffer.last), "a buffer for the planner");
  }
  std::size_t head_bytes = 0;
  RequireOk(planner.MaximumBytes(&head_bytes), "a plan for a sound model");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    RequireOk(planner.OffsetOf(i, &buffers[i].offset), "a planned buffer's offset");
  }
  std::vector<std::byte> certifier_workspace(CertifierWorkspaceBytes(buffers.size()));
  const Certificate certificate = Certify(buffers, head_bytes, 16, certifier_workspace);
  if (Explaining()) Explain(PlanWords(buffers, head_bytes));
  if (!certificate.ok()) Defect("the greedy plan is refused", CertificateReasonName(certificate.reason));
}

// A sentence about a file is never empty and holds no control character of the file.
void CheckWords(const std::string& words, const char* of) {
  const auto is_told = [](char c) { return c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f'); };
  if (words.empty() || !std::all_of(words.begin(), words.end(), is_told)) Defect("words", of);
}

// The set and those behind it serve every operator that was prepared, and none serves more than there are.
void CheckServedOperators(const ModelView& model, const KernelSet& kernels, bool prepared) {
  std::size_t sum = 0;
  for (const KernelSet* set = &kernels; set != nullptr; set = set->fallback) {
    std::size_t served_count = 0;
    const Status counted = CountServedOperators(*set, model, &served_count);
    if (!counted.ok() && prepared) Defect("served operators of a prepared model", counted);
    if (served_count > model.total_operator_count()) Defect("served operators", "more than there are");
    sum += served_count;
  }
  if (prepared && sum < model.total_operator_count()) Defect("served operators", "less than were prepared");
}

// What a reference kernel prepares is in the table, or nobody draws it and no page names it.
void CheckTable(const ModelView& model) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView op = model.operator_at(s, i);
      if (op.code != BuiltinOperator::kCustom && !IsInTable(ReachedOf(model, s, op))) {
        Defect("prepared, though the table of operators has not its types", OperatorName(op).c_str());
      }
    }
  }
}

bool MeetsDearOracles(std::span<const std::uint8_t> bytes, OracleChoice choice) {
  return choice == OracleChoice::kAll || ModelChecksum(std::as_bytes(bytes)) % kDearForOneIn == 0;
}

ModelStage Run(std::span<const std::uint8_t> bytes, const KernelSet& kernels, bool dear) {
  ModelView model;
  if (const Status opened = ModelView::Open(std::as_bytes(bytes), &model); !opened.ok()) {
    if (dear) CheckWords(Sentence(opened), "why a file is no model");
    if (Explaining()) Explain("the verifier refuses it: " + Sentence(opened));
    return ModelStage::kRefusedByVerifier;
  }
  if (Explaining()) Explain(ModelWords(model));
  const KernelSetSupport support(kernels);
  ValidationReport report;
  const std::optional<ValidatedModel> validated = ValidatedModel::Of(model, &report, &support);
  const Status& validation = report.status;
  if (Explaining()) Explain("validation: " + (validation.ok() ? "sound" : ValidationSentence(report)));
  if (dear) {
    CheckModelFile(model, validation);
    CheckWords(ModelWords(model), "a model");
    if (!validation.ok()) CheckWords(ValidationSentence(report), "why a model is refused");
  }
  if (!validation.ok() && validation.code != StatusCode::kModelUnsupported) {
    CountRefusal(ModelStage::kRefusedByValidation, validation);
    return ModelStage::kRefusedByValidation;
  }
  if (dear || !validated) PlanAndCertify(model);  // a set-up plans too, and what it commits to is checked
  if (!validated) return ModelStage::kNotSupported;
  const ModelStage stage = RunWatched(*validated, kernels, dear);
  if (Explaining()) Explain(std::string("it came as far as: ") + ModelStageName(stage));
  if (dear) CheckServedOperators(model, kernels, stage >= ModelStage::kPrepared);
  if (stage >= ModelStage::kPrepared && &kernels == &ReferenceKernels()) CheckTable(*validated);
  if (stage >= ModelStage::kPrepared) ReachOfThisProcess().Count(*validated);
  return stage;
}

}  // namespace

ModelStage RunModelPipeline(std::span<const std::uint8_t> bytes, const KernelSet& kernels, OracleChoice choice) {
  if (bytes.size() > kMostModelBytes) return ModelStage::kRefusedByVerifier;
  const bool dear = MeetsDearOracles(bytes, choice);
  if (dear) CheckOpening(bytes);
  if (IsAligned(bytes.data())) return Run(bytes, kernels, dear);
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  return Run(copy, kernels, dear);
}

}  // namespace arenaproof
