# ./dev run: the main job.
# shellcheck shell=bash

prove_arena() {
  local start="$EPOCHREALTIME"
  say "proving the arena's arithmetic for all inputs"
  if logged prove build/release/props/proof/arenaproof-prove; then
    $TERMINAL || tail -n 2 "$LOGS/prove.log"
    record "proof of the arena" "all obligations proven" "$(seconds_since "$start")" true
  else
    record "proof of the arena" "NOT PROVEN" "$(seconds_since "$start")" false
  fi
}

verb_run() {
  local fuzz_seconds=5
  while (($# > 0)); do
    case "$1" in
      --fuzz-seconds=*) fuzz_seconds="${1#--fuzz-seconds=}" ;;
      --help | -h)
        cat <<TEXT
./dev run [--fuzz-seconds=S]
  The main job, from nothing in under ten minutes, again in under two:
    installs the packages that are missing (as root)
    builds the presets release, asan, shadow and fuzz
    proves the arena's arithmetic
    checks the models of corpus/models (and of ../shared/models when present) in both layouts with all instruments
    catches the access outside an activation that the kernel set 'aligned-faulty' makes, and shows the report
    shows that without an instrument the same run looks perfect
    fuzzes every target for S seconds, 5 if not said
  and ends with one table. What is expected of which model: corpus/main_job.txt
Exit status: 0 all was as it should be; 1 it was not; 2 could not run; 3 a build failed.
TEXT
        return
        ;;
      *) unknown_option run "$1" ;;
    esac
    shift
  done
  [[ "$fuzz_seconds" =~ ^[1-9][0-9]{0,5}$ ]] || die "--fuzz-seconds=$fuzz_seconds is no number of seconds from 1 to 999999"
  local start="$EPOCHREALTIME" target
  check_shared_folder
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  # shellcheck source=tools/dev/fuzz.sh
  source tools/dev/fuzz.sh
  # shellcheck source=tools/dev/model_checks.sh
  source tools/dev/model_checks.sh
  ensure_setup
  build release arenaproof arenaproof-worker arenaproof-prove
  build asan arenaproof-worker
  build shadow arenaproof-worker
  build fuzz fuzz_targets
  prove_arena
  check_models
  while read -r target; do
    fuzz_and_record "$target" "$fuzz_seconds"
  done < <(fuzz_target_names)
  record "all of it" "" "$(seconds_since "$start")" true
  print_table
  if $ALL_AS_IT_SHOULD_BE; then
    say "all was as it should be"
  else
    say "NOT all was as it should be: see the lines in capitals"
    return 1
  fi
}
