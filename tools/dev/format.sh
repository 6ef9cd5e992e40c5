# ./dev format: formatting and lint of our own sources.
# shellcheck shell=bash

verb_format() {
  local check=false tidy=false
  while (($# > 0)); do
    case "$1" in
      --check) check=true ;;
      --tidy) tidy=true ;;
      --help | -h)
        cat <<TEXT
./dev format [--check] [--tidy]
  Formats every C++ source with clang-format-19 and lints the shell scripts.
  --check   changes nothing; exit 1 when a file is not formatted
  --tidy    also clang-tidy-19 with .clang-tidy, file by file (minutes)
Exit status: 0 all is well formatted; 1 it is not, or lint has something to say; 2 could not run; 3 a build failed.
TEXT
        return
        ;;
      *) unknown_option format "$1" ;;
    esac
    shift
  done
  # shellcheck source=tools/dev/setup.sh
  source tools/dev/setup.sh
  ensure_setup
  install_missing "${FORMAT_PACKAGES[@]}"
  local sources scripts
  git ls-files >/dev/null || die "git cannot list the sources of this tree, so there is nothing to go by"
  mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.cc' '*.h' | sort -u)
  mapfile -t scripts < <(git ls-files --cached --others --exclude-standard dev .ci/run 'tools/dev/*.sh' | sort -u)
  if $check; then
    say "checking the format of ${#sources[@]} sources"
    clang-format-19 --dry-run -Werror "${sources[@]}" || die "sources are not formatted; ./dev format does it" 1
  else
    say "formatting ${#sources[@]} sources"
    clang-format-19 -i "${sources[@]}"
  fi
  say "linting ${#scripts[@]} scripts"
  shellcheck -x "${scripts[@]}" || die "a script does not pass shellcheck" 1
  if $tidy; then
    say "clang-tidy file by file"
    logged configure-tidy cmake --preset release -B build/tidy -DARENAPROOF_FILE_BY_FILE=ON ||
      die "the preset 'release' cannot be configured" 3
    # For the headers that are generated.
    logged build-tidy cmake --build build/tidy --target arenaproof_model -j "$JOBS" ||
      die "the headers that clang-tidy needs cannot be generated" 3
    run-clang-tidy-19 -quiet -p build/tidy -j "$JOBS" "^$ROOT/(core|kernels|sanitizers|tools|corpus|engine|props|fuzz|faults)/" \
      >"$LOGS/tidy.log" 2>&1 || {
      grep -E 'warning|error' "$LOGS/tidy.log" | sort -u | head -n 60
      die "clang-tidy has something to say; all of it is in build/log/tidy.log" 1
    }
  fi
  say "all is well formatted"
}
