# ./dev kernels: two kernel sets on the same random cases.
# shellcheck shell=bash

verb_kernels() {
  local arguments=()
  while (($# > 0)); do
    case "$1" in
      --op= | --set= | --against=) die "${1%=} is given no name" ;;
      --op=* | --set=* | --against=*) ;;
      --cases=*)
        [[ "${1#*=}" =~ ^[1-9][0-9]{0,5}$ ]] || die "$1 is no number of cases from 1 to 999999"
        ;;
      --seed=*)
        [[ "${1#*=}" =~ ^[1-9][0-9]{0,11}$ ]] || die "$1 is no number of a case from 1 to 999999999999"
        ;;
      --help | -h)
        cat <<TEXT
./dev kernels [--op=NAME] [--set=A] [--against=B] [--cases=N] [--seed=N]
  Draws random cases from the table of operators (types, shapes, options, quantisation, values) and runs them through
  two kernel sets: the first difference, with the case in words, both values and the words that run it again; or for
  each operator that both sets serve with kernels of their own how many cases and elements were equal, and the CPU time
  of both for each multiply or element.
  --op        one operator, such as FULLY_CONNECTED; all that both sets serve
  --set       the first set; reference
  --against   the second set; aligned
  --cases     of each operator; 300
  --seed      number of the first case, from which it is drawn; 1
Exit status: 0 equal; 1 a difference, or a kernel that ended the process; 2 could not run; 3 internal error.
TEXT
        return
        ;;
      *) unknown_option kernels "$1" ;;
    esac
    arguments+=("$1")
    shift
  done
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build release arenaproof-compare-kernels
  build/release/engine/harness/kernel_comparison/arenaproof-compare-kernels "${arguments[@]}"
}
