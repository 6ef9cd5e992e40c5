// What ModelView::Open has to say to any bytes at any address, in the words of its contract.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace arenaproof::oracle {

// What is wrong with how these bytes are opened where they lie and, copied, at every address of which the alignment is
// too small, and with the place at which they are damaged; empty when nothing is.
std::string CheckOpening(std::span<const std::byte> file);

}  // namespace arenaproof::oracle
