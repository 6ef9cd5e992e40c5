#include "engine/oracles/plans/embedded_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

#include "core/model/offline_plan.h"
#include "core/model/schema_generated.h"

namespace arenaproof::testing {
namespace {

const wire::Model& RootOf(const ModelView& model) { return *wire::GetModel(model.bytes().data()); }

// Nothing where there is no such buffer.
std::optional<std::vector<std::uint8_t>> DataOf(const ModelView& model, std::size_t buffer) {
  const auto* const buffers = RootOf(model).buffers();
  if (buffers == nullptr || buffer >= buffers->size()) return {};
  const auto* const data = buffers->Get(static_cast<flatbuffers::uoffset_t>(buffer))->data();
  return data == nullptr ? std::vector<std::uint8_t>() : std::vector<std::uint8_t>(data->begin(), data->end());
}

struct Remark {
  std::string name;
  std::size_t buffer;
  bool operator==(const Remark&) const = default;
};

std::vector<Remark> RemarksOf(const ModelView& model) {
  std::vector<Remark> remarks;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    const MetadataView metadata = model.metadata(i);
    if (metadata.name != kOfflinePlanName) remarks.push_back({std::string(metadata.name), metadata.buffer});
  }
  return remarks;
}

std::string WhatReferencesLost(const ModelView& before, const ModelView& after) {
  const std::vector<Remark> remarks = RemarksOf(before);
  if (remarks != RemarksOf(after)) return "metadata besides the plan is another";
  std::vector<std::size_t> buffers;
  for (const Remark& remark : remarks) buffers.push_back(remark.buffer);
  const auto* const was = RootOf(before).metadata_buffer();
  const auto* const is = RootOf(after).metadata_buffer();
  if ((was == nullptr) != (is == nullptr)) return "metadata_buffer came or went";
  if (was != nullptr) {
    if (!std::equal(was->begin(), was->end(), is->begin(), is->end())) return "metadata_buffer is another";
    for (const std::int32_t buffer : *was) buffers.push_back(static_cast<std::size_t>(buffer));
  }
  for (const std::size_t buffer : buffers) {
    if (DataOf(before, buffer) != DataOf(after, buffer)) {
      return "buffer " + std::to_string(buffer) + ", to which more than the plan refers, has other data";
    }
  }
  return {};
}

}  // namespace

std::string WhatIsNotKept(const ModelView& before, const ModelView& after) {
  const std::span<const std::byte> old_file = before.bytes(), new_file = after.bytes();
  if (new_file.size() <= old_file.size()) return "nothing is in front of the old file";
  const std::size_t front = new_file.size() - old_file.size();
  if (front % 64 != 0) return "the old file begins at no multiple of 64";
  if (std::memcmp(new_file.data() + front, old_file.data(), old_file.size()) != 0) return "the old file is changed";
  if (before.total_tensor_count() != after.total_tensor_count()) return "there are more or fewer tensors";
  for (std::size_t s = 0; s < before.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < before.tensor_count(s); ++i) {
      const std::span<const std::byte> was = before.tensor(s, i).data, is = after.tensor(s, i).data;
      const std::string which = "the constant tensor " + std::to_string(i) + " of subgraph " + std::to_string(s);
      if (was.size() != is.size()) return which + " has another size";
      if (was.empty()) continue;
      if (is.data() - new_file.data() != was.data() - old_file.data() + static_cast<std::ptrdiff_t>(front)) {
        return which + " is not the bytes of the old file";
      }
    }
  }
  return WhatReferencesLost(before, after);
}

std::string WhatIsLeftOfThePlan(const ModelView& before, const ModelView& stripped) {
  std::set<std::size_t> of_others;
  for (const Remark& remark : RemarksOf(before)) of_others.insert(remark.buffer);
  if (const auto* const listed = RootOf(before).metadata_buffer()) {
    for (const std::int32_t buffer : *listed) of_others.insert(static_cast<std::size_t>(buffer));
  }
  for (const auto* const graph : *RootOf(before).subgraphs()) {
    if (graph->tensors() == nullptr) continue;
    for (const auto* const tensor : *graph->tensors()) of_others.insert(tensor->buffer());
  }
  for (std::size_t i = 0; i < before.metadata_count(); ++i) {
    const MetadataView metadata = before.metadata(i);
    if (metadata.name != kOfflinePlanName || of_others.contains(metadata.buffer)) continue;
    const auto data = DataOf(stripped, metadata.buffer);
    if (data && !data->empty()) return "buffer " + std::to_string(metadata.buffer) + " still has the plan";
  }
  return {};
}

VariableHomes HomesInPublicRuntime(const ModelView& model, std::span<const std::int32_t> entries) {
  VariableHomes homes;
  std::size_t before = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (!model.tensor(s, i).is_variable) continue;
      if (s > 0) ++homes.later;
      const bool block = entries[i] == -1, head = entries[before + i] != -1;
      if (block == head) {
        homes.problem = "variable " + std::to_string(i) + " of subgraph " + std::to_string(s) +
                        (block ? " has memory twice" : " has no memory");
      }
    }
    before += model.tensor_count(s);
  }
  return homes;
}

}  // namespace arenaproof::testing
