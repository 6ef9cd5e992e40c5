# The model checks of the main job, line by line of corpus/main_job.txt.
# shellcheck shell=bash

ARENAPROOF="build/release/tools/arenaproof"

# One whole report is enough; the others are in build/log.
REPORT_SHOWN=false

# sha256 of each output, from a report.
output_hashes() { grep -o 'sha256 [0-9a-f]*' "$1"; }

check_model() { # MODEL_PATH KERNELS LOG [OPTION...]: gives the exit status
  local model="$1" kernels="$2" log="$3" status=0
  shift 3
  mkdir -p "$(dirname "$log")"
  "$ARENAPROOF" check "$model" --kernels="$kernels" "$@" >"$log" 2>&1 || status=$?
  return "$status"
}

expect_clean() { # NAME MODEL_PATH KERNELS
  local log="$LOGS/check-${1//\//-}-$3.txt" start="$EPOCHREALTIME" status=0
  check_model "$2" "$3" "$log" || status=$?
  if ((status == 0)); then
    record "$1, $3" "clean" "$(seconds_since "$start")" true
  else
    cat "$log"
    record "$1, $3" "EXIT $status, expected clean" "$(seconds_since "$start")" false
  fi
}

# The fault is found by every instrument and in the dilated layout; unobserved it changes nothing that one could notice.
expect_caught() { # NAME MODEL_PATH KERNELS
  local log="$LOGS/check-${1//\//-}-$3" start="$EPOCHREALTIME" status=0 quiet=0 reference=0
  check_model "$2" "$3" "$log.txt" || status=$?
  if $REPORT_SHOWN; then
    say "checking $1 with the kernels '$3'"
    grep '^VIOLATION' "$log.txt" || true
  else
    say "the report of: arenaproof check $2 --kernels=$3"
    cat "$log.txt"
  fi
  if ((status == 1)) && grep -Eq '^ +dilated +shadow .* [0-9]+ violation' "$log.txt" &&
    grep -Eq '^ +dilated +asan .* [0-9]+ violation' "$log.txt"; then
    record "$1, $3" "caught" "$(seconds_since "$start")" true
  else
    record "$1, $3" "EXIT $status, expected to be caught" "$(seconds_since "$start")" false
  fi

  start="$EPOCHREALTIME"
  check_model "$2" "$3" "$log-unseen.txt" --instrument=none || quiet=$?
  check_model "$2" reference "$log-reference.txt" --instrument=none || reference=$?
  if ! $REPORT_SHOWN; then
    say "the same without an instrument: exit status $quiet"
    cat "$log-unseen.txt"
  fi
  REPORT_SHOWN=true
  if ((quiet == 0 && reference == 0)) && grep -qx 'no instrument: accesses were not checked' "$log-unseen.txt" &&
    [[ -n "$(output_hashes "$log-unseen.txt")" ]] &&
    [[ "$(output_hashes "$log-unseen.txt")" == "$(output_hashes "$log-reference.txt")" ]]; then
    record "$1, $3, no instrument" "unnoticed, outputs equal" "$(seconds_since "$start")" true
  else
    record "$1, $3, no instrument" "EXIT $quiet, expected unnoticed" "$(seconds_since "$start")" false
  fi
}

# Models that are not in the list: clean, or refused with a sentence that says what is missing.
expect_clean_or_waiting() { # NAME MODEL_PATH
  local log="$LOGS/check-${1//\//-}-reference.txt" start="$EPOCHREALTIME" status=0
  check_model "$2" reference "$log" || status=$?
  if ((status == 0)); then
    record "$1, reference" "clean" "$(seconds_since "$start")" true
  elif ((status == 2)) && grep -Eq 'not supported|no kernel serves' "$log"; then
    echo "waits: $1: $(head -n 1 "$log")"
  else
    cat "$log"
    record "$1, reference" "EXIT $status, expected clean" "$(seconds_since "$start")" false
  fi
}

check_models() {
  local name kernels expected path
  local -A listed=()
  while read -r name kernels expected; do
    [[ -z "$name" || "$name" == \#* ]] && continue
    listed["$name"]=1
    path="corpus/models/$name.tflite"
    if [[ "$name" == shared/* ]]; then
      path="${ARENAPROOF_SHARED:-../shared}/models/${name#shared/}.tflite"
      [[ -f "$path" ]] || continue
    fi
    case "$expected" in
      clean)
        say "checking $name with the kernels '$kernels'"
        expect_clean "$name" "$path" "$kernels"
        ;;
      caught) expect_caught "$name" "$path" "$kernels" ;;
      *) die "corpus/main_job.txt expects '$expected' of $name; known are clean and caught" 3 ;;
    esac
  done <corpus/main_job.txt

  for path in corpus/models/*.tflite "${ARENAPROOF_SHARED:-../shared}"/models/*.tflite; do
    [[ -f "$path" ]] || continue
    name="$(basename "$path" .tflite)"
    [[ "$path" == corpus/models/* ]] || name="shared/$name"
    [[ -n "${listed[$name]:-}" ]] || expect_clean_or_waiting "$name" "$path"
  done
}
