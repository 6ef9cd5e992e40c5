// How a file of kernels comes into the process.
#pragma once

#include <string>

namespace arenaproof {

// From now on copies in memory are loaded. Valgrind reads the debugging information of each file of the process and
// gives up over what it does not know; a copy is no file. Where a copy cannot be loaded, as when the library looks for
// others beside itself, the file is.
void LoadCopiesOfFiles();

// As dlopen(), with all symbols resolved; null with dlerror().
void* LoadFile(const std::string& path);

}  // namespace arenaproof
