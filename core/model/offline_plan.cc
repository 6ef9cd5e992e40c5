#include "core/model/offline_plan.h"

#include <algorithm>
#include <cstring>

namespace arenaproof {
namespace {

constexpr std::size_t kVersionWord = 0;
constexpr std::size_t kSubgraphCountWord = 1;
constexpr std::size_t kOffsetCountWord = 2;
constexpr std::size_t kFirstOffsetWord = 3;
constexpr std::size_t kLeastSharedLetters = 7;  // "Offline"

std::uint32_t ReadWord(std::span<const std::byte> bytes, std::size_t word) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < kOfflinePlanWordBytes; ++i) {
    value |= std::to_integer<std::uint32_t>(bytes[word * kOfflinePlanWordBytes + i]) << (8 * i);
  }
  return value;
}

void WriteWord(std::uint32_t value, std::size_t word, std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < kOfflinePlanWordBytes; ++i) {
    bytes[word * kOfflinePlanWordBytes + i] = static_cast<std::byte>(value >> (8 * i));
  }
}

constexpr char LowerCase(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Are all plans of the name readable and the same? Buffers may share bytes, so that comparing all of them could take
// the square of the file's length: more work than the file has bytes counts as a difference.
bool AllTheSame(const ModelView& model, const OfflinePlanEntry& entry) {
  const std::span<const std::byte> counted = entry.bytes;
  std::size_t left_bytes = model.bytes().size();
  for (std::size_t i = entry.first_metadata_index; i < entry.metadata_index; ++i) {
    const MetadataView other = model.metadata(i);
    if (other.name != kOfflinePlanName) continue;
    if (other.data.size() != counted.size() || counted.empty()) return false;
    if (other.data.data() == counted.data()) continue;
    if (counted.size() > left_bytes) return false;
    left_bytes -= counted.size();
    if (std::memcmp(other.data.data(), counted.data(), counted.size()) != 0) return false;
  }
  return true;
}

// `count` is the one read of the count word.
Status CheckLength(const ModelView& model, const OfflinePlanEntry& entry, std::uint32_t count) {
  const std::size_t length = entry.bytes.size();
  const std::size_t held = (length - kOfflinePlanHeaderBytes) / kOfflinePlanWordBytes;
  if (length % kOfflinePlanWordBytes != 0) {
    return Failure(StatusCode::kOfflinePlanPartialWord, entry.metadata_index, length);
  }
  if (count > held) return Failure(StatusCode::kOfflinePlanCountTooLarge, entry.metadata_index, count, held);
  if (count < held) {
    return Failure(StatusCode::kOfflinePlanTrailingBytes, entry.metadata_index, length, OfflinePlanBytes(count));
  }
  const std::size_t tensor_count = model.total_tensor_count();
  if (count != tensor_count) {
    return Failure(StatusCode::kOfflinePlanTensorCount, entry.metadata_index, count, tensor_count);
  }
  return Ok();
}

Status CheckSigns(const ModelView& model, const OfflinePlanEntry& entry, std::span<const std::int32_t> offsets) {
  std::size_t next = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s) && next < offsets.size(); ++i, ++next) {
      if (offsets[next] >= kPlannedAtRunTime) continue;
      return Failure(StatusCode::kOfflinePlanNegativeOffset, entry.metadata_index, TensorPlace(s, i),
                     std::int64_t{offsets[next]});
    }
  }
  return Ok();
}

}  // namespace

Status LocateOfflinePlan(const ModelView& model, OfflinePlanEntry* entry) {
  OfflinePlanEntry found;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    const MetadataView metadata = model.metadata(i);
    if (metadata.name != kOfflinePlanName) continue;
    found.metadata_index = static_cast<std::uint32_t>(i);
    if (!found.present) found.first_metadata_index = found.metadata_index;
    found.present = true;
    ++found.entry_count;
    found.buffer = metadata.buffer;
    found.bytes = metadata.data;
  }
  if (found.present) {
    if (found.entry_count > 1 && !AllTheSame(model, found)) {
      return Failure(StatusCode::kOfflinePlanDuplicate, found.first_metadata_index, found.metadata_index,
                     found.entry_count);
    }
    if (found.buffer >= model.buffer_count()) {
      return Failure(StatusCode::kOfflinePlanBufferIndex, found.metadata_index, found.buffer, model.buffer_count());
    }
    const std::uint64_t outside_offset = model.buffer(found.buffer).outside_offset;
    if (found.buffer == 0 || (found.bytes.empty() && outside_offset <= 1)) {
      return Failure(StatusCode::kOfflinePlanNoData, found.metadata_index, found.buffer);
    }
    if (found.bytes.empty()) {
      return Failure(StatusCode::kOfflinePlanOutsideFile, found.metadata_index, found.buffer, outside_offset);
    }
  }
  *entry = found;
  return Ok();
}

Status CheckOfflinePlanLength(const ModelView& model, const OfflinePlanEntry& entry) {
  if (entry.bytes.size() < kOfflinePlanHeaderBytes) {
    return Failure(StatusCode::kOfflinePlanTooShort, entry.metadata_index, entry.bytes.size(), kOfflinePlanHeaderBytes);
  }
  return CheckLength(model, entry, ReadWord(entry.bytes, kOffsetCountWord));
}

Status DecodeOfflinePlan(const ModelView& model, const OfflinePlanEntry& entry, std::span<std::int32_t> offsets) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOfflinePlanLength(model, entry));
  const std::uint32_t version = ReadWord(entry.bytes, kVersionWord);
  if (version > kOfflinePlanLargestVersion) {
    return Failure(StatusCode::kOfflinePlanVersion, entry.metadata_index, version);
  }
  const std::uint32_t subgraph_count = ReadWord(entry.bytes, kSubgraphCountWord);
  if (subgraph_count != 0 && subgraph_count != model.subgraph_count()) {
    return Failure(StatusCode::kOfflinePlanSubgraphCount, entry.metadata_index, subgraph_count, model.subgraph_count());
  }
  // The count was found to be the tensors', of which `offsets` has the number: it is not read again.
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    offsets[i] = static_cast<std::int32_t>(ReadWord(entry.bytes, kFirstOffsetWord + i));
  }
  return CheckSigns(model, entry, offsets);
}

Status OfflineOffsetOf(const ModelView& model, std::size_t subgraph, std::size_t tensor, std::int32_t* offset) {
  OfflinePlanEntry entry;
  ARENAPROOF_RETURN_IF_ERROR(LocateOfflinePlan(model, &entry));
  *offset = kPlannedAtRunTime;
  if (!entry.present) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckOfflinePlanLength(model, entry));
  const std::size_t word = kFirstOffsetWord + model.first_tensor_of(subgraph) + tensor;
  *offset = static_cast<std::int32_t>(ReadWord(entry.bytes, word));
  return Ok();
}

bool IsAlmostOfflinePlanName(std::string_view name) {
  if (name == kOfflinePlanName) return false;
  const std::size_t shared = std::min(name.size(), kOfflinePlanName.size());
  if (shared < kLeastSharedLetters) return false;
  return std::equal(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(shared), kOfflinePlanName.begin(),
                    [](char a, char b) { return LowerCase(a) == LowerCase(b); });
}

void EncodeOfflinePlan(const OfflinePlanHeader& header, std::span<const std::int32_t> offsets,
                       std::span<std::byte> bytes) {
  WriteWord(header.version, kVersionWord, bytes);
  WriteWord(header.subgraph_count, kSubgraphCountWord, bytes);
  WriteWord(static_cast<std::uint32_t>(offsets.size()), kOffsetCountWord, bytes);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    WriteWord(static_cast<std::uint32_t>(offsets[i]), kFirstOffsetWord + i, bytes);
  }
}

}  // namespace arenaproof
