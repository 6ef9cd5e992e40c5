# ./dev test: all tests, each in the build that can decide it.
# shellcheck shell=bash

# Runs ctest in one preset and records its closing line. The second time in a preset takes a word for its log.
run_ctest() { # PRESET[:WORD] [CTEST_OPTION...]
  local preset="${1%:*}" part="${1/:/, }" name="test-${1/:/-}" start="$EPOCHREALTIME" status=0
  shift
  say "testing $part"
  logged "$name" ctest --preset "$preset" --no-tests=error -j "$JOBS" "$@" || status=$?
  local closing
  closing="$(grep -E 'tests passed|tests failed' "$LOGS/$name.log" | tail -n 1)"
  if ((status == 0)); then
    $TERMINAL || echo "$closing"
    record "test $part" "${closing:-passed}" "$(seconds_since "$start")" true
  else
    record "test $part" "FAILED: ${closing:-no test ran}" "$(seconds_since "$start")" false
  fi
}

# Five faults, few engines: that what catches them still does.
quick_faults() {
  local start="$EPOCHREALTIME" closing
  say "planting the faults of corpus/faults/quick.txt"
  if logged faults-quick python3 faults/run_faults.py --quick --budget=10; then
    closing="$(tail -n 1 "$LOGS/faults-quick.log")"
    record "faults, quick subset" "${closing%% (tree*}" "$(seconds_since "$start")" true
  else
    record "faults, quick subset" "FAILED: build/log/faults-quick.log" "$(seconds_since "$start")" false
  fi
}

# What needs more builds or more time than a change should wait for.
full_tests() {
  local start target
  # shellcheck source=tools/dev/fuzz.sh
  source tools/dev/fuzz.sh
  # shellcheck source=tools/dev/corpus.sh
  source tools/dev/corpus.sh
  # shellcheck source=tools/dev/full_targets.sh
  source tools/dev/full_targets.sh
  # shellcheck source=tools/dev/device.sh
  source tools/dev/device.sh
  # shellcheck source=tools/dev/installed.sh
  source tools/dev/installed.sh
  # shellcheck source=tools/dev/foreign_engines.sh
  source tools/dev/foreign_engines.sh
  # shellcheck source=tools/dev/other_compilers.sh
  source tools/dev/other_compilers.sh
  # shellcheck source=tools/dev/planted_crash.sh
  source tools/dev/planted_crash.sh
  build fuzz fuzz_targets
  while read -r target; do
    fuzz_and_record "$target" 10
  done < <(fuzz_target_names)
  while read -r target; do
    check_corpus "$target"
  done < <(fuzz_target_names)
  planted_crash
  run_ctest asan:long -L long
  build release
  run_ctest release
  full_installed
  # Kernels in the bytes of their inputs: only there it is seen that none reads behind its write.
  build shadow kernels_tests arenaproof-operator-properties
  run_ctest shadow -R '^(kernels_tests|operator_properties)$'
  start="$EPOCHREALTIME"
  say "the full proof"
  if logged prove-full build/release/props/proof/arenaproof-prove --full; then
    record "full proof" "all obligations proven" "$(seconds_since "$start")" true
  else
    record "full proof" "NOT PROVEN" "$(seconds_since "$start")" false
  fi
  full_targets
  full_device
  foreign_engines
  other_compilers
}

verb_test() {
  local full=false
  while (($# > 0)); do
    case "$1" in
      --full) full=true ;;
      --help | -h)
        cat <<TEXT
./dev test [--full]
  Installs what is missing, builds, and runs
    release   the proof and the small-scope search, the rooms of its targets, includes and links of what is installed
    asan      every test without the label \`long\` and a tenth of the random cases, and the replay of every fuzz corpus,
              under AddressSanitizer and UndefinedBehaviorSanitizer
    shadow    the tests of the sanitizers room: every access calls our byte shadow
    faults    five planted faults, by the engines that should catch them (./dev faults --quick)
  --full    also what takes long: each fuzz target for some seconds, and what its corpus reaches; the tests with the
            label \`long\`; every test in the preset release too, with all random cases, every arena size of every model,
            a million invokes, the command under limits of a shell, the corpus generator's test and each benchmark once;
            random operators and the kernels' tests in the preset shadow, which alone shows what of a buffer was
            touched, and reads behind a write in place; the proof's rounding by constants that are no powers of two;
            what is installed, moved, each header by itself and used by a project of its own, and the Debian package,
            unpacked; the builds for a Cortex-M (linked, no heap) and for 32-bit words, in which arena, planner,
            lifecycle and memory tests run; models on a Cortex-M4 under QEMU, whose plans, needs and outputs are the
            host's, and the canary there, which finds planted overwrites; the fuzz targets as ClusterFuzzLite and
            OSS-Fuzz build them, their corpora under GCC's sanitizers, each for seconds under AFL++, and a planted fault
            from the engine that finds it to a check that fails
Logs are in build/log. Exit status: 0 all passed; 1 something failed; 2 could not run; 3 a build failed.
TEXT
        return
        ;;
      *) unknown_option test "$1" ;;
    esac
    shift
  done
  local start="$EPOCHREALTIME"
  check_shared_folder
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  # Everything is built before anything is tested: the tests of the command run workers of several presets.
  build release arenaproof-worker arenaproof-prove arenaproof-small-scope
  build shadow arenaproof-worker sanitizers_tests
  build asan
  # The arena's proof and the benchmarks are targets of this build only: their rooms are checked here. So is what is
  # installed.
  run_ctest release -R '^(arena_proof|small_scope|rooms_and_arrows|what_is_installed)$'
  run_ctest shadow -R '^sanitizers_tests$'
  run_ctest asan -LE long
  quick_faults
  if $full; then full_tests; fi
  record "all of it" "" "$(seconds_since "$start")" true
  print_table
  if $ALL_AS_IT_SHOULD_BE; then
    say "all tests passed"
  else
    say "NOT all tests passed: see the lines in capitals, and build/log"
    return 1
  fi
}
