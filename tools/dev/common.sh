# What the verbs of ./dev share: sentences, steps and their times, builds.
# shellcheck shell=bash

LOGS="$ROOT/build/log"
JOBS="$(nproc)"
TERMINAL=false
[[ -t 1 ]] && TERMINAL=true

# Paths of the sources and of the working directory must not keep a second clone from finding the first one's objects.
export CCACHE_BASEDIR="$ROOT" CCACHE_NOHASHDIR=1
# What a file includes is taken from the compiler instead of preprocessing it once more.
export CCACHE_DEPEND=1

die() { # SENTENCE [EXIT_STATUS]
  echo "./dev: $1" >&2
  exit "${2:-2}"
}

# Refuses the first argument that is no option of the verb.
unknown_option() { # VERB OPTION
  die "'$1' has no option '$2'; ./dev $1 --help shows what is possible"
}

say() { echo "== $*"; }

seconds_since() { # START (of EPOCHREALTIME)
  awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}

# Rows of the closing table: part|result|seconds
TABLE_ROWS=()
# shellcheck disable=SC2034 # read by the verbs
ALL_AS_IT_SHOULD_BE=true

record() { # PART RESULT SECONDS GOOD(true|false)
  TABLE_ROWS+=("$1|$2|$3")
  # shellcheck disable=SC2034 # read by the verbs
  [[ "$4" == true ]] || ALL_AS_IT_SHOULD_BE=false
}

print_table() {
  printf '\n%-58s %-34s %8s\n' "part" "result" "seconds"
  local row part result seconds
  for row in "${TABLE_ROWS[@]}"; do
    IFS='|' read -r part result seconds <<<"$row"
    printf '%-58s %-34s %8s\n' "$part" "$result" "$seconds"
  done
}

# Runs a command with its output in a log. On a terminal the output is shown as well, so that its progress is seen.
# Gives the command's exit status; on failure without a terminal the end of the log is shown.
logged() { # NAME COMMAND...
  local log="$LOGS/$1.log" status=0
  shift
  mkdir -p "$LOGS"
  if $TERMINAL; then
    "$@" > >(tee "$log") 2>&1 || status=$?
  else
    "$@" >"$log" 2>&1 || status=$?
    if ((status != 0)); then
      tail -n 60 "$log"
      echo "(the whole output is in ${log#"$ROOT"/})"
    fi
  fi
  return "$status"
}

# Everything the verbs write lies below build/.
check_writable() {
  mkdir -p "$LOGS" 2>/dev/null || true
  [[ -w "$ROOT/build" && -w "$LOGS" ]] ||
    die "$ROOT/build cannot be written; run this as the owner of the clone"
}

# A folder that was named has to be there: else everything that wants it would be skipped.
check_shared_folder() {
  [[ -z "${ARENAPROOF_SHARED+named}" ]] && return
  local folder="$ARENAPROOF_SHARED"
  [[ "$folder" == /* ]] || folder="$CALLED_FROM/$folder"
  [[ -n "$ARENAPROOF_SHARED" && -d "$folder" ]] ||
    die "ARENAPROOF_SHARED names '$ARENAPROOF_SHARED', which is no folder; unset it to look for ../shared"
  export ARENAPROOF_SHARED="$folder"
}

# Configures when needed and builds. Ends with exit status 3 when the build fails: that is nothing the user did.
build() { # PRESET TARGET...
  check_writable
  local preset="$1" start="$EPOCHREALTIME" target targets=()
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  say "building $preset${*:+ ($*)}"
  if [[ ! -f "build/$preset/build.ninja" ]]; then
    logged "configure-$preset" cmake --preset "$preset" || die "the preset '$preset' cannot be configured" 3
  fi
  if $TERMINAL; then
    cmake --build --preset "$preset" -j "$JOBS" "${targets[@]}" || die "the preset '$preset' does not build" 3
  else
    logged "build-$preset" cmake --build --preset "$preset" -j "$JOBS" "${targets[@]}" ||
      die "the preset '$preset' does not build" 3
  fi
  record "build $preset" "built" "$(seconds_since "$start")" true
}
