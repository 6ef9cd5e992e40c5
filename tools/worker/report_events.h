// The parts of a finished check as fields of protocol.h's events.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/memory/allowed_reads.h"
#include "tools/memory/host_arenas.h"
#include "tools/model/step_operators.h"
#include "tools/worker/checking_observer.h"
#include "tools/worker/run_refusal.h"

namespace arenaproof {

// `model` null: it could not be opened.
nlohmann::json RefusalFields(const RunRefusal& refusal, const ModelView* model);
nlohmann::json SelfTestFields(const SelfTestResult& result);
nlohmann::json PlanFields(const ModelView& model, const CheckingObserver& observer, const Interpreter& interpreter,
                          const std::byte* arena, const ArenaSizes& sizes, const ArenaSizes& device_sizes);
nlohmann::json AllowedReadFields(std::span<const AllowedRead> reads);
nlohmann::json BlindPairFields(const CheckingObserver& observer);
nlohmann::json NotExactFields(const ModelView& model, const std::vector<CheckingObserver::NotExact>& operands);
// `steps` are those of the model (tools/model/step_operators.h).
nlohmann::json ViolationFields(const ModelView& model, std::span<const StepOperator> steps, const Violation& violation);
nlohmann::json OutputFields(const ModelView& model, std::uint32_t run, std::size_t index, const Operand& output);

}  // namespace arenaproof
