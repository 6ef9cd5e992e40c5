// Small networks for kernels that follow a script: one to three graphs, each with operators that know nothing but their
// operands, some of which may call a later graph. A network is sound: validation takes it, whatever bytes it is drawn
// from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "engine/generators/bytes/byte_reader.h"

namespace arenaproof {

// Every operator of a network has a kernel of its own, so that a kernel that runs is known to be the right one: custom
// operators "scripted 0" to "scripted 8", or "bare 0" to "bare 8" without init and prepare, and one each of IF, WHILE
// and CALL_ONCE.
inline constexpr std::size_t kCustomSlots = 9;
inline constexpr std::size_t kIfSlot = 9, kWhileSlot = 10, kCallOnceSlot = 11;
inline constexpr std::size_t kKernelSlots = 12;

inline constexpr std::uint8_t kServiceZeroPoint = 5;  // of a quantised tensor

enum class ServiceKernelKind : std::uint8_t {
  kScripted,
  kBare,   // invoke only
  kNobody  // no kernel serves the operator
};

struct ServiceTensor {
  TensorType type = TensorType::kInt8;
  std::vector<std::int32_t> shape;
  std::size_t bytes = 0;
  bool constant = false;
  bool variable = false;
  bool quantised = false;
  std::int32_t offset = -1;  // in the network's own plan

  std::uint8_t reset_value() const { return quantised ? kServiceZeroPoint : std::uint8_t{0}; }
  // The first axis whose extent no output may have; the rank when there is none.
  std::size_t dynamic_axis() const;
};

struct ServiceOperator {
  std::size_t slot = 0;
  ServiceKernelKind kind = ServiceKernelKind::kScripted;
  std::vector<std::int32_t> inputs;  // -1: omitted
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> called;  // graphs
};

struct ServiceGraph {
  std::vector<ServiceTensor> tensors;
  std::vector<ServiceOperator> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

struct ServiceNetwork {
  std::vector<ServiceGraph> graphs;  // the main one first
  bool has_plan = false;             // of its own, which has to be trusted
  std::vector<std::byte> file;
  std::optional<ValidatedModel> view;  // of the file
};

inline constexpr std::size_t kServiceRankLimit = 6;

std::uint8_t ServiceConstantByte(std::size_t position);

// The bytes that it takes: networks differ in length.
ServiceNetwork DrawServiceNetwork(ByteReader& reader);

// In words, a line for each graph.
std::string ServiceNetworkWords(const ServiceNetwork& network);

}  // namespace arenaproof
