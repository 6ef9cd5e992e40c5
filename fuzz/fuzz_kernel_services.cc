// Is every call that a kernel makes, in whatever phase and with whatever arguments, answered by the right status, with
// nothing of anyone else's touched and the arena's state as it has to be?
//
//   first      the network: graphs and whether it has a plan (1), then of each graph its inputs, constant, variable and
//              number of operators (1), its inputs' sizes, its operators (kernel, counts, inputs, outputs' sizes) and
//              its outputs (engine/harness/kernel_services/service_network.cc)
//   then       the world: arenas, spacing, resource variables (1), bytes of the arena (1)
//   then       the application's calls (1 each, and their numbers); while one of them runs, each kernel that is called
//              reads its own: below 56 its calls end, else one more follows with its numbers; at the end its result
#include <cstddef>
#include <cstdint>

#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/kernel_services/service_session.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  arenaproof::ServiceSession session(reader);
  arenaproof::CountReach("calls of kernels", session.Run());
  return 0;
}
