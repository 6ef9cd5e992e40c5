// Self-test of EventStreamChecker: it gets a correct stream of events, about which it may report nothing, and the same
// stream with one event wrong, many times over, of which it has to report each. A checker that checks less than it
// promises is found before its reports are used.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// What the checker missed or reported wrongly; empty when all is as it should be.
std::vector<std::string> RunEventStreamSelfTest();

}  // namespace arenaproof
