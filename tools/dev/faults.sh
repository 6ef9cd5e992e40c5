# ./dev faults: plants known faults and measures what catches them.
# shellcheck shell=bash

verb_faults() {
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  case " $* " in
    *" --help "* | *" -h "* | *" --list "* | *" --check-patches "*) ;;
    *)
      ensure_setup
      check_writable
      ;;
  esac
  # Files are named from where the caller stands.
  cd "$CALLED_FROM" || die "the folder $CALLED_FROM is gone"
  python3 "$ROOT/faults/run_faults.py" "$@"
}
