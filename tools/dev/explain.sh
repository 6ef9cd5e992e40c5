# ./dev explain: what an input of a fuzz target does, in words, and how to see it again.
# shellcheck shell=bash

EXPLAIN_HELP="./dev explain FILE --target=NAME [--report=OUT.sarif]
  Says in words what the input does (calls of the arena, a model and what is asked of it, a plan) and what goes wrong; and,
  when something does, one command, the input in base64, and a test that fails. The target is built with AddressSanitizer
  and UndefinedBehaviorSanitizer, and without a fuzzing engine. --report writes what goes wrong as SARIF, for code scanning.
Exit status: 0 the target takes the input; 1 something goes wrong; 2 could not run; 3 the build failed."

# Sets `input`, `target`, `seconds` and `report` from the words of explain and minimize, and builds the target's replay program.
take_input() { # VERB HELP WORD...
  local verb="$1" help="$2"
  shift 2
  # shellcheck source=tools/dev/fuzz.sh
  source tools/dev/fuzz.sh
  input="" target="" seconds=60 report=""
  while (($# > 0)); do
    case "$1" in
      --target=*) target="${1#--target=}" ;;
      --seconds=*) [[ "$verb" == minimize ]] || unknown_option "$verb" "$1"; seconds="${1#--seconds=}" ;;
      --report=*) [[ "$verb" == explain ]] || unknown_option "$verb" "$1"; report="${1#--report=}" ;;
      --help | -h)
        echo "$help"
        exit 0
        ;;
      -*) unknown_option "$verb" "$1" ;;
      *)
        [[ -z "$input" ]] || die "./dev $verb takes one input, not '$input' and '$1'"
        input="$1"
        ;;
    esac
    shift
  done
  [[ -n "$input" && -n "$target" ]] || die "./dev $verb needs a file and --target=NAME; ./dev $verb --help"
  [[ "$seconds" =~ ^[1-9][0-9]{0,6}$ ]] || die "--seconds=$seconds is no number of seconds from 1 to 9999999"
  check_fuzz_targets "$target"
  [[ "$input" == /* ]] || input="$CALLED_FROM/$input"
  [[ -f "$input" && -r "$input" ]] || die "$input is no file that can be read"
  [[ -z "$report" || "$report" == /* ]] || report="$CALLED_FROM/$report"
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build asan "$target"
}

verb_explain() {
  local input target seconds report
  take_input explain "$EXPLAIN_HELP" "$@"
  python3 -B tools/dev/explain.py "build/asan/fuzz/$target" "$target" "$input" ${report:+"$report"}
}
