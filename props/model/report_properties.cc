// What validation reports of things that nobody serves, against the oracle.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/model/validate.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/report_oracle.h"
#include "props/model/model_generators.h"

namespace arenaproof::testing {
namespace {

bool ServedByHalf(std::int64_t code) { return code % 2 != 0 && code != 19; }
bool ServedByNobody(std::int64_t) { return false; }
bool ServedWhateverItIs(std::int64_t) { return true; }

class Support final : public OperatorSupport {
 public:
  explicit Support(oracle::Served served) : served_(served) {}
  bool Serves(const ModelView&, std::size_t, const OperatorView& view) const override {
    return served_(static_cast<std::int64_t>(view.code));
  }

 private:
  oracle::Served served_;
};

// One operator each of many codes, more kinds than a report has room for, some of them twice.
void AddManyKinds(ModelBuilder& model, Choices& choices) {
  if (model.subgraphs.empty()) return;
  SubgraphSpec& graph = choices.Of(model.subgraphs);
  for (std::size_t count = choices.Below(70); count > 0; --count) {
    const bool custom = choices.OneIn(3);
    const std::string name(1, static_cast<char>('a' + choices.Below(20)));
    const std::uint32_t code =
        custom ? model.AddCustomCode(name) : model.AddCode(static_cast<BuiltinOperator>(150 + choices.Below(65)));
    graph.AddOperator({.code = code});
  }
}

RC_GTEST_PROP(Report, ListsEachUnservedThingOnceWithItsCount, ()) {
  ModelBuilder builder = SoundModel();
  Choices choices(*Numbers(120));
  for (std::size_t count = choices.Below(4); count > 0; --count) CorruptModel(builder, choices);
  if (choices.OneIn(4)) AddManyKinds(builder, choices);
  static constexpr oracle::Served kServed[] = {ServedByNobody, ServedByHalf, oracle::EverySchemaCode,
                                               ServedWhateverItIs};
  const oracle::Served served = choices.Of(kServed);
  const auto model = Open(builder);
  const Support support(served);
  ValidationReport report;
  const Status status = ValidateModel(model->view, &report, &support);
  if (report.status.code != status.code) RequireNone("the report has another status than validation");
  RC_TAG(std::string(oracle::StatusName(status.code)));
  if (!status.ok() && status.code != StatusCode::kModelUnsupported) return;
  RequireNone(oracle::CheckValidationReport(model->file, report, served));
}

}  // namespace
}  // namespace arenaproof::testing
