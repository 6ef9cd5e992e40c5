// The instrument of a check, with the results of its self-tests.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sanitizers/instrument/access_instrument.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/run_refusal.h"
#include "tools/worker/self_test_record.h"

namespace arenaproof {

class TestedInstrument {
 public:
  // `given` (may be null) is available and needs no self-test but the one on attach.
  explicit TestedInstrument(std::unique_ptr<AccessInstrument> given)
      : instrument_(std::move(given)), given_(instrument_ != nullptr) {}

  // Unless one was given: makes the one that the arguments name, none for "none".
  std::optional<RunRefusal> Choose(const CheckArguments& arguments);

  // The self-tests that come before the attach, unless the instrument was given. They cost more than the check of a
  // small model, so that a model that is refused is refused before. `record` (may be null) is asked, and hears of it.
  void TestBeforeAttach(const CheckArguments& arguments, SelfTestRecord* record);

  // Null: the check has none.
  AccessInstrument* get() const { return instrument_.get(); }

  // All of its self-tests; call it when there is an instrument and it is attached.
  SelfTestResult SelfTest() const;

  // Call it when the interpreter, which detaches it, has gone.
  void Discard() { instrument_.reset(); }

 private:
  std::unique_ptr<AccessInstrument> instrument_;
  bool given_ = false;
  SelfTestResult before_attach_, of_free_;
};

}  // namespace arenaproof
