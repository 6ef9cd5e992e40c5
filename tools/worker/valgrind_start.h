// A worker of the instrument valgrind has to run under Valgrind from its first instruction on: it begins anew there.
#pragma once

#include <span>
#include <string>

namespace arenaproof {

// `words` are those of a check (tools/worker/protocol.h). Becomes the same program with the same words and
// --valgrind-log-fd=N behind them, under Valgrind, whose log goes there. Returns when that cannot be: a sentence says
// why.
std::string StartUnderValgrind(std::span<const std::string> words);

}  // namespace arenaproof
