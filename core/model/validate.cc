#include "core/model/validate.h"

#include "core/model/call_tree.h"
#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

Status CheckSubgraph(const ModelView& model, std::size_t subgraph, const OperatorSupport* support,
                     ValidationReport* report) {
  for (std::size_t i = 0; i < model.tensor_count(subgraph); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckTensor(model, subgraph, i, report));
  }
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckOperator(model, subgraph, i, support, report));
  }
  return CheckProducers(model, subgraph);
}

Status CheckAll(const ModelView& model, const OperatorSupport* support, ValidationReport* report) {
  ARENAPROOF_RETURN_IF_ERROR(CheckListWork(model));
  ARENAPROOF_RETURN_IF_ERROR(CheckModelLists(model, report));
  for (std::size_t i = 0; i < model.subgraph_count(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSubgraph(model, i, support, report));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckCallTree(model));
  if (report->unsupported().empty()) return Ok();
  return Failure(StatusCode::kModelUnsupported, report->unsupported().size() + report->omitted_count(),
                 report->unsupported_occurrence_count());
}

}  // namespace

Status ValidateModel(const ModelView& model, ValidationReport* report, const OperatorSupport* support) {
  *report = ValidationReport{};
  report->status = CheckAll(model, support, report);
  return report->status;
}

}  // namespace arenaproof
