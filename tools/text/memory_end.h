// Whether a program ends because there is no memory left, asked where no memory can be asked for.
#pragma once

namespace arenaproof {

// For a handler of std::terminate: an allocation failed, or there was no memory for the exception itself.
bool MemoryRanOut();

}  // namespace arenaproof
