// Random sound models of several subgraphs: chains of operators over vectors of floats, some of which call subgraphs,
// keep state or need scratch, with or without an offline plan of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arenaproof::testing {

struct ChainOperator {
  std::size_t subgraph = 0, index = 0;
  std::string name;
  std::int32_t output = 0;                          // the tensor that it writes
  std::size_t scratch_bytes = 0;                    // by the kernels' definitions, each buffer rounded up to 16
  std::int32_t then_branch = -1, else_branch = -1;  // the subgraphs that it calls
};

struct ChainModel {
  std::vector<std::byte> file;
  std::vector<std::byte> file_without_plan;  // the same model, to be planned at run time
  std::string described;
  std::vector<ChainOperator> operators;
};

// Operators of five kinds that call nobody are each as likely; one that calls subgraphs is `call_weight` times that.
ChainModel DrawChainModel(int call_weight = 2);

}  // namespace arenaproof::testing
