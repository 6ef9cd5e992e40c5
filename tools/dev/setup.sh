# ./dev setup: packages, only those that are missing.
# shellcheck shell=bash

# What a build and the tests need.
PACKAGES=(clang-19 libclang-rt-19-dev llvm-19 lld-19 cmake ninja-build ccache libgtest-dev libgmock-dev
  librapidcheck-dev libflatbuffers-dev flatbuffers-compiler libz3-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev
  libgemmlowp-dev python3 python3-jsonschema python3-yaml patch valgrind
  libxnnpack-dev libpthreadpool-dev)
# What ./dev format needs besides.
FORMAT_PACKAGES=(clang-format-19 clang-tidy-19 shellcheck)

install_missing() { # PACKAGE...
  command -v dpkg-query >/dev/null ||
    die "this is no Debian system, so packages cannot be installed here; what has to be there: $*"
  local package missing=()
  for package in "$@"; do
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  say "installing ${#missing[@]} missing packages: ${missing[*]}"
  [[ "$(id -u)" == 0 ]] ||
    die "packages are missing and apt-get needs root: sudo apt-get install --no-install-recommends ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local start="$EPOCHREALTIME"
  logged apt-update apt-get update -q || die "apt-get update failed; is there a network?"
  logged apt-install apt-get install -q -y --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install: ${missing[*]}"
  record "install ${#missing[@]} packages" "installed" "$(seconds_since "$start")" true
}

ensure_setup() { install_missing "${PACKAGES[@]}"; }

verb_setup() {
  case "${1:-}" in
    "") ;;
    --help | -h)
      echo "./dev setup    install the Debian packages that are missing (needs root for that, nothing otherwise)"
      echo "Exit status: 0 everything is installed; 2 it is not, and could not be."
      return
      ;;
    *) unknown_option setup "$1" ;;
  esac
  install_missing "${PACKAGES[@]}" "${FORMAT_PACKAGES[@]}"
  say "everything that is needed is installed"
}
