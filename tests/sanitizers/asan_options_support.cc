// These tests make illegal accesses on purpose: the sanitizer goes on after its reports, and any report that is not
// about watched memory ends the program.
#include <cstdlib>

#include "sanitizers/instrument/asan/asan_instrument.h"

#ifdef ARENAPROOF_ASAN
// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "halt_on_error=0:suppress_equal_pcs=0:exitcode=3:symbolize=0";
}
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

namespace {

const bool installed = [] {
  arenaproof::AsanInstrument::OnForeignReport([] { std::_Exit(3); });
  return true;
}();

}  // namespace
#endif
