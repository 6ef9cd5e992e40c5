// Shows the event ledger a made-up life that is right, and the same life with one thing wrong in it, again and again:
// it has to be silent about the first and to name the wrong thing each time. A ledger that checks less than it promises
// is found before it judges anything.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What the ledger did not notice, or noticed for nothing; empty when all is as it should be.
std::vector<std::string> RunEventStreamSelfTest();

}  // namespace arenaproof
