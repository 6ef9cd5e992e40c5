// The walk that explains beside the verifier that decides: over every truncation and every flipped bit of models, what
// the one refuses the other places, and what the one accepts the other leaves alone.
#include "tools/model/damaged_place.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <map>
#include <random>

#include "core/model/model_view.h"
#include "core/model/schema_generated.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

// The verifier's answer beside the walk's, for files in heap blocks of exactly their size.
class Comparison {
 public:
  void Try(const std::vector<std::byte>& file) {
    ModelView view;
    const Status status = ModelView::Open(file, &view);
    if (!status.ok() && status.code != StatusCode::kModelStructure) return;
    const auto place = LocateDamage(file, {.most_tables = file.size() / 4 + 1, .most_depth = kModelMaxTableDepth});
    EXPECT_TRUE(status.ok() || (status.detail[1] == file.size() / 4 + 1 && status.detail[2] == kModelMaxTableDepth));
    ++(status.ok() ? accepted_ : refused_);
    if (status.ok() && place) ADD_FAILURE() << "the verifier accepts the file, but " << DamageSentence(*place);
    if (!status.ok() && !place) ++unplaced_;
    if (status.ok() || !place) return;
    ++places_[place->table + "." + place->field];
    EXPECT_FALSE(place->what.empty());
    EXPECT_TRUE(place->path.starts_with("Model")) << place->path;
    EXPECT_LT(DamageSentence(*place).size(), 400u);
  }

  void Report(const std::string& what) const {
    std::cout << what << ": " << refused_ << " files refused at " << places_.size() << " fields, " << unplaced_
              << " of them without a place; " << accepted_ << " accepted\n";
  }
  std::size_t unplaced() const { return unplaced_; }
  std::size_t refused() const { return refused_; }
  std::size_t accepted() const { return accepted_; }
  std::size_t field_count() const { return places_.size(); }

 private:
  std::size_t refused_ = 0, accepted_ = 0, unplaced_ = 0;
  std::map<std::string, std::size_t> places_;
};

std::vector<std::vector<std::byte>> ModelsBelow(std::size_t most_bytes) {
  std::vector<std::vector<std::byte>> models;
  for (const auto& path : testing::SeedModelFiles()) {
    std::vector<std::byte> model = testing::ReadFileBytes(path);
    if (model.size() < most_bytes) models.push_back(std::move(model));
  }
  return models;
}

void Flip(std::vector<std::byte>& file, std::size_t bit) {
  file[bit / 8] ^= std::byte{static_cast<std::uint8_t>(1u << bit % 8)};
}

TEST(DamagedPlace, IsFoundInEveryTruncationOfAModel) {
  Comparison comparison;
  for (const std::vector<std::byte>& model : ModelsBelow(5000)) {
    for (std::size_t bytes = 8; bytes <= model.size(); ++bytes) {
      comparison.Try({model.begin(), model.begin() + static_cast<std::ptrdiff_t>(bytes)});
    }
  }
  comparison.Report("truncations");
  EXPECT_EQ(comparison.unplaced(), 0u);
  EXPECT_GT(comparison.refused(), 10'000u);
  EXPECT_GT(comparison.field_count(), 4u);
}

TEST(DamagedPlace, IsFoundForEveryBitThatTheVerifierCaresFor) {
  Comparison comparison;
  for (std::vector<std::byte> model : ModelsBelow(5000)) {
    for (std::size_t bit = 0; bit < 8 * model.size(); ++bit) {
      Flip(model, bit);
      comparison.Try(model);
      Flip(model, bit);
    }
  }
  comparison.Report("single flipped bits");
  EXPECT_EQ(comparison.unplaced(), 0u);
  EXPECT_GT(comparison.refused(), 10'000u);
  EXPECT_GT(comparison.accepted(), 10'000u);
  EXPECT_GT(comparison.field_count(), 20u);
}

// Words that are wrong in several places, and lengths that are wrong by much.
TEST(DamagedPlace, IsFoundInFilesDamagedAtRandom) {
  std::mt19937 random(1);
  Comparison comparison;
  for (const std::vector<std::byte>& model : ModelsBelow(100'000)) {
    for (int i = 0; i < 1500; ++i) {
      std::vector<std::byte> file = model;
      for (std::uint32_t words = 1 + random() % 3; words > 0; --words) {
        const std::size_t at = random() % (file.size() / 4) * 4;
        const std::uint32_t values[] = {static_cast<std::uint32_t>(random()),
                                        0,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        static_cast<std::uint32_t>(random() % file.size())};
        std::memcpy(file.data() + at, &values[random() % std::size(values)], 4);
      }
      if (random() % 4 == 0) file.resize(8 + random() % (file.size() - 8));
      comparison.Try(file);
    }
  }
  comparison.Report("random damage");
  EXPECT_EQ(comparison.unplaced(), 0u);
  EXPECT_GT(comparison.refused(), 1'000u);
}

class DamagedPlaceSentence : public ::testing::Test {
 protected:
  // version, one subgraph of one tensor with a shape of two and a name.
  DamagedPlaceSentence() {
    flatbuffers::FlatBufferBuilder builder;
    const auto shape = builder.CreateVector(std::vector<std::int32_t>{3, 5});
    const auto name = builder.CreateString("x");
    const auto tensor = wire::CreateTensor(builder, shape, wire::TensorType::INT8, 0, name);
    const auto graph = wire::CreateSubGraph(builder, builder.CreateVector(std::vector{tensor}));
    builder.Finish(wire::CreateModel(builder, 3, 0, builder.CreateVector(std::vector{graph})), wire::ModelIdentifier());
    const auto* const begin = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    file_.assign(begin, begin + builder.GetSize());
  }

  const wire::Tensor& tensor() const { return *wire::GetModel(file_.data())->subgraphs()->Get(0)->tensors()->Get(0); }
  std::size_t OffsetOf(const void* part) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(part) - file_.data());
  }
  void Write(std::size_t at, std::uint32_t value) { std::memcpy(file_.data() + at, &value, sizeof value); }

  std::string SentenceWith(std::uint64_t most_tables = 100, std::uint64_t most_depth = 16) const {
    const auto place = LocateDamage(file_, {most_tables, most_depth});
    return place ? DamageSentence(*place) : "no damage";
  }

  std::vector<std::byte> file_;
};

TEST_F(DamagedPlaceSentence, NamesAListThatEndsBehindTheFile) {
  const std::size_t shape = OffsetOf(tensor().shape());
  Write(shape, 4000);
  const std::string end = std::to_string(shape + 4 + 4 * 4000), bytes = std::to_string(file_.size());
  EXPECT_EQ(SentenceWith(),
            "the file is damaged at Model.subgraphs[0].tensors[0] (table Tensor, field shape): the list at byte " +
                std::to_string(shape) + " has 4000 entries of 4 bytes and would end at byte " + end +
                "; the file has " + bytes + " bytes");
}

TEST_F(DamagedPlaceSentence, NamesATextWithoutItsZero) {
  const std::size_t name = OffsetOf(tensor().name());
  file_[name + 5] = std::byte{65};
  EXPECT_EQ(SentenceWith(),
            "the file is damaged at Model.subgraphs[0].tensors[0] (table Tensor, field name): the text at byte " +
                std::to_string(name) + " has 1 byte and is followed by 65 at byte " + std::to_string(name + 5) +
                "; a zero would be right");
}

TEST_F(DamagedPlaceSentence, NamesARootOffsetThatLeavesTheFile) {
  Write(0, 1 << 20);
  EXPECT_EQ(SentenceWith(),
            "the file is damaged at Model (table Model): the offset at byte 0 is 1048576 and leads to "
            "byte 1048576; the file has " +
                std::to_string(file_.size()) + " bytes");
}

TEST_F(DamagedPlaceSentence, NamesAnEntryThatLeadsOutOfTheFile) {
  const auto* const tensors = wire::GetModel(file_.data())->subgraphs()->Get(0)->tensors();
  const std::size_t entry = OffsetOf(tensors->Data());
  Write(entry, 4096);
  EXPECT_EQ(SentenceWith(),
            "the file is damaged at Model.subgraphs[0].tensors[0] (table Tensor): the start of the table at byte " +
                std::to_string(entry + 4096) + " takes 4 bytes and would end at byte " + std::to_string(entry + 4100) +
                "; the file has " + std::to_string(file_.size()) + " bytes");
}

TEST_F(DamagedPlaceSentence, NamesAListOfFieldsBeforeTheFile) {
  const std::size_t table = OffsetOf(&tensor());
  Write(table, static_cast<std::uint32_t>(table + 8));
  EXPECT_EQ(SentenceWith(),
            "the file is damaged at Model.subgraphs[0].tensors[0] (table Tensor): the table's list of "
            "fields (vtable) would begin 8 bytes before the file, by the offset at byte " +
                std::to_string(table));
}

TEST_F(DamagedPlaceSentence, NamesLimitsThatAreMet) {
  EXPECT_EQ(SentenceWith(3), "no damage");
  EXPECT_NE(SentenceWith(2).find("tensors[0] (table Tensor): there are more than 2 tables up to here"),
            std::string::npos)
      << SentenceWith(2);
  EXPECT_EQ(SentenceWith(100, 3), "no damage");
  EXPECT_NE(SentenceWith(100, 2).find("is nested more than 2 deep"), std::string::npos) << SentenceWith(100, 2);
}

}  // namespace
}  // namespace arenaproof
