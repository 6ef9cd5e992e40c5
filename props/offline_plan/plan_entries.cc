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
constexpr std::size_t kMostNames = 9;

class Entries {
 public:
  Entries(ModelBuilder& model, Choices& choices) : model_(model), choices_(choices) {}

  void Add() {
    std::vector<std::string> names;
    for (std::size_t left = choices_.OneIn(2) ? 1 + choices_.Below(5) : 1; left > 0; --left) {
      while (names.size() < kMostNames && choices_.OneIn(3)) names.push_back(AnotherName());
      names.push_back(choices_.OneIn(6) ? AnotherName() : std::string(kOfflinePlanName));
    }
    while (names.size() < kMostNames && choices_.OneIn(3)) names.push_back(AnotherName());
    alike_ = choices_.OneIn(2);
    const Bytes plan = Plan();
    for (const std::string& name : names) {
      const std::uint32_t buffer = name == kOfflinePlanName ? Buffer(plan) : AnothersBuffer(plan);
      model_.metadata.push_back({name, buffer});
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
    // The first entries of a long plan are drawn; the others follow from their place, so that choices are left for the
    // rest.
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

  // A beginning of the plan's name, more than it, one letter of it changed, or nothing like it.
  std::string AnotherName() {
    static constexpr std::array kOthers = {"", "min_runtime_version", "Offline", "OfflineMemory", "Metadata"};
    const std::string name(kOfflinePlanName);
    switch (choices_.Below(5)) {
      case 0:
        return choices_.Of(kOthers);
      case 1:
        return name.substr(0, choices_.Below(name.size()));
      case 2:
        return name + name.substr(0, 1 + choices_.Below(3));
      case 3:
        return name.substr(1 + choices_.Below(name.size() - 1));
      default: {
        std::string changed = name;
        choices_.Of(changed) ^= choices_.OneIn(2) ? 0x20 : 1;  // its case, or a neighbour of it
        return changed;
      }
    }
  }

  // What stands under another name is nobody's plan, whatever it is: also just the plan.
  std::uint32_t AnothersBuffer(const Bytes& plan) {
    switch (choices_.Below(4)) {
      case 0:
        return 0;
      case 1:
        if (!own_.empty()) return choices_.Of(own_);
        return model_.AddBuffer(plan);
      case 2: {
        Bytes changed = plan;
        Change(changed);
        return model_.AddBuffer(changed);
      }
      default:
        return model_.AddBuffer(Bytes(choices_.Below(40), std::byte{1}));
    }
  }

  std::uint32_t Buffer(const Bytes& plan) {
    if (!alike_ && choices_.OneIn(16)) return static_cast<std::uint32_t>(choices_.Index(model_.buffers.size()));
    if (!own_.empty() && choices_.OneIn(alike_ ? 3 : 6)) return choices_.Of(own_);
    Bytes bytes = plan;
    if (!alike_ && choices_.OneIn(5)) Change(bytes);
    own_.push_back(model_.AddBuffer(bytes, choices_.OneIn(2)));
    if (!alike_ && choices_.OneIn(24)) model_.buffers.back().outside_offset = choices_.Below(4);
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
  bool alike_ = false;  // all plans of the name are the same
};

}  // namespace

void AddPlanEntries(ModelBuilder& model, Choices& choices) { Entries(model, choices).Add(); }

}  // namespace arenaproof::testing
