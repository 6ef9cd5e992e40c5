# ./dev bench: what set-up, invoke, planning, certifying and observing cost.
# shellcheck shell=bash

# The tables of docs/measured.md that are no times of this project's own code: of peaks, or of planners on hard problems.
bench_table() { # PROGRAM FOLDER_OF_PROBLEMS SUBFOLDER_OF_SHARED
  build release arenaproof
  local folders=("$2") shared="${ARENAPROOF_SHARED:-$ROOT/../shared}/$3"
  if [[ -d "$shared" ]]; then folders+=("$shared"); fi
  python3 -B "bench/$1" build/release/tools/arenaproof "${folders[@]}"
}

verb_bench() {
  local filter='.*' min_seconds=0.05 peaks=false planners=false checks=false times=false
  while (($# > 0)); do
    case "$1" in
      --filter=*) filter="${1#*=}" times=true ;;
      --min-seconds=*) min_seconds="${1#*=}" times=true ;;
      peaks | --peaks) peaks=true ;;
      planners | --planners) planners=true ;;
      check) checks=true ;;
      --help | -h)
        cat <<TEXT
./dev bench [--filter=REGEX] [--min-seconds=SECONDS]
./dev bench peaks
./dev bench planners
./dev bench check
  Builds the release preset and shows the median of five repetitions of each benchmark, about a minute and a half for
  all. The program build/release/bench/arenaproof-bench takes Google Benchmark's own options.
  --filter        only benchmarks whose name matches, such as invoke/ or plan/
  --min-seconds   of each repetition; 0.05
  peaks           measures no time: the head of every model by each planner, as the table of docs/measured.md
  planners        peaks and seconds of every planner on hard problems: a table, and docs/planners.svg
  check           builds release, asan and shadow; what a check costs: a model, each further one, a refused file, and an
                  invoke of the build asan with and without the instrument
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
  local table_count=0 table
  for table in $peaks $planners $checks; do
    if $table; then table_count=$((table_count + 1)); fi
  done
  if ((table_count > 0)); then
    $times && die "peaks, planners and check run no benchmark, so --filter and --min-seconds mean nothing to them"
    ((table_count == 1)) || die "peaks, planners and check are tables of their own; name one"
  fi
  check_shared_folder
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  if $peaks; then
    bench_table planner_peaks.py corpus/models models
    return
  fi
  if $planners; then
    bench_table planners.py docs dsa
    return
  fi
  if $checks; then
    local preset
    for preset in release asan shadow; do build "$preset" arenaproof-worker; done
    build release arenaproof
    python3 -B bench/check_cost.py build corpus/models "${ARENAPROOF_SHARED:-$ROOT/../shared}/models"
    return
  fi
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
