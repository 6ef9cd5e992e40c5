# ./dev coverage: which lines and branches of the sources are reached, by the fuzz corpora alone and by every test.
# shellcheck shell=bash

COVERAGE="$ROOT/build/coverage"
COVERED_ROOMS=(core kernels sanitizers tools)

# The replay programs of the fuzz targets, each over its corpora; one file of counters each.
run_corpora() {
  local target folders folder
  while read -r target; do
    folders=()
    for folder in "corpus/$target" "corpus/regressions/$target"; do
      [[ ! -d "$folder" ]] || folders+=("$folder")
    done
    LLVM_PROFILE_FILE="$COVERAGE/raw-corpora/$target.profraw" "$COVERAGE/fuzz/$target" -runs=0 "${folders[@]}" || return 1
  done < <(fuzz_target_names)
}

# Counters of many processes: those of one program share files. Workers of other presets count nothing.
run_everything() {
  LLVM_PROFILE_FILE="$COVERAGE/raw-everything/%4m.profraw" ctest --preset coverage -j "$JOBS"
}

programs_of() { # WHAT
  if [[ "$1" == corpora ]]; then
    # Of a function in several programs llvm-cov keeps what the first one has, which may be an empty record: the target
    # that drives whole kernels comes first.
    { echo fuzz_kernel_services; fuzz_target_names | grep -vx fuzz_kernel_services; } | sed "s|^|$COVERAGE/fuzz/|"
    return
  fi
  find "$COVERAGE" -type f -perm -u+x ! -name '*.so' -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print | sort
}

# Merges counters; writes WHAT.json and the folder WHAT with pages.
export_coverage() { # WHAT
  local what="$1" programs sources first rest=()
  mapfile -t programs < <(programs_of "$what")
  first="${programs[0]}"
  for program in "${programs[@]:1}"; do rest+=(-object "$program"); done
  sources=("${COVERED_ROOMS[@]/#/$ROOT/}")
  llvm-profdata-19 merge -sparse "$COVERAGE/raw-$what" -o "$COVERAGE/$what.profdata" || return 1
  llvm-cov-19 export "$first" "${rest[@]}" -instr-profile="$COVERAGE/$what.profdata" -skip-functions \
    "${sources[@]}" >"$COVERAGE/$what.json" || return 1
  llvm-cov-19 show "$first" "${rest[@]}" -instr-profile="$COVERAGE/$what.profdata" -format=html \
    -show-branches=count -output-dir="$COVERAGE/$what" "${sources[@]}" || return 1
}

measure_coverage() { # WHAT COMMAND
  local what="$1" start="$EPOCHREALTIME"
  rm -rf "$COVERAGE/raw-$what"
  mkdir -p "$COVERAGE/raw-$what"
  logged "coverage-run-$what" "$2" || die "not everything passes in the preset coverage: build/log/coverage-run-$what.log" 1
  logged "coverage-export-$what" export_coverage "$what" || die "counters of $what cannot be read" 3
  record "coverage, $what" "build/coverage/$what/index.html" "$(seconds_since "$start")" true
}

verb_coverage() {
  local everything=false
  # shellcheck source=tools/dev/fuzz.sh
  source tools/dev/fuzz.sh
  while (($# > 0)); do
    case "$1" in
      --everything) everything=true ;;
      --help | -h)
        cat <<TEXT
./dev coverage [--everything]
  Builds the fuzz targets with clang's counters, replays every corpus, and prints lines and branches reached in each room
  of ${COVERED_ROOMS[*]}; then, of each file of core/, how many places no corpus reaches. build/coverage/not_reached.txt
  lists them, with the reason that corpus/not_reached.csv gives.
  --everything  also builds and runs every test, and prints what both reach side by side; takes long
Pages to look at: build/coverage/corpora/index.html, build/coverage/everything/index.html.
Exit status: 0 what core/ has is reached, or has a reason; 1 it is not, or a test failed; 2 could not run; 3 the build
failed.
TEXT
        return
        ;;
      *) unknown_option coverage "$1" ;;
    esac
    shift
  done
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  if $everything; then build coverage; else build coverage fuzz_targets; fi
  measure_coverage corpora run_corpora
  local reports=("$COVERAGE/corpora.json")
  if $everything; then
    measure_coverage everything run_everything
    reports+=("$COVERAGE/everything.json")
  fi
  print_table
  python3 -B tools/dev/coverage.py "$ROOT" "${reports[@]}"
}
