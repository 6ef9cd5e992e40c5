# ./dev prove: the arena's arithmetic, for all inputs.
# shellcheck shell=bash

verb_prove() {
  local arguments=()
  while (($# > 0)); do
    case "$1" in
      --full) arguments+=(--full) ;;
      --help | -h)
        cat <<TEXT
./dev prove [--full]
  Runs the very templates of core/arena symbolically under Z3: every operation, all 64-bit and all 32-bit inputs.
  --full   also rounding by % for constants that are no powers of two (minutes)
Exit status: 0 all proven; 1 an obligation was refuted or left unknown; 2 could not run; 3 the build failed.
TEXT
        return
        ;;
      *) unknown_option prove "$1" ;;
    esac
    shift
  done
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build release arenaproof-prove
  build/release/props/proof/arenaproof-prove "${arguments[@]}"
}
