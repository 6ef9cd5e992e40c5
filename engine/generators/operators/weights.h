// Filters and biases of convolutions and FULLY_CONNECTED.
#pragma once

#include "engine/generators/operators/case_choices.h"

namespace arenaproof {

// `channels` scales along `dimension` half of the time.
CaseTensor Filter(CaseRandom& random, bool quantized, CaseShape shape, std::int32_t dimension, std::int32_t channels);
// Its scales are the products of the input's and the filter's.
CaseTensor Bias(CaseRandom& random, const CaseTensor& input, const CaseTensor& filter, std::int32_t channels);

}  // namespace arenaproof
