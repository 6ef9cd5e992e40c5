// Who shares with whom in a model whose operators all work in place, one behind the other: found in time that grows
// with their number, not with its square, however the tensors are numbered.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/planner/host/arena_head_planner.h"
#include "engine/processor_time.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/host_arenas.h"
#include "tools/model/model_file.h"
#include "tools/model/model_sharing.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kShort = 2'000, kLong = 16'000;
// The square of the lengths' ratio is 64.
constexpr double kMostGrowth = 24;

// `length` operators; what the first writes may have as many names as there are operators without the last.
std::vector<std::byte> ChainOf(std::size_t length, bool backwards) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  std::vector<std::int32_t> tensors;
  for (std::size_t i = 0; i <= length; ++i) tensors.push_back(graph.AddTensor({.shape = {{1, 4}}}));
  if (backwards) std::reverse(tensors.begin(), tensors.end());
  const std::uint32_t relu = builder.AddCode(BuiltinOperator::kRelu);
  for (std::size_t i = 0; i < length; ++i) {
    graph.AddOperator({.code = relu, .inputs = {tensors[i]}, .outputs = {tensors[i + 1]}});
  }
  graph.inputs = {tensors.front()};
  graph.outputs = {tensors.back()};
  return builder.Finish();
}

// The arena planner's sharing, timed.
class TimedSharing final : public BufferSharingSource {
 public:
  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override { return sharing_.BufferOfTensor(count); }
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override {
    Status status;
    nanoseconds = TimeOf([&] { status = sharing_.Find(model, allocation, buffers, buffer_of_tensor, aliases); });
    found = aliases->size();
    return status;
  }
  double nanoseconds = 0;
  std::size_t found = 0;

 private:
  ModelSharing sharing_;
};

class Chain {
 public:
  Chain(std::size_t length, bool backwards) : length_(length), file_(ChainOf(length, backwards)) {
    storage_.resize(file_.size() + kModelAlignment);
    std::byte* const start = AlignedStart(storage_);
    std::copy(file_.begin(), file_.end(), start);
    ValidationReport report;
    model_ = ValidatedModel::Open({start, file_.size()}, &report);
  }

  // Of one set-up, for finding who shares.
  double Nanoseconds() {
    ArenaHeadPlanner planner;
    TimedSharing sharing;
    InterpreterOptions options;
    options.planner = &planner;
    options.sharing = &sharing;
    ArenaSizes sizes;
    sizes.bytes = std::size_t{64} << 20;
    EXPECT_TRUE(arenas_.Grow(sizes));
    const auto interpreter = arenas_.MakeInterpreter(*model_, *FindKernelSet("reference"), sizes, options);
    EXPECT_TRUE(interpreter->AllocateTensors().ok());
    EXPECT_EQ(sharing.found, length_ - 2);
    return sharing.nanoseconds;
  }

 private:
  std::size_t length_;
  std::vector<std::byte> file_, storage_;
  std::optional<ValidatedModel> model_;
  HostArenas arenas_;
};

TEST(LongChain, OfAModelIsFoundInTimeOfItsLength) {
  for (const bool backwards : {false, true}) {
    Chain short_chain(kShort, backwards), long_chain(kLong, backwards);
    EXPECT_LT(GrowthOf([&] { return short_chain.Nanoseconds(); }, [&] { return long_chain.Nanoseconds(); }),
              kMostGrowth)
        << (backwards ? "backwards" : "forwards");
  }
}

}  // namespace
}  // namespace arenaproof::testing
