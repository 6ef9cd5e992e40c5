// The logistic function of float32, as LOGISTIC and the gates of an LSTM compute it.
#pragma once

namespace arenaproof::reference {

float LogisticOfFloat(float x);

}  // namespace arenaproof::reference
