// logistic and tanh of 16 bits, by a table of 256 points with straight lines between them: LOGISTIC and TANH of int16,
// the gates of an LSTM. The argument is v / 12288, the result Q0.15.
#pragma once

#include <cstdint>

namespace arenaproof::reference {

// |v| <= 2^31 - 1.
std::int16_t LogisticOfTable(std::int32_t v);
std::int16_t TanhOfTable(std::int32_t v);

}  // namespace arenaproof::reference
