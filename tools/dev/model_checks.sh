# The model checks of the main job, line by line of corpus/main_job.txt.
# shellcheck shell=bash

ARENAPROOF="build/release/tools/arenaproof"

# One whole report is enough; the others are in build/log.
REPORT_SHOWN=false

# Models beside the repository that wait for operators, types or plans that are not supported yet.
WAITING=()

# Clean, and by every instrument in both layouts: a part that did not run is no clean part.
clean_by_all() { # LOG
  local layout instrument
  for layout in faithful dilated; do
    for instrument in shadow asan; do
      grep -Eq "^ +$layout +$instrument .* clean$" "$1" || return 1
    done
  done
}

# The reading in front and behind that the line of corpus/main_job.txt names, in the dilated layout by both instruments.
distances_as_expected() { # LOG BEFORE AFTER
  local side bytes instrument
  for side in "before $2" "after $3"; do
    bytes="${side#* }"
    side="${side% *}"
    [[ "$bytes" == 0 ]] && continue
    for instrument in shadow asan; do
      awk -v side="$side" -v instrument="$instrument" -v bytes="$bytes" '
        /^VIOLATION/ { in_side = index($0, "reads up to " bytes " bytes " side " input tensor") > 0 }
        in_side && $1 == "dilated" && $2 == instrument && $3 == bytes { found = 1 }
        END { exit !found }' "$1" || return 1
    done
  done
}

# sha256 of each output, from a report.
output_hashes() { grep -o 'sha256 [0-9a-f]*' "$1"; }

check_model() { # MODEL_PATH KERNELS LOG [OPTION...]: gives the exit status
  local model="$1" kernels="$2" log="$3" status=0
  shift 3
  mkdir -p "$(dirname "$log")"
  "$ARENAPROOF" check "$model" -v --kernels="$kernels" "$@" >"$log" 2>&1 || status=$?
  return "$status"
}

expect_clean() { # NAME MODEL_PATH KERNELS [OPTION...]
  local what="$1, $3${4:+ ${*:4}}" start="$EPOCHREALTIME" status=0
  local log
  log="$LOGS/check-${1//\//-}-$3$(printf '%s' "${@:4}").txt"
  check_model "$2" "$3" "$log" "${@:4}" || status=$?
  if ((status == 0)) && clean_by_all "$log"; then
    record "$what" "clean" "$(seconds_since "$start")" true
  else
    cat "$log"
    record "$what" "EXIT $status, expected clean by all" "$(seconds_since "$start")" false
  fi
}

# The fault is found by every instrument in the dilated layout, at its exact distances; unobserved it changes nothing
# that one could notice.
expect_caught() { # NAME MODEL_PATH KERNELS BYTES_BEFORE BYTES_AFTER [OPTION...]
  local what="$1, $3${6:+ ${*:6}}" start="$EPOCHREALTIME" status=0 quiet=0 reference=0
  local log
  log="$LOGS/check-${1//\//-}-$3$(printf '%s' "${@:6}")"
  check_model "$2" "$3" "$log.txt" "${@:6}" || status=$?
  if $REPORT_SHOWN; then
    say "checking $1 with the kernels '$3'"
    grep '^VIOLATION' "$log.txt" || true
  else
    say "the report of: arenaproof check $2 -v --kernels=$3"
    cat "$log.txt"
  fi
  if ((status == 1)) && distances_as_expected "$log.txt" "$4" "$5"; then
    record "$what" "caught: $4 before, $5 after" "$(seconds_since "$start")" true
  else
    record "$what" "EXIT $status, expected $4 before, $5 after" "$(seconds_since "$start")" false
  fi

  start="$EPOCHREALTIME"
  check_model "$2" "$3" "$log-unseen.txt" --instrument=none "${@:6}" || quiet=$?
  check_model "$2" reference "$log-reference.txt" --instrument=none "${@:6}" || reference=$?
  if ! $REPORT_SHOWN; then
    say "the same without an instrument: exit status $quiet"
    cat "$log-unseen.txt"
  fi
  REPORT_SHOWN=true
  if ((quiet == 0 && reference == 0)) && grep -qx 'no instrument: accesses were not checked' "$log-unseen.txt" &&
    [[ -n "$(output_hashes "$log-unseen.txt")" ]] &&
    [[ "$(output_hashes "$log-unseen.txt")" == "$(output_hashes "$log-reference.txt")" ]]; then
    record "$what, no instrument" "unnoticed, outputs equal" "$(seconds_since "$start")" true
  else
    record "$what, no instrument" "EXIT $quiet, expected unnoticed" "$(seconds_since "$start")" false
  fi
}

# Models beside the repository that are not in the list: clean, or refused with a sentence that names what is missing.
expect_clean_or_waiting() { # NAME MODEL_PATH
  local log="$LOGS/check-${1//\//-}-reference.txt" start="$EPOCHREALTIME" status=0
  check_model "$2" reference "$log" || status=$?
  if ((status == 0)) && clean_by_all "$log"; then
    record "$1, reference" "clean" "$(seconds_since "$start")" true
  elif ((status == 2)) && grep -Eq 'not supported|no kernel serves' "$log"; then
    echo "waits: $1: $(head -n 1 "$log")"
    WAITING+=("$1")
  else
    cat "$log"
    record "$1, reference" "EXIT $status, expected clean" "$(seconds_since "$start")" false
  fi
}

check_listed_models() { # SHARED_FOLDER
  local name kernels expected path word
  local -a rest distances options
  while read -r -a rest; do
    name="${rest[0]:-}" kernels="${rest[1]:-}" expected="${rest[2]:-}"
    [[ -z "$name" || "$name" == \#* ]] && continue
    distances=() options=()
    for word in "${rest[@]:3}"; do
      if [[ "$word" == --* ]]; then options+=("$word"); else distances+=("$word"); fi
    done
    LISTED["$name"]=1
    path="corpus/models/$name.tflite"
    if [[ "$name" == shared/* ]]; then
      [[ -d "$1" ]] || continue
      path="$1/${name#shared/}.tflite"
    fi
    case "$expected" in
      clean)
        say "checking $name with the kernels '$kernels'"
        expect_clean "$name" "$path" "$kernels" "${options[@]}"
        ;;
      caught)
        expect_caught "$name" "$path" "$kernels" "${distances[0]:-0}" "${distances[1]:-0}" "${options[@]}"
        ;;
      *) die "corpus/main_job.txt expects '$expected' of $name; known are clean and caught" 3 ;;
    esac
  done <corpus/main_job.txt
}

check_models() {
  local shared="${ARENAPROOF_SHARED:-../shared}/models" path name
  local -A LISTED=()
  [[ -d "$shared" ]] || say "no models beside the repository ($shared is absent): only corpus/models is checked"
  check_listed_models "$shared"

  # A seed model that nobody expects anything of would be checked by nobody.
  for path in corpus/models/*.tflite; do
    name="$(basename "$path" .tflite)"
    [[ -n "${LISTED[$name]:-}" ]] || record "$name" "NOT LISTED in corpus/main_job.txt" 0.0 false
  done
  [[ -d "$shared" ]] || return 0
  for path in "$shared"/*.tflite; do
    name="shared/$(basename "$path" .tflite)"
    [[ -n "${LISTED[$name]:-}" ]] || expect_clean_or_waiting "$name" "$path"
  done
  record "models beside the repository" "${#WAITING[@]} not supported yet, not checked" 0.0 true
}
