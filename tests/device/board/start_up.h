// Where the start-up code hands over.
#pragma once

namespace arenaproof::device {

// The program; what it returns is its exit status.
int Main();

}  // namespace arenaproof::device
