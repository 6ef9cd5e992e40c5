// Rows along the last axis, and operators that remember.
#pragma once

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

std::vector<Expected> SoftmaxOutputs(const OperatorCase& k);
std::vector<Expected> LogSoftmaxOutputs(const OperatorCase& k);
std::vector<Expected> L2NormalizationOutputs(const OperatorCase& k);

std::vector<Expected> SvdfOutputs(const OperatorCase& k);
std::vector<Expected> SvdfVariables(const OperatorCase& k);
std::vector<std::size_t> SvdfScratch(const OperatorCase& k);

std::vector<Expected> LstmOutputs(const OperatorCase& k);
std::vector<Expected> LstmVariables(const OperatorCase& k);
std::vector<std::size_t> LstmScratch(const OperatorCase& k);

}  // namespace arenaproof::props
