#include "sanitizers/layout/relocated_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/model/model_view.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

std::uintptr_t AddressOf(const std::byte* byte) { return reinterpret_cast<std::uintptr_t>(byte); }

// Constants of many lengths, every other one on 4 bytes only.
std::vector<std::byte> FileWithConstants() {
  ModelBuilder builder;
  builder.AddSubgraph();
  for (const std::size_t bytes : {1u, 16u, 20u, 64u, 3u, 1000u, 128u, 7u, 60u}) {
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(bytes + 3 * i);
    builder.AddBuffer(data, builder.buffers.size() % 2 == 0);
  }
  return builder.Finish();
}

void ExpectInside(std::span<const std::byte> data, const WatchedRegion& region) {
  EXPECT_GE(AddressOf(data.data()), AddressOf(region.whole.data) + 64);
  EXPECT_LE(AddressOf(data.data()) + data.size() + 64, AddressOf(region.whole.data) + region.whole.bytes);
}

TEST(RelocatedModel, CopiesTheFileBetweenClosedBytesAndLeavesConstantsThereWhenFaithful) {
  const std::vector<std::byte> file = FileWithConstants();
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(Validated(file), Layout::kFaithful, &model).ok());
  ASSERT_EQ(model.regions().size(), 1u);
  EXPECT_TRUE(std::ranges::equal(model.file(), file));
  EXPECT_EQ(AddressOf(model.file().data()) % 64, 0u);
  ExpectInside(model.file(), model.regions()[0]);
  const ModelView view = model.view();
  for (std::uint32_t i = 0; i < view.buffer_count(); ++i) {
    const std::byte* const in_file = view.buffer(i).data.data();
    EXPECT_EQ(model.Locate(i, in_file), in_file);
  }
}

TEST(RelocatedModel, GivesEachConstantRoomAtItsAddressModulo64WhenDilated) {
  const std::vector<std::byte> file = FileWithConstants();
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(Validated(file), Layout::kDilated, &model).ok());
  ASSERT_EQ(model.regions().size(), 2u);
  EXPECT_TRUE(std::ranges::equal(model.file(), file));
  const ModelView view = model.view();
  std::vector<std::span<const std::byte>> places;
  for (std::uint32_t i = 0; i < view.buffer_count(); ++i) {
    const std::span<const std::byte> in_file = view.buffer(i).data;
    if (in_file.empty()) {
      EXPECT_EQ(model.Locate(i, in_file.data()), in_file.data());
      continue;
    }
    const std::span place(model.Locate(i, in_file.data()), in_file.size());
    EXPECT_NE(place.data(), in_file.data());
    EXPECT_TRUE(std::ranges::equal(place, in_file));
    EXPECT_EQ(AddressOf(place.data()) % 64, AddressOf(in_file.data()) % 64) << "buffer " << i;
    ExpectInside(place, model.regions()[1]);
    places.push_back(place);
  }
  ASSERT_EQ(places.size(), 9u);
  std::ranges::sort(places, {}, [](std::span<const std::byte> place) { return AddressOf(place.data()); });
  for (std::size_t i = 1; i < places.size(); ++i) {
    EXPECT_GE(AddressOf(places[i].data()), AddressOf(places[i - 1].data()) + places[i - 1].size() + 128);
  }
}

// A kernel has written into them, as into the file.
TEST(RelocatedModel, PutsMovedConstantsBackToo) {
  const std::vector<std::byte> file = FileWithConstants();
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    RelocatedModel model;
    ASSERT_TRUE(RelocatedModel::Create(Validated(file), layout, &model).ok());
    const ModelView view = model.view();
    std::size_t spoiled = 0;
    for (std::uint32_t i = 0; i < view.buffer_count(); ++i) {
      const std::span<const std::byte> in_file = view.buffer(i).data;
      if (in_file.empty()) continue;
      *const_cast<std::byte*>(model.Locate(i, in_file.data())) ^= std::byte{0xff};
      ++spoiled;
    }
    EXPECT_EQ(spoiled, 9U);
    model.Refresh(file);
    EXPECT_TRUE(std::ranges::equal(model.file(), file));
    for (std::uint32_t i = 0; i < view.buffer_count(); ++i) {
      const std::span<const std::byte> in_file = view.buffer(i).data;
      if (in_file.empty()) continue;
      EXPECT_TRUE(std::ranges::equal(std::span(model.Locate(i, in_file.data()), in_file.size()), in_file)) << i;
    }
  }
}

TEST(RelocatedModel, MovesBuffersThatShareBytesOfTheFileTogether) {
  std::vector<std::byte> file = FileWithConstants();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  // References lead forwards: let the one to the data that comes first lead to the other's.
  std::uint32_t early = 2, late = 4;
  if (view.buffer(early).data.data() > view.buffer(late).data.data()) std::swap(early, late);
  const std::size_t from = static_cast<std::size_t>(view.buffer(early).data.data() - file.data()) - 4;
  const std::size_t to = static_cast<std::size_t>(view.buffer(late).data.data() - file.data()) - 4;
  bool redirected = false;
  for (std::size_t at = 0; at < from && !redirected; at += 4) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, file.data() + at, 4);
    if (at + distance != from) continue;
    const auto other = static_cast<std::uint32_t>(to - at);
    std::memcpy(file.data() + at, &other, 4);
    redirected = ModelView::Open(file, &view).ok() && view.buffer(early).data.data() == view.buffer(late).data.data();
    if (!redirected) std::memcpy(file.data() + at, &distance, 4);
  }
  ASSERT_TRUE(redirected);
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(Validated(file), Layout::kDilated, &model).ok());
  EXPECT_EQ(model.Locate(early, nullptr), model.Locate(late, nullptr));
  EXPECT_TRUE(std::ranges::equal(std::span(model.Locate(early, nullptr), view.buffer(late).data.size()),
                                 view.buffer(late).data));
}

// One buffer inside the data of another, and a third behind both: the stretch ends where the longer one does.
TEST(RelocatedModel, MovesABufferInsideAnotherWithIt) {
  ModelBuilder builder;
  builder.AddSubgraph();
  std::vector<std::byte> outer(200, std::byte{5});
  const std::uint32_t length = 24;  // of the list that lies at the outer one's 64th byte
  std::memcpy(outer.data() + 64, &length, sizeof length);
  std::uint32_t of_outer = builder.AddBuffer(outer), inner = builder.AddBuffer(std::vector<std::byte>(16)),
                behind = builder.AddBuffer(std::vector<std::byte>(40, std::byte{9}));
  std::vector<std::byte> file = builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  const auto list_of = [&](std::uint32_t buffer) {
    return static_cast<std::size_t>(view.buffer(buffer).data.data() - file.data()) - 4;
  };
  const std::size_t from = list_of(inner), to = list_of(of_outer) + 4 + 64;
  bool redirected = false;
  for (std::size_t at = 0; at < from && !redirected; at += 4) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, file.data() + at, 4);
    if (at + distance != from || at >= to) continue;
    const auto other = static_cast<std::uint32_t>(to - at);
    std::memcpy(file.data() + at, &other, 4);
    redirected = ModelView::Open(file, &view).ok() && view.buffer(inner).data.size() == length;
    if (!redirected) std::memcpy(file.data() + at, &distance, 4);
  }
  ASSERT_TRUE(redirected);
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(Validated(file), Layout::kDilated, &model).ok());
  EXPECT_EQ(model.Locate(inner, nullptr), model.Locate(of_outer, nullptr) + 68);
  for (const std::uint32_t buffer : {of_outer, inner, behind}) {
    const std::span<const std::byte> data = view.buffer(buffer).data;
    EXPECT_TRUE(std::ranges::equal(std::span(model.Locate(buffer, nullptr), data.size()), data)) << buffer;
    ExpectInside(std::span(model.Locate(buffer, nullptr), data.size()), model.regions()[1]);
  }
  const std::byte* const outer_end = model.Locate(of_outer, nullptr) + outer.size();
  const std::byte* const place = model.Locate(behind, nullptr);
  EXPECT_TRUE(place >= outer_end + 128 || place + 40 + 128 <= model.Locate(of_outer, nullptr));
}

TEST(RelocatedModel, LeavesWhatItDoesNotKnowInPlace) {
  const std::vector<std::byte> file = FileWithConstants();
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(Validated(file), Layout::kDilated, &model).ok());
  const std::byte somewhere{};
  EXPECT_EQ(model.Locate(0, &somewhere), &somewhere);
  EXPECT_EQ(model.Locate(UINT32_MAX, &somewhere), &somewhere);
}

TEST(RelocatedModel, HasAViewOfTheCopyThatOutlivesTheOriginal) {
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    RelocatedModel model;
    {
      std::vector<std::byte> file = FileWithConstants();
      ASSERT_TRUE(RelocatedModel::Create(Validated(file), layout, &model).ok());
      std::ranges::fill(file, std::byte{0xFF});
    }
    EXPECT_EQ(model.view().bytes().data(), model.file().data());
    ModelView opened_anew;
    ASSERT_TRUE(ModelView::Open(model.file(), &opened_anew).ok());
    ASSERT_EQ(model.view().buffer_count(), opened_anew.buffer_count());
    for (std::size_t i = 0; i < opened_anew.buffer_count(); ++i) {
      EXPECT_EQ(model.view().buffer(i).data.data(), opened_anew.buffer(i).data.data());
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
