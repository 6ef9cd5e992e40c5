// How `arenaproof plan` ends. A given plan is taken, is a violation for where its tensors lie, or is unusable for an
// offset that no tensor may have; --strip takes the plan out of a model whatever is wrong with it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "engine/generators/reach_report.h"
#include "props/reports/scratch_file.h"
#include "props/reports/scratch_folder.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan_command.h"
#include "tools/model/model_file.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::int64_t kTensorBytes = 32, kFarthestEnd = std::int64_t{1} << 62;

std::string_view TextOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// x -> ABS -> a -> ABS -> y, with a plan of its own when there are offsets, of tensors 0, 1 and 2: x, a and y, or y, a
// and x.
std::vector<std::byte> Chain(const std::vector<std::int32_t>& offsets, bool backwards = false) {
  ModelBuilder model;
  SubgraphSpec& graph = model.AddSubgraph();
  for (int i = 0; i < 3; ++i) graph.AddTensor({.shape = {{8}}});
  const std::int32_t x = backwards ? 2 : 0, a = 1, y = 2 - x;
  graph.AddOperator({.code = model.AddCode(BuiltinOperator::kAbs), .inputs = {x}, .outputs = {a}});
  graph.AddOperator({.code = model.AddCode(BuiltinOperator::kAbs), .inputs = {a}, .outputs = {y}});
  graph.inputs = {x};
  graph.outputs = {y};
  std::vector<std::int32_t> plan{1, 0, 3};
  plan.insert(plan.end(), offsets.begin(), offsets.end());
  if (!offsets.empty()) model.AddMetadata(std::string(kOfflinePlanName), std::as_bytes(std::span(plan)));
  return model.Finish();
}

// Reports and sentences go nowhere.
template <typename Command, typename Options>
ExitStatus RunSilently(const Command& command, const Options& options) {
  std::fflush(stdout);
  const int nowhere = open("/dev/null", O_WRONLY), out = dup(1), err = dup(2);
  if (nowhere < 0 || out < 0 || err < 0) std::abort();
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  const ExitStatus status = command(options);
  std::fflush(stdout);
  dup2(out, 1);
  dup2(err, 2);
  for (const int descriptor : {nowhere, out, err}) close(descriptor);
  return status;
}

// Of the tensors x, a and y, which begin to live one after the other, as many steps long as two of them.
void RequirePairThatIsAlive(const VerifyOptions& options) {
  VerifyResult result;
  VerifyPlan(options, result);
  const PlanCertificate& certificate = result.certificate;
  Require(certificate.fault == PlanFault::kSharedBytes, "a plan whose tensors share bytes is refused for that");
  for (const std::size_t i : {certificate.first, certificate.second}) {
    const PlanBuffer& buffer = result.verified.buffers[i];
    Require(buffer.lifetime.lower <= certificate.shared_time && certificate.shared_time < buffer.lifetime.upper,
            "the time that is named is one at which both are alive");
    Require(*result.offsets[i] <= certificate.shared_offset &&
                certificate.shared_offset < *result.offsets[i] + buffer.bytes,
            "the byte that is named is one that both have");
  }
}

RC_GTEST_PROP(GivenPlans, EndAsTheirWorstOffsetDoes, ()) {
  std::array<std::int64_t, 3> offsets{0, 0, 0};  // of x, a, y; a lives with each of the others
  for (std::int64_t& offset : offsets) offset = 16 * Below<std::int64_t>(6);
  const bool overlap =
      std::abs(offsets[0] - offsets[1]) < kTensorBytes || std::abs(offsets[1] - offsets[2]) < kTensorBytes;
  ExitStatus expected = overlap ? ExitStatus::kViolations : ExitStatus::kClean;
  if (!overlap && OneIn(2)) {
    std::int64_t& one = offsets[Below(offsets.size())];
    one = OneIn(2) ? one + 1 + Below<std::int64_t>(15) : kFarthestEnd + 16 * (Below<std::int64_t>(4) - 1);
    expected = ExitStatus::kCouldNotRun;
  }
  static const ScratchFile model, plan;
  model.Replace(TextOf(Chain({})));
  std::string text = "int64_t p[] = {";
  for (const std::int64_t offset : offsets) text += std::to_string(offset) + ",";
  plan.Replace(text + "};");
  RC_LOG() << text << "\n";
  PlanOptions options;
  options.path = model.path();
  options.planner = "precomputed:" + plan.path();
  options.no_sharing = true;
  CountReach(expected == ExitStatus::kClean ? "given plans that are taken" : "given plans that are refused", 1);
  Require(RunSilently(PlanCommand, options) == expected, "a given plan ends as the worst of its offsets");
}

RC_GTEST_PROP(OwnPlans, AreCertifiedAsFarAsTheyAreTrusted, ()) {
  std::vector<std::int32_t> offsets(3);
  for (std::int32_t& offset : offsets) offset = OneIn(5) ? kPlannedAtRunTime : 16 * Below<std::int32_t>(5);
  const auto share = [&](std::size_t i) {
    const std::int32_t first = offsets[i], second = offsets[i + 1];
    return first >= 0 && second >= 0 && std::abs(first - second) < kTensorBytes;
  };
  RC_LOG() << offsets[0] << " " << offsets[1] << " " << offsets[2] << "\n";
  const bool overlap = share(0) || share(1);
  static const ScratchFile model;
  const std::vector<std::byte> file = Chain(offsets, OneIn(2));
  for (const bool trust : {false, true}) {
    const ExitStatus expected = overlap && !trust ? ExitStatus::kViolations : ExitStatus::kClean;
    model.Replace(TextOf(file));
    VerifyOptions verify;
    verify.path = model.path();
    verify.trust_plan = trust;
    if (overlap && !trust) RequirePairThatIsAlive(verify);
    model.Replace(TextOf(file));
    Require(RunSilently(VerifyCommand, verify) == expected, "a plan that is trusted may share bytes, another not");
    model.Replace(TextOf(file));  // a report goes to descriptor 3, which may be this file's
    PlanOptions plan;
    plan.path = model.path();
    plan.trust_plan = trust;
    plan.planner = OneIn(2) ? "greedy" : "optimal";
    RC_LOG() << plan.planner << (trust ? ", trusted\n" : "\n");
    Require(RunSilently(PlanCommand, plan) == expected, "and what is planned around it ends in the same way");
  }
  CountReach(overlap ? "own plans that share bytes" : "own plans that share none", 1);
}

RC_GTEST_PROP(OwnPlans, AreTakenOutOfAModelWhateverIsWrongWithThem, ()) {
  std::vector<std::int32_t> offsets(3);
  for (std::int32_t& offset : offsets) offset = OneIn(4) ? 7 : 16 * Below<std::int32_t>(4);
  static const ScratchFile model;
  static const ScratchFolder folder;  // a file is written whole, beside its name, and then takes it
  const std::string stripped = folder.PathOf("stripped.tflite");
  std::filesystem::remove(stripped);
  model.Replace(TextOf(Chain(offsets)));
  PlanOptions options;
  options.path = model.path();
  options.embed = stripped;
  options.strip = true;
  Require(RunSilently(PlanCommand, options) == ExitStatus::kClean, "a plan is taken out, sound or not");
  std::ifstream file(stripped, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::span<const std::byte> of_text = std::as_bytes(std::span(text));
  const std::vector<std::byte> bytes(of_text.begin(), of_text.end());
  const ValidatedModel written = Validated(bytes);
  for (std::size_t i = 0; i < written.metadata_count(); ++i) {
    Require(written.metadata(i).name != kOfflinePlanName, "the file that was written has no plan");
  }
}

}  // namespace
}  // namespace arenaproof::testing
