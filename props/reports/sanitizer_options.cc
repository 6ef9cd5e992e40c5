// Reports about watched memory are the instrument's; any other ends the process, whatever is judged at the time.
// Their text needs no names: a symbolizer would take longer than all else.
#ifdef ARENAPROOF_ASAN
#include <sanitizer/common_interface_defs.h>

#include <cstdlib>

#include "sanitizers/instrument/asan/asan_instrument.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "halt_on_error=0:suppress_equal_pcs=0:malloc_context_size=2:symbolize=0";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

// While an operator runs, reports go nowhere until the instrument has judged them; undefined behaviour is none of its
// business.
extern "C" void __ubsan_on_report();
extern "C" void __ubsan_on_report() { __sanitizer_set_report_fd(reinterpret_cast<void*>(2)); }
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

namespace {

const bool installed = [] {
  arenaproof::AsanInstrument::OnForeignReport(std::abort);
  return true;
}();

}  // namespace
#endif
