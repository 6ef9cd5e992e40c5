# ./dev corpus: grows, minimises and checks the inputs that the fuzz targets start from.
# shellcheck shell=bash

# Features are edges here, not how often each was taken: a corpus that is replayed by every change stays small.
MERGE_OPTIONS=(-use_counters=0 -rss_limit_mb=2048 -timeout=25 -artifact_prefix="$ROOT/build/fuzz-findings/")

corpus_folders() { # TARGET
  local folder
  for folder in "corpus/$1" "corpus/regressions/$1"; do
    [[ ! -d "$folder" ]] || echo "$folder"
  done
}

file_count() { # FOLDER
  find "$1" -type f 2>/dev/null | wc -l
}

# Inputs of somebody else: a folder, or a ZIP file as OSS-Fuzz packs corpora.
inputs_from() { # FOLDER_OR_ZIP
  local folder
  [[ "$1" == *.zip ]] || { echo "$1" && return; }
  folder="$(mktemp -d "$ROOT/build/corpus-from.XXXXXX")"
  unzip -q -o -d "$folder" "$1" || die "$1 cannot be unpacked"
  echo "$folder"
}

# The log of a replay that says which functions it reached.
log_reached() { # TARGET
  local folders
  mapfile -t folders < <(corpus_folders "$1")
  "build/fuzz/fuzz/$1" -runs=0 -print_coverage=1 -rss_limit_mb=2048 -timeout=25 \
    -max_len="$(most_bytes "$1")" "${folders[@]}" >"$LOGS/reached-$1.log" 2>&1
}

most_bytes() { # TARGET
  sed -n 's/^max_len *= *//p' "fuzz/$1.options"
}

record_corpus() { # TARGET WHAT FILES_BEFORE
  log_reached "$1" || die "the corpus of $1 is not clean: build/log/reached-$1.log" 1
  python3 -B tools/dev/corpora.py record . "$1" "$LOGS/reached-$1.log" || die "what $1 reaches cannot be recorded" 3
  echo "$1,$(date -u +%F),$(git rev-parse --short HEAD 2>/dev/null || echo unknown),$2,$3,$(file_count "corpus/$1")" \
    >>corpus/provenance.csv
}

# Adds to corpus/TARGET what reaches an edge that nothing there reaches.
extend_corpus() { # TARGET SOURCE_FOLDER
  mkdir -p "corpus/$1" build/fuzz-findings
  logged "merge-$1" "build/fuzz/fuzz/$1" -merge=1 "${MERGE_OPTIONS[@]}" -max_len="$(most_bytes "$1")" \
    "corpus/$1" "$2" || die "merging into the corpus of $1 failed" 1
}

# Leaves in corpus/TARGET as few inputs as reach all of its edges. Seeds stay, because they are read, and so does what has
# a name of its own.
reduce_corpus() { # TARGET
  local fresh
  fresh="$(mktemp -d "$ROOT/build/corpus-$1.XXXXXX")"
  find "corpus/$1" -type f | { grep -vE '/[0-9a-f]{40}$' || true; } | xargs -r cp -t "$fresh"
  logged "merge-$1" "build/fuzz/fuzz/$1" -set_cover_merge=1 "${MERGE_OPTIONS[@]}" -max_len="$(most_bytes "$1")" \
    "$fresh" "corpus/$1" || die "merging the corpus of $1 failed" 1
  cp -r "$fresh/." "corpus/$1"
  local input
  while read -r input; do
    [[ -e "$fresh/${input##*/}" ]] || rm "$input"
  done < <(find "corpus/$1" -type f | { grep -E '/[0-9a-f]{40}$' || true; })
  rm -r "$fresh"
}

grow_corpus() { # TARGET SECONDS FROM
  local target="$1" before start="$EPOCHREALTIME" what="grown for $2 s" from="$3"
  before="$(file_count "corpus/$target")"
  if [[ -n "$from" ]]; then
    what="merged from outside"
    from="$(inputs_from "$from")"
  else
    fuzz_one "$target" "$2" || die "$target found something: build/fuzz-findings/$target" 1
    from="build/fuzz-corpus/$target"
  fi
  extend_corpus "$target" "$from"
  record_corpus "$target" "$what" "$before"
  record "$target" "$before inputs before, $(file_count "corpus/$target") now" "$(seconds_since "$start")" true
}

minimize_corpus() { # TARGET
  local target="$1" before start="$EPOCHREALTIME"
  before="$(file_count "corpus/$target")"
  reduce_corpus "$target"
  record_corpus "$target" "minimized" "$before"
  record "$target" "$before inputs before, $(file_count "corpus/$target") now" "$(seconds_since "$start")" true
}

check_corpus() { # TARGET
  local target="$1" start="$EPOCHREALTIME" closing
  if ! log_reached "$target"; then
    tail -n 20 "$LOGS/reached-$target.log"
    record "$target" "FOUND: build/log/reached-$target.log" "$(seconds_since "$start")" false
    return
  fi
  if logged "corpus-$target" python3 -B tools/dev/corpora.py reached . "$target" "$LOGS/reached-$target.log"; then
    closing="$(tail -n 1 "$LOGS/corpus-$target.log")"
    record "$target" "${closing#*: }" "$(seconds_since "$start")" true
  else
    record "$target" "REACHES LESS: build/log/corpus-$target.log" "$(seconds_since "$start")" false
  fi
}

verb_corpus() {
  local action="" seconds=60 from="" targets=() target
  # shellcheck source=tools/dev/fuzz.sh
  source tools/dev/fuzz.sh
  while (($# > 0)); do
    case "$1" in
      --seconds=*) seconds="${1#--seconds=}" ;;
      --from=*) from="${1#--from=}" ;;
      --help | -h)
        cat <<TEXT
./dev corpus grow [TARGET...] [--seconds=S] [--from=FOLDER|ZIP]
./dev corpus minimize [TARGET...]
./dev corpus check [TARGET...]
  grow      fuzzes each target for S seconds, 60 if not said, and adds to corpus/TARGET what reaches an edge that nothing
            there reaches, out of build/fuzz-corpus. With --from nothing is fuzzed, and the inputs are those of a folder
            or of a ZIP file as OSS-Fuzz packs corpora (one target)
  minimize  leaves in corpus/TARGET as few inputs as reach all of its edges
  check     names, sizes and provenance are in order, every input passes, and every function of core, kernels and tools
            that corpus/reached/TARGET.txt names is still reached: lost are those that there still are, gone the others
Seeds and regression inputs stay as they are. grow and minimize write corpus/reached and a line of corpus/provenance.csv.
Targets: $(fuzz_target_names | tr '\n' ' ')
Exit status: 0 as it should be; 1 an input found something, or less is reached; 2 could not run; 3 the build failed.
TEXT
        return
        ;;
      -*) unknown_option corpus "$1" ;;
      *) if [[ -z "$action" ]]; then action="$1"; else targets+=("$1"); fi ;;
    esac
    shift
  done
  [[ "$action" =~ ^(grow|minimize|check)$ ]] || die "./dev corpus needs one of grow, minimize and check, not '$action'"
  [[ "$seconds" =~ ^[1-9][0-9]{0,6}$ ]] || die "--seconds=$seconds is no number of seconds from 1 to 9999999"
  check_fuzz_targets "${targets[@]}"
  ((${#targets[@]} > 0)) || mapfile -t targets < <(fuzz_target_names)
  if [[ -n "$from" ]]; then
    [[ "$action" == grow ]] || die "--from belongs to grow"
    [[ "$from" == /* ]] || from="$CALLED_FROM/$from"
    [[ -d "$from" || (-f "$from" && "$from" == *.zip) ]] || die "--from=$from is neither a folder nor a ZIP file"
    ((${#targets[@]} == 1)) || die "--from needs one target: whose inputs are they?"
  fi
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  [[ "$from" != *.zip ]] || install_missing unzip
  build fuzz "${targets[@]}"
  for target in "${targets[@]}"; do
    case "$action" in
      grow) grow_corpus "$target" "$seconds" "$from" ;;
      minimize) minimize_corpus "$target" ;;
      check) check_corpus "$target" ;;
    esac
  done
  if ! logged corpora python3 -B tools/dev/corpora.py files .; then
    record "files" "NOT IN ORDER: build/log/corpora.log" 0 false
  fi
  print_table
  $ALL_AS_IT_SHOULD_BE
}
