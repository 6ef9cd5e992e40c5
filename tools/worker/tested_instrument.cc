#include "tools/worker/tested_instrument.h"

#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/self_test/free_self_test.h"
#include "sanitizers/self_test/instrument_self_test.h"

namespace arenaproof {
namespace {

void AppendFailures(const SelfTestResult& one, SelfTestResult& all) {
  all.missed.insert(all.missed.end(), one.missed.begin(), one.missed.end());
  all.legal_reported.insert(all.legal_reported.end(), one.legal_reported.begin(), one.legal_reported.end());
}

}  // namespace

std::optional<RunRefusal> TestedInstrument::Choose(const CheckArguments& arguments) {
  if (instrument_ || arguments.instrument == "none") return {};
  instrument_ = MakeInstrument(arguments.instrument);
  if (!instrument_) {
    return Refusal("instrument", ToolRefusal::kInstrumentUnknown,
                   "there is no instrument '" + arguments.instrument + "'; " + kInstrumentNames + " or none");
  }
  const Status available = instrument_->Available();
  if (!available.ok()) return Refusal("instrument", available);
  return {};
}

void TestedInstrument::TestBeforeAttach(const CheckArguments& arguments, SelfTestRecord* record) {
  if (given_) return;
  if (!instrument_ && record != nullptr) record->Pass();
  if (!instrument_) return;
  if (arguments.reserve_front_bytes != 0) of_free_ = RunFreeSelfTest(arguments.reserve_front_bytes);
  if (record != nullptr && record->passed()) return;
  before_attach_ = RunInstrumentSelfTest(*MakeInstrument(arguments.instrument));
  if (record != nullptr && before_attach_.ran && before_attach_.status().ok()) record->Pass();
}

SelfTestResult TestedInstrument::SelfTest() const {
  SelfTestResult result = instrument_->self_test();
  AppendFailures(before_attach_, result);
  AppendFailures(of_free_, result);
  result.seen.insert(result.seen.end(), of_free_.seen.begin(), of_free_.seen.end());
  // The access list has this limit; others know what was written.
  if (!instrument_->SeesUnwritten()) {
    result.limits.emplace_back(
        "outputs are open for reading too: a kernel that reads stale bytes of its own output is not seen");
  }
  return result;
}

}  // namespace arenaproof
