#include "props/offline_plan/plan_entries.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"

namespace arenaproof::testing {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kDrawn = 100;

class Entries {
 public:
  Entries(ModelBuilder& model, Choices& choices) : model_(model), choices_(choices) {}

  void Add() {
    const Bytes plan = Plan();
    for (std::size_t count = choices_.OneIn(2) ? 1 + choices_.Below(5) : 1; count > 0; --count) {
      model_.metadata.push_back({Name(), Buffer(plan)});
      if (choices_.OneIn(4)) model_.AddMetadata("min_runtime_version", {});
    }
  }

 private:
  // Fits the model but for one or two numbers, if any.
  Bytes Plan() {
    std::size_t tensor_count = 0;
    for (const SubgraphSpec& graph : model_.subgraphs) tensor_count += graph.tensors.size();
    const bool another_model = choices_.OneIn(2);
    if (another_model && choices_.OneIn(3)) tensor_count += choices_.Below(3) - (tensor_count > 0 ? 1 : 0);
    std::vector<std::int32_t> offsets(tensor_count);
    // Of long plans the first are drawn; the others follow from their place, so that choices are left for the rest.
    const std::size_t salt = choices_.Below(60000);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::size_t number = i < kDrawn ? choices_.Below(60000) : salt + 7919 * i;
      offsets[i] = number % 3 == 2 ? -1 : 16 * static_cast<std::int32_t>(number / 3 % 200);
    }
    if (another_model && !offsets.empty() && choices_.OneIn(3)) choices_.Of(offsets) = choices_.Interesting();
    static constexpr std::array<std::uint32_t, 5> kVersions = {2, 1, 0, 256, 0x01000000};
    OfflinePlanHeader header{static_cast<std::uint32_t>(choices_.Below(2)), SubgraphCount(another_model)};
    if (another_model && choices_.OneIn(4)) header.version = choices_.Of(kVersions);
    Bytes bytes(OfflinePlanBytes(offsets.size()));
    EncodeOfflinePlan(header, offsets, bytes);
    return bytes;
  }

  // That of the model, none, or of a model that was cut into subgraphs otherwise.
  std::uint32_t SubgraphCount(bool another_model) {
    const auto count = static_cast<std::uint32_t>(model_.subgraphs.size());
    const std::array<std::uint32_t, 7> others = {count - 1, 1, count + 1, 2, 0, count + 256, count + 65536};
    if (another_model && choices_.OneIn(2)) return choices_.Of(others);
    return choices_.OneIn(4) ? 0 : count;
  }

  std::string Name() {
    static constexpr std::array kOthers = {"offlineMemoryAllocation", "OfflineMemoryAllocations", "OfflineMemory",
                                           "Offline", ""};
    return choices_.OneIn(6) ? choices_.Of(kOthers) : std::string(kOfflinePlanName);
  }

  std::uint32_t Buffer(const Bytes& plan) {
    if (choices_.OneIn(16)) return static_cast<std::uint32_t>(choices_.Index(model_.buffers.size()));
    if (!own_.empty() && choices_.OneIn(6)) return choices_.Of(own_);
    Bytes bytes = plan;
    if (choices_.OneIn(5)) Change(bytes);
    own_.push_back(model_.AddBuffer(bytes, choices_.OneIn(2)));
    if (choices_.OneIn(24)) model_.buffers.back().outside_offset = choices_.Below(4);
    return own_.back();
  }

  // Another plan: only a beginning of it, with something behind it, or with one byte that is another.
  void Change(Bytes& bytes) {
    const std::size_t by = choices_.OneIn(2) ? choices_.Below(bytes.size() + 1) : 4;
    switch (choices_.Below(4)) {
      case 0:
        return bytes.resize(bytes.size() - std::min(bytes.size(), by));
      case 1:
        return bytes.resize(bytes.size() + by, std::byte{0});
      default:
        if (!bytes.empty()) choices_.Of(bytes) ^= static_cast<std::byte>(1u << choices_.Below(8));
    }
  }

  ModelBuilder& model_;
  Choices& choices_;
  std::vector<std::uint32_t> own_;
};

}  // namespace

void AddPlanEntries(ModelBuilder& model, Choices& choices) { Entries(model, choices).Add(); }

}  // namespace arenaproof::testing
