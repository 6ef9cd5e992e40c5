// Reports about watched memory are the instrument's; any other ends the process, whatever is checked at the time.
#include "sanitizers/instrument/asan/sanitizer_options.h"

#include <cstdlib>

#include "sanitizers/instrument/asan/asan_instrument.h"

ARENAPROOF_ASAN_OPTIONS(ARENAPROOF_GOES_ON_AFTER_REPORTS ":" ARENAPROOF_SHORT_CONTEXTS ":" ARENAPROOF_NO_SYMBOLS);
ARENAPROOF_UBSAN_REPORTS_AT_ONCE();

#ifdef ARENAPROOF_ASAN
namespace {

const bool installed = [] {
  arenaproof::AsanInstrument::OnForeignReport(std::abort);
  return true;
}();

}  // namespace
#endif
