# ./dev minimize: an input of a fuzz target that finds something, smaller.
# shellcheck shell=bash

MINIMIZE_HELP="./dev minimize FILE --target=NAME [--seconds=S]
  Writes FILE.minimized: the smallest input found in S seconds, 60 if not said, in which the same goes wrong. The same is
  the sentence of the broken rule, the sanitizer's summary or the illegal access, without its numbers.
Exit status: 0 written; 2 could not run, or nothing goes wrong; 3 the build failed."

verb_minimize() {
  local input target seconds report
  # shellcheck source=tools/dev/explain.sh
  source tools/dev/explain.sh
  take_input minimize "$MINIMIZE_HELP" "$@"
  python3 -B tools/dev/minimize.py "build/asan/fuzz/$target" "$input" "$input.minimized" "$seconds"
}
