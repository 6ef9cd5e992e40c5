# ./dev bench: what set-up, invoke, planning, certifying and observing cost.
# shellcheck shell=bash

# Every planner on hard problems, and on those of the shared folder where there is one.
bench_planners() {
  check_shared_folder
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build release arenaproof
  local dsa="${ARENAPROOF_SHARED:-$ROOT/../shared}/dsa" folders=(docs)
  if [[ -d "$dsa" ]]; then folders+=("$dsa"); fi
  python3 -B bench/planners.py build/release/tools/arenaproof "${folders[@]}"
}

verb_bench() {
  if [[ "${1:-}" == planners && $# == 1 ]]; then
    bench_planners
    return
  fi
  local filter='.*' min_seconds=0.05
  while (($# > 0)); do
    case "$1" in
      --filter=*) filter="${1#*=}" ;;
      --min-seconds=*) min_seconds="${1#*=}" ;;
      --help | -h)
        cat <<TEXT
./dev bench [--filter=REGEX] [--min-seconds=SECONDS]
./dev bench planners
  Builds the release preset and shows the median of five repetitions of each benchmark, about a minute and a half for
  all. The program build/release/bench/arenaproof-bench takes Google Benchmark's own options.
  planners        measures peaks and seconds of every planner on hard problems: a table, and docs/planners.svg
  --filter        only benchmarks whose name matches, such as invoke/ or plan/
  --min-seconds   of each repetition; 0.05
Exit status: 0 measured; 1 a benchmark failed; 2 could not run; 3 the build failed.
TEXT
        return
        ;;
      *) unknown_option bench "$1" ;;
    esac
    shift
  done
  [[ "$min_seconds" =~ ^([0-9]{1,3}(\.[0-9]{1,6})?)$ && "$min_seconds" =~ [1-9] ]] ||
    die "--min-seconds=$min_seconds is no number of seconds above 0 and below 1000, such as 0.05"
  check_shared_folder
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build release arenaproof-bench
  local status=0
  logged bench build/release/bench/arenaproof-bench "--benchmark_filter=$filter" \
    "--benchmark_min_time=$min_seconds" --benchmark_repetitions=5 --benchmark_report_aggregates_only=true || status=$?
  ((status == 0)) || return 2
  if grep -q 'ERROR OCCURRED' "$LOGS/bench.log"; then
    grep 'ERROR OCCURRED' "$LOGS/bench.log"
    return 1
  fi
  grep -q '_median' "$LOGS/bench.log" || die "no benchmark's name matches '$filter'"
  if ! $TERMINAL; then
    printf '%-50s %16s %15s %12s\n' "median of" "on the clock" "of CPU time" "repetitions"
    sed -n 's/_median//p' "$LOGS/bench.log"
  fi
}
