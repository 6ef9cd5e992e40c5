// What a model target sets up once in its process.
#pragma once

namespace arenaproof {

// Proves the instrument, and makes every report that is not about watched memory fatal. Linking this also sets the
// sanitizers' options: reports about watched memory are left to the instrument, so they do not end the process.
// ASAN_OPTIONS overrides.
void StartWatching();

// The same, shows the oracles wrong subjects, and has the stages printed at exit.
void StartModelFuzzProcess();

}  // namespace arenaproof
