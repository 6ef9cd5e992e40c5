// These tests make illegal accesses on purpose: the sanitizer goes on after its reports, and any report that is not
// about watched memory ends the program.
#include <cstdlib>

#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/instrument/asan/sanitizer_options.h"

ARENAPROOF_ASAN_OPTIONS(ARENAPROOF_GOES_ON_AFTER_REPORTS ":" ARENAPROOF_INTERNAL_ERROR_STATUS
                                                         ":" ARENAPROOF_NO_SYMBOLS);

#ifdef ARENAPROOF_ASAN
namespace {

const bool installed = [] {
  arenaproof::AsanInstrument::OnForeignReport([] { std::_Exit(3); });
  return true;
}();

}  // namespace
#endif
