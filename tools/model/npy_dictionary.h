// The dictionary in the header of a .npy file: the Python literal that numpy writes, and nothing else that Python would
// take for one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/model/npy_file.h"

namespace arenaproof {

// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }" and the spaces and the line end behind it: the
// keys in any order, the last comma or none. `offset`: where the text begins in the file. Empty, or what is wrong with
// it, with its place in the file.
std::string ReadNpyDictionary(std::string_view text, std::size_t offset, NpyHeader* header);

}  // namespace arenaproof
