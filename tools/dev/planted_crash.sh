# What a finding goes through, from the engine to a check that fails, part of ./dev test --full: with a fault of the
# catalogue in a copy of the tree, and each step the command that docs/fuzzing.md names.
# shellcheck shell=bash

PLANTED_FAULT=arena_rewind_under_temporaries
PLANTED_TARGET=fuzz_arena_operations

# A step that has to end with a status; says which did not.
expect_status() { # STATUS COMMAND...
  local expected="$1" status=0
  shift
  echo "+ $*"
  "$@" || status=$?
  ((status == expected)) || { echo "'$*' ended with $status instead of $expected" && return 1; }
}

planted_crash_in() { # COPY_OF_THE_TREE
  local finding regression="corpus/regressions/$PLANTED_TARGET" identity
  cd "$1" || return 1
  unset ARENAPROOF_SHARED
  patch -p1 --fuzz=0 --silent <"corpus/faults/$PLANTED_FAULT/fault.patch" || return 1
  rm -r "corpus/$PLANTED_TARGET" # the engine shall find it, not a seed
  expect_status 1 ./dev fuzz "$PLANTED_TARGET" --seconds=60 || return 1
  finding="$(find "build/fuzz-findings/$PLANTED_TARGET" -name 'crash-*' | head -n 1)"
  [[ -f "$finding" ]] || { echo "no crash was kept" && return 1; }
  expect_status 0 ./dev minimize "$finding" --target="$PLANTED_TARGET" --seconds=20 || return 1
  (($(stat -c %s "$finding.minimized") <= $(stat -c %s "$finding"))) || { echo "minimised it is larger" && return 1; }
  expect_status 1 ./dev explain "$finding.minimized" --target="$PLANTED_TARGET" --report=build/finding.sarif >explained || return 1
  cat explained
  identity="$(sed -n 's/^== what went wrong: //p' explained)"
  [[ -n "$identity" ]] || { echo "it does not say what went wrong" && return 1; }
  python3 -B -c 'import json, sys; result, = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert sys.argv[2] in result["message"]["text"] and result["ruleId"] == sys.argv[3], result' \
    build/finding.sarif "${identity%%[0-9N]*}" "$PLANTED_TARGET" || return 1
  mkdir -p "$regression"
  cp "$finding.minimized" "$regression/$PLANTED_FAULT"
  expect_status 0 cmake --build build/asan --target "$PLANTED_TARGET" || return 1 # sees the new folder
  expect_status 8 ctest --preset asan -R "^${PLANTED_TARGET}_replay$" || return 1
  patch -p1 -R --fuzz=0 --silent <"corpus/faults/$PLANTED_FAULT/fault.patch" || return 1
  expect_status 0 cmake --build build/asan --target "$PLANTED_TARGET" || return 1
  expect_status 0 ctest --preset asan -R "^${PLANTED_TARGET}_replay$" --no-tests=error || return 1
}

planted_crash_whole_way() {
  local copy="$ROOT/build/planted-crash" status=0
  rm -rf "$copy"
  mkdir -p "$copy"
  git -C "$ROOT" ls-files -z --cached --others --exclude-standard | tar -C "$ROOT" --null --ignore-failed-read -T - -c |
    tar -C "$copy" -x || return 1
  (planted_crash_in "$copy") || status=$?
  ((status != 0)) || rm -rf "$copy"
  return "$status"
}

planted_crash() {
  local start="$EPOCHREALTIME"
  say "a planted crash: found, minimised, explained, reported, a regression input, a check that fails"
  if logged planted-crash planted_crash_whole_way; then
    record "planted crash, the whole way" "found, explained, kept as a check" "$(seconds_since "$start")" true
  else
    record "planted crash, the whole way" "FAILED: build/log/planted-crash.log" "$(seconds_since "$start")" false
  fi
}
