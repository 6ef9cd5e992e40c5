// How the worker's own sanitizers behave: a report about watched memory is the instrument's and does not stop the run;
// any other report is an internal error, exit 3, never to be taken for "violations found". Deadly signals are not its
// own: the parent evaluates how the process died.
#ifdef ARENAPROOF_ASAN

// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
// symbolize=0: a symbolizer process for each of thousands of reports would take minutes. ASAN_OPTIONS overrides all.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "color=never:fast_unwind_on_fatal=1:halt_on_error=0:suppress_equal_pcs=0:exitcode=3:symbolize=0:malloc_"
         "context_size=2:detect_leaks=0:"
         "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "exitcode=3:print_stacktrace=1"; }
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

#endif
