// How the worker's own sanitizers behave: a report about watched memory is the instrument's and does not stop the run;
// any other report is an internal error, exit 3, never to be taken for "violations found". Deadly signals are not its
// own: the parent evaluates how the process died.
#include "sanitizers/instrument/asan/sanitizer_options.h"

ARENAPROOF_ASAN_OPTIONS("color=never:fast_unwind_on_fatal=1:" ARENAPROOF_GOES_ON_AFTER_REPORTS
                        ":" ARENAPROOF_INTERNAL_ERROR_STATUS ":" ARENAPROOF_NO_SYMBOLS ":" ARENAPROOF_SHORT_CONTEXTS
                        ":detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0");
ARENAPROOF_UBSAN_OPTIONS(ARENAPROOF_INTERNAL_ERROR_STATUS ":print_stacktrace=1");
