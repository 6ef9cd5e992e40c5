#include "engine/oracles/model/planning_oracle.h"

#include <algorithm>
#include <vector>

#include "core/base/byte_size.h"
#include "core/model/tensor_bytes.h"
#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "engine/cases/buffer_request.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "engine/oracles/model/value_trace.h"
#include "engine/oracles/model/view_oracle.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

using testing::BufferRequest;

// Two for the operators that have any: as kernels ask, and enough for one to be forgotten.
std::vector<ScratchPlace> ScratchPlacesOf(const ModelView& model) {
  std::vector<ScratchPlace> places;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      for (std::size_t k = 0; k < (s + i) % 3; ++k) {
        places.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)});
      }
    }
  }
  return places;
}

std::vector<Home> TensorHomes(const ModelView& model) {
  std::vector<Home> homes;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      const TensorView tensor = model.tensor(s, i);
      Home home;
      if (!TensorArenaBytes(tensor, &home.bytes).ok()) return {};
      home.planned = !tensor.is_constant() && !tensor.is_variable && home.bytes != 0;
      homes.push_back(home);
    }
  }
  return homes;
}

std::string CheckPlan(const ModelView& model, std::vector<Home> tensors, std::vector<ScratchHome> scratch,
                      std::span<const Lifetime> tensor_lifetimes, std::span<const Lifetime> scratch_lifetimes) {
  std::vector<BufferRequest> requests;
  std::vector<Home*> homes;
  const auto add = [&](Home& home, const Lifetime& lifetime) {
    std::size_t rounded = 0;
    if (!home.planned || !RoundUp16(home.bytes, &rounded).ok()) return;
    requests.push_back({rounded, lifetime.first, lifetime.last});
    homes.push_back(&home);
  };
  for (std::size_t i = 0; i < tensors.size(); ++i) add(tensors[i], tensor_lifetimes[i]);
  for (std::size_t i = 0; i < scratch.size(); ++i) add(scratch[i].home, scratch_lifetimes[i]);
  if (requests.size() > kMostCheckedBuffers) return {};

  GreedyPlanner planner;
  const auto plan = testing::Plan(planner, requests, 3, 40, std::byte{0x5a});
  const auto expected = testing::ReferenceGreedy(requests);
  if (plan.has_value() != expected.has_value()) return "the greedy planner refuses a plan that exists, or the reverse";
  if (!plan.has_value()) return {};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (plan->offsets[i] != expected->offsets[i]) {
      return "the greedy planner differs from the reference one (P7): buffer " + std::to_string(i) + " lies at " +
             std::to_string(plan->offsets[i]) + ", the reference puts it at " + std::to_string(expected->offsets[i]);
    }
    homes[i]->offset = plan->offsets[i];
  }
  if (plan->maximum_bytes != expected->maximum_bytes) return "the plan's size is not its highest end (P3)";
  const std::vector<PlacedBuffer> placed = testing::Placed(requests, plan->offsets);
  const Certificate certificate = testing::CertifyAnywhere(placed, plan->maximum_bytes, 16);
  if (!certificate.ok()) return std::string("the plan is refused: ") + CertificateReasonName(certificate.reason);
  const Certificate quadratic = testing::QuadraticCertificate(placed, plan->maximum_bytes, 16);
  if (!quadratic.ok())
    return std::string("the certifier lets a wrong plan through: ") + CertificateReasonName(quadratic.reason);
  return TraceValues(model.bytes(), tensors, scratch);
}

}  // namespace

std::string CheckPlanning(const ModelView& model) {
  std::string complaint = CheckSizes(model);
  if (model.total_operator_count() > kMostCheckedBuffers) {
    return complaint.empty() ? CheckLifetimes(model, {}) : complaint;
  }
  const std::vector<ScratchPlace> places = ScratchPlacesOf(model);
  if (complaint.empty()) complaint = CheckLifetimes(model, places);
  if (!complaint.empty()) return complaint;
  std::vector<Lifetime> tensors(model.total_tensor_count());
  std::vector<Lifetime> scratch(places.size());
  if (StepsOfCalls(model, places) > kMostComparedSteps) return {};
  if (!ComputeLifetimes(model, tensors, places, scratch).ok()) return "lifetimes of a sound model are refused";
  std::vector<ScratchHome> homes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    homes.push_back({places[i].subgraph, places[i].operator_index, {true, 0, 16 * (1 + i % 5)}});
  }
  return CheckPlan(model, TensorHomes(model), homes, tensors, scratch);
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
