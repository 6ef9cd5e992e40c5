// ModelView::Open against its contract: sound files that were cut, files that are long, files of which a word was
// changed, and files whose tables are shared, around the number of tables that the verifier may visit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "engine/oracles/model/opening_oracle.h"
#include "engine/oracles/model/wire_model.h"
#include "props/model/model_generators.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

std::vector<std::byte> SmallFile() { return SoundModel(24).Finish(); }

RC_GTEST_PROP(Opening, FollowsItsContractForFilesThatWereCut, ()) {
  std::vector<std::byte> file = SmallFile();
  const bool short_one = *rc::gen::arbitrary<bool>();
  file.resize(*rc::gen::inRange<std::size_t>(0, short_one ? 24 : file.size() + 1));
  RequireNone(oracle::CheckOpening(file));
}

// Bytes that nothing refers to do no harm, as many as there is room for.
RC_GTEST_PROP(Opening, FollowsItsContractForFilesOfAnyLength, ()) {
  std::vector<std::byte> file = SmallFile();
  file.resize(file.size() + Below(std::size_t{2} << Below(22)), static_cast<std::byte>(Below(256)));
  RequireNone(oracle::CheckOpening(file));
}

// Offsets, lengths and counts among others; by little, so that what they refer to is misaligned or ends elsewhere.
RC_GTEST_PROP(Opening, FollowsItsContractForFilesOfWhichWordsWereChanged, ()) {
  std::vector<std::byte> file = SmallFile();
  for (std::size_t count = *rc::gen::inRange<std::size_t>(1, 3); count > 0; --count) {
    const std::size_t most_words = *rc::gen::arbitrary<bool>() ? 4 : file.size() / 4;
    const std::size_t at = 4 * *rc::gen::inRange<std::size_t>(0, most_words);
    std::uint32_t word = 0;
    std::memcpy(&word, file.data() + at, 4);
    word += static_cast<std::uint32_t>(*rc::gen::inRange(-9, 10)) << *rc::gen::element(0, 0, 0, 8, 16, 24);
    std::memcpy(file.data() + at, &word, 4);
  }
  RequireNone(oracle::CheckOpening(file));
}

// Every subgraph the same, in it every operator the same: visited are products of what is stored.
RC_GTEST_PROP(Opening, FollowsItsContractForFilesThatShareTables, ()) {
  const auto subgraph_count = *rc::gen::inRange<std::size_t>(1, 60);
  const auto operator_count = *rc::gen::inRange<std::size_t>(1, 60);
  flatbuffers::FlatBufferBuilder builder;
  wire::OperatorBuilder op(builder);
  const std::vector<flatbuffers::Offset<wire::Operator>> operators(operator_count, op.Finish());
  const auto operator_list = builder.CreateVector(operators);
  wire::SubGraphBuilder graph(builder);
  graph.add_operators(operator_list);
  const std::vector<flatbuffers::Offset<wire::SubGraph>> graphs(subgraph_count, graph.Finish());
  const auto graph_list = builder.CreateVector(graphs);
  wire::ModelBuilder model(builder);
  model.add_subgraphs(graph_list);
  builder.Finish(model.Finish(), "TFL3");
  const auto* const data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  RequireNone(oracle::CheckOpening({data, builder.GetSize()}));
}

}  // namespace
}  // namespace arenaproof::testing
