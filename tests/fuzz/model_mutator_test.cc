#include "engine/generators/mutator/model_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "engine/generators/model_seeds/model_seeds.h"
#include "engine/generators/mutator/model_object.h"
#include "engine/harness/model_pipeline/sound_model.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostBytes = 4096;

using File = std::vector<std::uint8_t>;

File Bytes(const std::vector<std::byte>& file) {
  File bytes(file.size());
  std::memcpy(bytes.data(), file.data(), file.size());
  return bytes;
}

std::size_t raw_calls = 0;

// Marks the input, so that a test can see that the raw mutation had it.
std::size_t Raw(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes) {
  ++raw_calls;
  if (bytes < most_bytes) data[bytes++] = 0xee;
  return bytes;
}

File Mutate(const File& file, std::uint32_t seed, std::size_t most_bytes = kMostBytes) {
  File room = file;
  room.resize(most_bytes);
  room.resize(MutateModel(room.data(), file.size(), most_bytes, seed, Raw));
  return room;
}

bool Opens(const File& file) {
  ModelView view;
  return ModelView::Open(std::as_bytes(std::span(file)), &view).ok();
}

TEST(ModelMutator, KeepsEveryObjectMutationAFlatbufferAndARawShareOfAFifth) {
  raw_calls = 0;
  std::size_t total = 0;
  for (const ModelSeed& seed : AllModelSeeds()) {
    File file = Bytes(seed.bytes);
    for (std::uint32_t number = 0; number < 40; ++number, ++total) {
      const std::size_t raw_before = raw_calls;
      const File mutated = Mutate(file, number);
      if (raw_calls != raw_before) continue;
      ASSERT_TRUE(Opens(mutated)) << seed.name << ", seed " << number;
      file = mutated;
    }
  }
  EXPECT_NEAR(static_cast<double>(raw_calls) / static_cast<double>(total), 0.01 * kRawPercent, 0.08);
}

TEST(ModelMutator, MakesTheSameOfTheSame) {
  const File file = Bytes(AllModelSeeds()[0].bytes);
  std::set<File> different;
  for (std::uint32_t number = 0; number < 50; ++number) {
    const File once = Mutate(file, number);
    EXPECT_EQ(once, Mutate(file, number));
    different.insert(once);
  }
  EXPECT_GT(different.size(), 25u);
}

TEST(ModelMutator, LeavesAShareOfSoundModelsSound) {
  std::size_t sound = 0;
  std::size_t total = 0;
  for (const ModelSeed& seed : AllModelSeeds()) {
    for (std::uint32_t number = 0; number < 20; ++number) {
      const File mutated = Mutate(Bytes(seed.bytes), number);
      ModelView view;
      ValidationReport report;
      if (!ModelView::Open(std::as_bytes(std::span(mutated)), &view).ok()) continue;
      ++total;
      sound += ValidateModel(view, &report).ok() ? 1 : 0;
    }
  }
  EXPECT_GT(sound * 4, total);       // a target that nothing sound reaches tests validation only
  EXPECT_LT(sound * 10, total * 9);  // and one that nothing unsound reaches does not test it
}

TEST(ModelMutator, MakesSoundModelsOfNearlyAllSoundOnes) {
  std::size_t made = 0;
  std::size_t total = 0;
  for (const ModelSeed& seed : AllModelSeeds()) {
    const File file = Bytes(seed.bytes);
    if (!IsSoundModel(file)) continue;  // one asks for an operator that nobody serves
    for (std::uint32_t number = 0; number < 10; ++number, ++total) {
      File room = file;
      room.resize(kMostBytes);
      const std::size_t bytes = MutateSoundModel(room.data(), file.size(), kMostBytes, number, IsSoundModel);
      if (bytes == 0) {
        EXPECT_TRUE(std::equal(file.begin(), file.end(), room.begin())) << "nothing was made of " << seed.name;
        continue;
      }
      ++made;
      EXPECT_TRUE(IsSoundModel(std::span(room).first(bytes))) << seed.name << ", seed " << number;
    }
  }
  EXPECT_GT(total, 10 * (AllModelSeeds().size() - 2));
  EXPECT_GT(made * 10, total * 8);
}

TEST(ModelMutator, ExaminesOneModelAtATime) {
  EXPECT_FALSE(IsSoundModel({}));
  EXPECT_FALSE(IsSoundModel(File(kMostBytes, 7)));
  EXPECT_TRUE(ExaminedModel().empty());
}

TEST(ModelMutator, NeverWritesBeyondItsRoom) {
  const File file = Bytes(AllModelSeeds()[0].bytes);
  for (std::uint32_t number = 0; number < 200; ++number) {
    EXPECT_LE(Mutate(file, number, file.size() + number % 3).size(), file.size() + number % 3);
  }
}

TEST(ModelMutator, WalksNoBytesThatTheVerifierRefuses) {
  File file = Bytes(AllModelSeeds()[0].bytes);
  EXPECT_NE(ReadModelObject(file), nullptr);
  for (std::size_t end = 0; end < file.size(); end += 7) {
    EXPECT_EQ(ReadModelObject(std::span(file).first(end)), nullptr) << "cut after " << end;
  }
  // Any byte may be wrong: what the sanitizers of this build do not say is said by nobody.
  for (std::size_t i = 0; i < file.size(); ++i) {
    File wrong = file;
    wrong[i] ^= 0xff;
    Mutate(wrong, static_cast<std::uint32_t>(i));
  }
}

// Flatbuffers' objects would read such a list as 64-bit numbers: misaligned.
TEST(ModelMutator, RefusesListsOf64BitNumbersOnFourBytes) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  constexpr std::int64_t kMark = 0x1122334455667788;
  graph.AddTensor({.type = TensorType::kInt8, .shape = {{1}}, .quantization = Scale(1.0f, kMark)});
  const File file = Bytes(builder.Finish());
  EXPECT_NE(ReadModelObject(file), nullptr);

  // The list's count lies before it, and what refers to it holds the distance. Four bytes more in between.
  const auto* const mark = reinterpret_cast<const std::uint8_t*>(&kMark);
  const auto list = std::search(file.begin(), file.end(), mark, mark + sizeof kMark) - file.begin() - 4;
  ASSERT_LT(static_cast<std::size_t>(list), file.size());
  bool moved = false;
  for (std::size_t at = 0; at + 4 <= file.size() && !moved; at += 4) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, file.data() + at, 4);
    if (at + distance != static_cast<std::size_t>(list)) continue;
    File changed = file;
    const std::size_t end = (changed.size() + 7) / 8 * 8;  // a count at a multiple of 8: the list on 4 bytes
    changed.resize(end);
    changed.insert(changed.end(), file.begin() + list, file.begin() + list + 12);
    const auto further = static_cast<std::uint32_t>(end - at);
    std::memcpy(changed.data() + at, &further, 4);
    ModelView view;
    if (!ModelView::Open(std::as_bytes(std::span(changed)), &view).ok()) continue;  // that number was no distance
    const QuantizationView quantization = view.tensor(0, 0).quantization;
    if (reinterpret_cast<std::uintptr_t>(quantization.zero_point_bytes) % 8 != 4) continue;
    EXPECT_EQ(quantization.zero_point(), kMark);
    EXPECT_EQ(ReadModelObject(changed), nullptr);
    Mutate(changed, 1);
    moved = true;
  }
  EXPECT_TRUE(moved);
}

// The verifier accepts them; copies and files of flatbuffers' unions do not expect them.
TEST(ModelMutator, TakesOptionsTypesWithoutTheirTables) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 2; ++i) graph.AddTensor({.shape = {{2}}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kSoftmax),
                     .inputs = {0},
                     .outputs = {1},
                     .options = SoftmaxOptions{},
                     .omit_options_table = true});
  const File file = Bytes(builder.Finish());
  ModelView view;
  ASSERT_TRUE(ModelView::Open(std::as_bytes(std::span(file)), &view).ok());
  ASSERT_NE(view.operator_at(0, 0).options_type, 0);
  ASSERT_FALSE(view.operator_at(0, 0).has_options);
  for (std::uint32_t number = 0; number < 50; ++number) Mutate(file, number);
  File result(kMostBytes);
  result.resize(CrossModels(file, file, result, 1));
  EXPECT_TRUE(Opens(result));
}

TEST(ModelMutator, JoinsModels) {
  const std::vector<ModelSeed> seeds = AllModelSeeds();
  std::size_t made = 0;
  for (std::size_t i = 0; i + 1 < seeds.size(); ++i) {
    File result(kMostBytes);
    result.resize(CrossModels(Bytes(seeds[i].bytes), Bytes(seeds[i + 1].bytes), result, static_cast<std::uint32_t>(i)));
    if (result.empty()) continue;
    ++made;
    EXPECT_TRUE(Opens(result)) << seeds[i].name;
  }
  EXPECT_GT(made, seeds.size() / 2);
}

}  // namespace
}  // namespace arenaproof
