# ./dev fuzz: the fuzz targets, each for some seconds.
# shellcheck shell=bash

# Fuzzes one target; new inputs go to build/fuzz-corpus, what breaks it to build/fuzz-findings.
fuzz_one() { # TARGET SECONDS
  local target="$1" grown="$ROOT/build/fuzz-corpus/$1" findings="$ROOT/build/fuzz-findings/$1" seeds=() folder
  mkdir -p "$grown" "$findings"
  for folder in "corpus/$target" "corpus/regressions/$target"; do
    [[ -d "$folder" ]] && seeds+=("$folder")
  done
  local dictionary=()
  [[ -f "fuzz/$target.dict" ]] && dictionary=(-dict="fuzz/$target.dict")
  local options=(-rss_limit_mb=2048 -timeout=25 -print_final_stats=1) line
  if [[ -f "fuzz/$target.options" ]]; then
    while read -r line || [[ -n "$line" ]]; do # "name = value"; the dictionary is named above
      [[ -n "$line" && "$line" != "#"* && "$line" != "[libfuzzer]" ]] || continue
      [[ "$line" =~ ^([a-z_]+)\ *=\ *([0-9]+|[a-z_]+\.dict)$ ]] ||
        die "fuzz/$target.options has the line '$line'; 'name = number' or 'dict = FILE.dict' would be right"
      [[ "${BASH_REMATCH[1]}" == dict ]] || options+=("-${BASH_REMATCH[1]}=${BASH_REMATCH[2]}")
    done <"fuzz/$target.options"
  fi
  logged "fuzz-$target" "build/fuzz/fuzz/$target" -max_total_time="$2" -artifact_prefix="$findings/" \
    "${options[@]}" "${dictionary[@]}" "$grown" "${seeds[@]}"
}

fuzz_executions() { # TARGET
  awk '/stat::number_of_executed_units/ { print $2 }' "$LOGS/fuzz-$1.log"
}

fuzz_and_record() { # TARGET SECONDS
  local start="$EPOCHREALTIME"
  say "fuzzing $1 for $2 seconds"
  if fuzz_one "$1" "$2"; then
    record "$1" "nothing found, $(fuzz_executions "$1") inputs" "$(seconds_since "$start")" true
  else
    record "$1" "FOUND: build/fuzz-findings/$1" "$(seconds_since "$start")" false
  fi
}

fuzz_target_names() {
  local source
  for source in fuzz/fuzz_*.cc; do
    [[ -e "$source" ]] && basename "$source" .cc
  done
}

check_fuzz_targets() { # WORD...
  local target
  for target in "$@"; do
    [[ -f "fuzz/$target.cc" && "$target" == fuzz_* ]] ||
      die "there is no fuzz target '$target'; there are: $(fuzz_target_names | tr '\n' ' ')"
  done
}

verb_fuzz() {
  local seconds=60 targets=()
  while (($# > 0)); do
    case "$1" in
      --seconds=*) seconds="${1#--seconds=}" ;;
      --help | -h)
        cat <<TEXT
./dev fuzz [TARGET...] [--seconds=S]
  Builds the fuzz targets and runs each (or those named) for S seconds, 60 if not said. Inputs it grows are kept in
  build/fuzz-corpus, inputs that break a target in build/fuzz-findings. What such an input does, and how to see it again:
  ./dev explain FILE --target=TARGET
Targets: $(fuzz_target_names | tr '\n' ' ')
Exit status: 0 nothing found; 1 something found; 2 could not run; 3 the build failed.
TEXT
        return
        ;;
      -*) unknown_option fuzz "$1" ;;
      *) targets+=("$1") ;;
    esac
    shift
  done
  [[ "$seconds" =~ ^[1-9][0-9]{0,6}$ ]] || die "--seconds=$seconds is no number of seconds from 1 to 9999999"
  local target
  check_fuzz_targets "${targets[@]}"
  ((${#targets[@]} > 0)) || mapfile -t targets < <(fuzz_target_names)
  ((${#targets[@]} > 0)) || die "there are no fuzz targets"
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build fuzz "${targets[@]}"
  for target in "${targets[@]}"; do
    fuzz_and_record "$target" "$seconds"
  done
  print_table
  $ALL_AS_IT_SHOULD_BE
}
