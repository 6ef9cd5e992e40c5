// What a kernel asks about subgraphs, and of them.
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

struct ServiceMove {
  MemoryRegion from, to;
};

// Whether some of the moves wait for each other: each writes what the next one still has to read.
std::vector<bool> MovesInCircles(const std::vector<ServiceMove>& moves) {
  const std::size_t count = moves.size();
  std::vector<std::vector<bool>> waits(count, std::vector<bool>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const bool both = moves[i].from.data != moves[i].to.data && moves[j].from.data != moves[j].to.data;
      waits[i][j] = i != j && both && ShareBytes(moves[i].to, moves[j].from);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) waits[i][j] = waits[i][j] || (waits[i][k] && waits[k][j]);
    }
  }
  std::vector<bool> in_circle(count);
  for (std::size_t i = 0; i < count; ++i) in_circle[i] = waits[i][i];
  return in_circle;
}

std::vector<std::byte> BytesOfRegion(MemoryRegion region) { return {region.data, region.data + region.bytes}; }

}  // namespace

void ServiceSession::AskAboutSubgraph() {
  const std::int32_t subgraph = DrawSubgraph();
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  RefuseUncalled(expected, subgraph);
  SubgraphCounts counts{77, 77};
  RequireAnswer("DescribeSubgraph", runtime_->DescribeSubgraph(subgraph, &counts), expected);
  const bool right = expected.refused()
                         ? counts.inputs == 77 && counts.outputs == 77
                         : counts.inputs == graph_of(static_cast<std::size_t>(subgraph)).inputs.size() &&
                               counts.outputs == graph_of(static_cast<std::size_t>(subgraph)).outputs.size();
  if (!right) Defect("DescribeSubgraph", "wrong numbers");
}

void ServiceSession::AskAboutOperand() {
  const std::int32_t subgraph = DrawSubgraph();
  const std::uint8_t choice = reader_.Byte();
  if (runtime_ == nullptr) return;
  const bool output = choice % 2 == 1;
  std::size_t place = choice / 2 % 4;
  if (choice >= 250) place = 0 - std::size_t{choice % 3u} - 1 - kFirstOutputOperand;
  const std::size_t position = output ? place + kFirstOutputOperand : place;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  RefuseUncalled(expected, subgraph);
  Operand operand;
  if (!expected.refused()) {
    const ServiceGraph& graph = graph_of(static_cast<std::size_t>(subgraph));
    const std::size_t count = position >= kFirstOutputOperand ? graph.outputs.size() : graph.inputs.size();
    const std::size_t index = position >= kFirstOutputOperand ? position - kFirstOutputOperand : position;
    expected.RefuseIf(index >= count, StatusCode::kRuntimeTensorIndex, index, count);
    RequireAnswer("DescribeOperand", runtime_->DescribeOperand(subgraph, position, &operand), expected);
    if (expected.refused()) return;
    RequireOperand(operand, static_cast<std::size_t>(subgraph),
                   position >= kFirstOutputOperand ? graph.outputs[index] : graph.inputs[index], "DescribeOperand");
    return;
  }
  RequireAnswer("DescribeOperand", runtime_->DescribeOperand(subgraph, position, &operand), expected);
}

void ServiceSession::CopyBetweenGraphs() {
  const auto draw = [this] {
    const std::uint8_t choice = reader_.Byte();
    return TensorList{static_cast<TensorListKind>(choice % 4), DrawSubgraph(),
                      choice < 192   ? 0u
                      : choice < 252 ? choice / 4u % 3
                                     : ~std::size_t{choice % 2u}};
  };
  const TensorList from = draw(), to = draw();
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, false, true);
  const auto is_own = [](const TensorList& list) {
    return list.kind == TensorListKind::kOperatorInputs || list.kind == TensorListKind::kOperatorOutputs;
  };
  // What an operator reads, and what a graph gives, is not its caller's to write.
  expected.RefuseIf(to.kind == TensorListKind::kOperatorInputs || to.kind == TensorListKind::kSubgraphOutputs,
                    StatusCode::kSubgraphCopyTarget, to.kind);
  if (!is_own(from)) RefuseUncalled(expected, from.subgraph);
  if (!is_own(to)) RefuseUncalled(expected, to.subgraph);
  std::vector<std::byte> before = ArenaBytes();
  if (expected.refused()) {
    RequireAnswer("CopyTensors", runtime_->CopyTensors(from, to), expected);
    return RequireArenaUnchanged(std::move(before), {}, "CopyTensors");
  }
  struct Listed {
    std::size_t graph;
    std::vector<std::int32_t> tensors;
  };
  const auto listed = [&](const TensorList& list) {
    const auto called = static_cast<std::size_t>(list.subgraph);
    Listed all{is_own(list) ? running_->graph : called, {}};
    all.tensors = list.kind == TensorListKind::kOperatorInputs    ? running_op().inputs
                  : list.kind == TensorListKind::kOperatorOutputs ? running_op().outputs
                  : list.kind == TensorListKind::kSubgraphInputs  ? graph_of(called).inputs
                                                                  : graph_of(called).outputs;
    all.tensors.erase(all.tensors.begin(),
                      all.tensors.begin() + static_cast<std::ptrdiff_t>(std::min(list.skip_count, all.tensors.size())));
    return all;
  };
  const Listed sources = listed(from), destinations = listed(to);
  const std::size_t count = sources.tensors.size();
  const bool equal = count == destinations.tensors.size();
  expected.RefuseIf(!equal, StatusCode::kSubgraphCopyCount, count, destinations.tensors.size());
  std::vector<ServiceMove> moves;
  std::vector<std::vector<std::byte>> values;
  for (std::size_t i = 0; equal && i < count; ++i) {
    expected.RefuseIf(sources.tensors[i] < 0, StatusCode::kRuntimeTensorIndex);
    if (sources.tensors[i] < 0) continue;
    const std::size_t bytes = described(sources.graph, sources.tensors[i]).bytes;
    const std::size_t room = described(destinations.graph, destinations.tensors[i]).bytes;
    expected.RefuseIf(bytes != room, StatusCode::kSubgraphCopyBytes, i, bytes, room);
    const ServiceTensorState& source = tensor_at(sources.graph, sources.tensors[i]);
    moves.push_back({{source.address, bytes}, {tensor_at(destinations.graph, destinations.tensors[i]).address, room}});
    values.push_back(BytesOfRegion(moves.back().from));
  }
  bool overlap = false;
  std::vector<bool> in_circle(moves.size());
  if (!expected.refused()) {
    in_circle = MovesInCircles(moves);
    overlap = std::find(in_circle.begin(), in_circle.end(), true) != in_circle.end();
    expected.RefuseIf(overlap, StatusCode::kSubgraphCopyOverlap);
  }
  RequireAnswer("CopyTensors", runtime_->CopyTensors(from, to), expected);
  std::vector<MemoryRegion> written;
  for (std::size_t i = 0; i < moves.size() && (!expected.refused() || overlap); ++i) {
    if (!in_circle[i]) written.push_back(moves[i].to);
  }
  RequireArenaUnchanged(std::move(before), written, "CopyTensors");
  if (expected.refused()) return;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (std::size_t at = 0; at < moves[i].to.bytes; ++at) {
      bool right = false;  // of destinations that lie on each other one is as good as the other
      for (std::size_t j = 0; j < moves.size() && !right; ++j) {
        const std::byte* const byte = moves[i].to.data + at;
        right = LiesIn({byte, 1}, moves[j].to) && *byte == values[j][static_cast<std::size_t>(byte - moves[j].to.data)];
      }
      if (!right) Defect("CopyTensors", "a destination does not hold its source's value");
    }
  }
  if (to.kind == TensorListKind::kSubgraphInputs && count > 0) {
    ForgetOthersThan(destinations.graph);
    for (std::size_t t = 0; t < graph_of(destinations.graph).tensors.size(); ++t) {
      const std::vector<std::int32_t>& inputs = graph_of(destinations.graph).inputs;
      const bool input = std::find(inputs.begin(), inputs.end(), static_cast<std::int32_t>(t)) != inputs.end();
      if (!input && !graph_of(destinations.graph).tensors[t].variable)
        state_.tensors[destinations.graph][t].known = false;
    }
  }
  for (std::size_t i = 0; i < count; ++i) Write(destinations.graph, destinations.tensors[i], std::move(values[i]));
}

void ServiceSession::CallSubgraph() {
  const std::int32_t subgraph = DrawSubgraph();
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, false, true);
  RefuseUncalled(expected, subgraph);
  if (Explaining()) Explain("      calls graph " + std::to_string(subgraph));
  if (expected.refused()) return RequireAnswer("InvokeSubgraph", runtime_->InvokeSubgraph(subgraph), expected);
  const auto graph = static_cast<std::size_t>(subgraph);
  RuntimeServices* const runtime = runtime_;
  EnterGraph(graph);
  state_.running.emplace_back().graph = graph;
  const Status status = runtime->InvokeSubgraph(subgraph);
  ExpectEndOfGraph(expected);
  LeaveGraph(graph);
  RequireAnswer("InvokeSubgraph", status, expected);
  RequireOperands(invoke_->inputs, invoke_->outputs);  // the caller's again
  RequireScratch(*invoke_);
  RequireValues("after a call of a subgraph");
}

void ServiceSession::ReadSubgraphOutput() {
  const std::int32_t subgraph = DrawSubgraph();
  const std::uint8_t choice = reader_.Byte();
  const std::size_t position = choice < 248 ? choice % 3 : ~std::size_t{0};
  const std::uint8_t bytes_choice = reader_.Byte();
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, false, true);
  RefuseUncalled(expected, subgraph);
  std::size_t bytes = bytes_choice % 128;
  MemoryRegion output;
  if (!expected.refused()) {
    const ServiceGraph& graph = graph_of(static_cast<std::size_t>(subgraph));
    expected.RefuseIf(position >= graph.outputs.size(), StatusCode::kRuntimeTensorIndex, position,
                      graph.outputs.size());
    if (!expected.refused()) {
      const std::int32_t tensor = graph.outputs[position];
      output = {tensor_at(static_cast<std::size_t>(subgraph), tensor).address,
                described(static_cast<std::size_t>(subgraph), tensor).bytes};
      if (bytes_choice >= 128) bytes = output.bytes + bytes_choice % 2u;
      expected.RefuseIf(bytes > output.bytes, StatusCode::kSubgraphCopyBytes, position, output.bytes, bytes);
    }
  }
  std::vector<std::byte> read(bytes, std::byte{0x77});
  std::vector<std::byte> before = ArenaBytes();
  RequireAnswer("ReadOutput", runtime_->ReadOutput(subgraph, position, read), expected);
  RequireArenaUnchanged(std::move(before), {}, "ReadOutput");
  for (std::size_t i = 0; i < bytes; ++i) {
    if (read[i] != (expected.refused() ? std::byte{0x77} : output.data[i])) Defect("ReadOutput", "other bytes");
  }
}

}  // namespace arenaproof
