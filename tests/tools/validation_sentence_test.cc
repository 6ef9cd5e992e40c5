#include "tools/text/validation_sentence.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

std::int32_t Value(UnsupportedFeature feature) { return static_cast<std::int32_t>(feature); }

TEST(ValidationSentence, NamesWhatIsNotSupportedWithItsCountAndFirstPlace) {
  ValidationReport report;
  report.status = Failure(StatusCode::kModelUnsupported, 4, 5);
  report.AddUnsupported(UnsupportedKind::kCustomOperator, 0, "triple", 1, 2);
  report.AddUnsupported(UnsupportedKind::kCustomOperator, 0, "triple", 1, 7);
  report.AddUnsupported(UnsupportedKind::kFeature, Value(UnsupportedFeature::kSparseTensor), {}, 0, 3);
  report.AddUnsupported(UnsupportedKind::kFeature, Value(UnsupportedFeature::kBufferOutsideFile), {}, 0, 9);
  report.AddUnsupported(UnsupportedKind::kFeature, Value(UnsupportedFeature::kLargeCustomOptions), {}, 2, 0);
  EXPECT_EQ(ValidationSentence(report),
            "the model needs what is not supported: custom operator 'triple' (2 times, first in operator 2 of subgraph "
            "1), sparse tensor (1 time, first in tensor 3 of subgraph 0), buffer data behind the flatbuffer (1 time, "
            "first in buffer 9), custom options behind the flatbuffer (1 time, first in operator 0 of subgraph 2); "
            "docs/operators.md lists what is");
}

}  // namespace
}  // namespace arenaproof
