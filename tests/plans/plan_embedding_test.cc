// A model with an embedded plan is the old one in every field and byte but the plan, and a set-up of it leads to the
// plan.
#include "tools/model/plan_embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/model/offline_plan.h"
#include "core/model/schema_generated.h"
#include "core/model/validated_model.h"
#include "engine/generators/models/model_maker.h"
#include "engine/generators/seeded_source.h"
#include "engine/oracles/plans/embedded_plan.h"
#include "kernels/kernel_sets.h"
#include "tests/plans/schema_dump_support.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_file.h"
#include "tools/model_builder/model_builder.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/planned_model.h"

namespace arenaproof::testing {
namespace {

class AlignedFile {
 public:
  explicit AlignedFile(std::span<const std::byte> bytes) : storage_(bytes.size() + kModelAlignment) {
    std::memcpy(AlignedStart(storage_), bytes.data(), bytes.size());
    file_ = {AlignedStart(storage_), bytes.size()};
  }
  std::span<const std::byte> file() const { return file_; }
  ModelView view() const {
    ModelView view;
    EXPECT_TRUE(ModelView::Open(file_, &view).ok());
    return view;
  }

 private:
  std::vector<std::byte> storage_;
  std::span<const std::byte> file_;
};

std::vector<std::int32_t> SomeOffsets(const ModelView& view) {
  std::vector<std::int32_t> offsets(view.total_tensor_count());
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = i % 3 == 0 ? -1 : static_cast<std::int32_t>(16 * i);
  return offsets;
}

void Drop(std::vector<std::string>& entries, std::size_t index) {
  if (index < entries.size()) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index));
}

// Without the metadata entries of plans, and with the entry of the plan's own buffer blank.
SchemaDump WithoutPlans(const ModelView& view, std::span<const std::byte> file,
                        std::optional<std::size_t> plan_buffer) {
  SchemaDump dump = DumpModel(file);
  for (std::size_t i = view.metadata_count(); i-- > 0;) {
    if (view.metadata(i).name == kOfflinePlanName) Drop(dump.metadata, i);
  }
  if (plan_buffer && *plan_buffer < dump.buffers.size()) dump.buffers[*plan_buffer] = "plan";
  return dump;
}

void ExpectKept(const ModelView& old_view, const ModelView& new_view, std::optional<std::size_t> plan_buffer) {
  EXPECT_EQ(WhatIsNotKept(old_view, new_view), "");
  SchemaDump before = WithoutPlans(old_view, old_view.bytes(), plan_buffer);
  SchemaDump after = WithoutPlans(new_view, new_view.bytes(), plan_buffer);
  EXPECT_EQ(before.fields, after.fields);
  EXPECT_EQ(before.metadata, after.metadata);
  // At most one more or one fewer, which is the plan's.
  const std::size_t shared = std::min(before.buffers.size(), after.buffers.size());
  EXPECT_LE(std::max(before.buffers.size(), after.buffers.size()) - shared, 1u);
  before.buffers.resize(shared);
  after.buffers.resize(shared);
  EXPECT_EQ(before.buffers, after.buffers);
}

std::optional<std::size_t> PlanBufferOf(const ModelView& view) {
  OfflinePlanEntry entry;
  EXPECT_TRUE(LocateOfflinePlan(view, &entry).ok());
  return entry.present ? std::optional<std::size_t>(entry.buffer) : std::nullopt;
}

void EmbedAndStrip(std::span<const std::byte> bytes) {
  const AlignedFile old_file(bytes);
  const ModelView old_view = old_file.view();
  const std::vector<std::int32_t> offsets = SomeOffsets(old_view);
  const RewrittenModel embedded = EmbedPlan(old_view, offsets);
  ASSERT_EQ(embedded.problem, "");
  const AlignedFile new_file(embedded.bytes);
  const ModelView new_view = new_file.view();
  OfflinePlanEntry entry;
  ASSERT_TRUE(LocateOfflinePlan(new_view, &entry).ok());
  ASSERT_TRUE(entry.present);
  EXPECT_EQ(entry.entry_count, 1u) << "an old plan is replaced";
  EXPECT_EQ((entry.bytes.data() - new_view.bytes().data()) % 16, 0);
  std::vector<std::int32_t> read(offsets.size());
  ASSERT_TRUE(DecodeOfflinePlan(new_view, entry, read).ok());
  EXPECT_EQ(read, offsets);
  ExpectKept(old_view, new_view, entry.buffer);

  const RewrittenModel stripped = StripPlan(new_view);
  ASSERT_EQ(stripped.problem, "");
  const AlignedFile last_file(stripped.bytes);
  const ModelView last_view = last_file.view();
  EXPECT_EQ(PlanBufferOf(last_view), std::nullopt);
  if (!PlanBufferOf(old_view)) {
    EXPECT_EQ(last_view.buffer_count(), old_view.buffer_count()) << "the plan's own buffer is gone too";
  }
  ExpectKept(new_view, last_view, entry.buffer);
  ExpectKept(old_view, AlignedFile(EmbedPlan(old_view, offsets).bytes).view(), entry.buffer);
}

TEST(PlanEmbedding, KeepsEveryFieldAndByteOfEveryModel) {
  std::vector<std::filesystem::path> paths = SeedModelFiles();
  for (const char* folder : {"models", "golden/kernels/models"}) {
    if (const auto shared = SharedFile(folder)) {
      for (const auto& path : ModelFilesIn(*shared)) paths.push_back(path);
    }
  }
  EXPECT_GE(paths.size(), 10u);
  for (const auto& path : paths) {
    SCOPED_TRACE(path);
    EmbedAndStrip(ReadFileBytes(path));
  }
}

TEST(PlanEmbedding, KeepsEveryFieldAndByteOfRandomModels) {
  SeededSource random(26);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::uint16_t> numbers(400);
    for (std::uint16_t& number : numbers) number = static_cast<std::uint16_t>(random.Below(65536));
    Choices choices(numbers);
    ModelBuilder builder = MakeSoundModel(choices);
    if (round % 3 == 0) builder.AddMetadata("other", std::vector<std::byte>(5, std::byte{7}));
    if (round % 4 == 0) builder.AddMetadata(std::string(kOfflinePlanName), std::vector<std::byte>(12, std::byte{0}));
    EmbedAndStrip(builder.Finish());
  }
}

ModelBuilder OneRelu() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto x = graph.AddTensor({.name = "x", .shape = std::vector<std::int32_t>{4}});
  const auto y = graph.AddTensor({.name = "y", .shape = std::vector<std::int32_t>{4}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {x}, .outputs = {y}});
  graph.inputs = {x};
  graph.outputs = {y};
  return builder;
}

TEST(PlanEmbedding, LeavesABufferAloneThatSomethingElseRefersTo) {
  ModelBuilder builder = OneRelu();
  builder.AddMetadata(std::string(kOfflinePlanName), std::vector<std::byte>(20, std::byte{0}));
  builder.metadata.push_back({"friend", builder.metadata.back().buffer});
  const AlignedFile old_file(builder.Finish());
  const ModelView old_view = old_file.view();
  const AlignedFile new_file(EmbedPlan(old_view, SomeOffsets(old_view)).bytes);
  EXPECT_EQ(new_file.view().buffer_count(), old_view.buffer_count() + 1);
  EXPECT_EQ(new_file.view().metadata(0).data.size(), 20u) << "the other entry has its bytes";
}

// A root of a later version of the format: two fields that this one does not know.
std::vector<std::byte> LaterModel(std::size_t filler_bytes) {
  flatbuffers::FlatBufferBuilder file;
  std::vector<flatbuffers::Offset<wire::Buffer>> buffers = {wire::CreateBuffer(file)};
  const auto buffer_list = file.CreateVector(buffers);
  const auto text = file.CreateString("later");
  constexpr auto kBehind = static_cast<flatbuffers::voffset_t>(wire::Model::VT_EXTERNAL_BUFFERS + 4);
  const auto start = file.StartTable();
  file.AddElement<std::uint32_t>(wire::Model::VT_VERSION, 3, 0);
  file.AddOffset(wire::Model::VT_BUFFERS, buffer_list);
  file.AddElement<std::uint32_t>(kBehind, 0xabcd1234, 0);
  file.AddOffset(static_cast<flatbuffers::voffset_t>(kBehind + 4), text);
  const flatbuffers::Offset<wire::Model> root(file.EndTable(start));
  // What is written later lies in front of the root.
  file.CreateVector(std::vector<std::uint8_t>(filler_bytes, 1));
  wire::FinishModelBuffer(file, root);
  const auto* const bytes = reinterpret_cast<const std::byte*>(file.GetBufferPointer());
  return {bytes, bytes + file.GetSize()};
}

TEST(PlanEmbedding, KeepsFieldsOfTheRootThatItDoesNotKnow) {
  const AlignedFile old_file(LaterModel(100));
  const RewrittenModel embedded = EmbedPlan(old_file.view(), {});
  ASSERT_EQ(embedded.problem, "");
  const AlignedFile new_file(embedded.bytes);
  ASSERT_TRUE(new_file.view().buffer_count() == 2);
  const auto& root = *reinterpret_cast<const flatbuffers::Table*>(
      wire::GetModel(reinterpret_cast<const void*>(new_file.file().data())));
  constexpr auto kBehind = static_cast<flatbuffers::voffset_t>(wire::Model::VT_EXTERNAL_BUFFERS + 4);
  EXPECT_EQ(root.GetField<std::uint32_t>(kBehind, 0), 0xabcd1234u);
  const auto* const text =
      root.GetPointer<const flatbuffers::String*>(static_cast<flatbuffers::voffset_t>(kBehind + 4));
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->str(), "later");
}

TEST(PlanEmbedding, RefusesAnUnknownFieldThatIsTooFarAway) {
  const AlignedFile old_file(LaterModel(70'000));
  const RewrittenModel embedded = EmbedPlan(old_file.view(), {});
  EXPECT_NE(embedded.problem.find("a field that this version of the format does not know"), std::string::npos);
  EXPECT_TRUE(embedded.bytes.empty());
}

}  // namespace
}  // namespace arenaproof::testing
