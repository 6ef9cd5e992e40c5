# ./dev check: `arenaproof check` from a checkout, for continuous integration.
# shellcheck shell=bash

verb_check() {
  if [[ "${1:-}" == --help || "${1:-}" == -h || $# == 0 ]]; then
    cat <<TEXT
./dev check MODEL... [OPTION...]
  Installs the packages that are missing, builds the command and a worker for each instrument, and runs
  \`arenaproof check\` with these words in the folder from which it is called. --report=FILE.sarif and --report=FILE.xml
  are what code scanning and test reports read; docs/json.md and \`arenaproof check --help\` say the rest.
Exit status: 0 clean; 1 violations found; 2 could not run; 3 internal error, or a build failed.
TEXT
    (($# > 0)) || exit 2
    return
  fi
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  build release arenaproof arenaproof-worker
  build asan arenaproof-worker
  build shadow arenaproof-worker
  cd "$CALLED_FROM" || die "the folder $CALLED_FROM is gone"
  exec "$ROOT/build/release/tools/arenaproof" check "$@"
}
