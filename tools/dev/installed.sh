# What is installed, by itself: moved to another place, used by a project of its own, packed and unpacked. Part of
# ./dev test --full.
# shellcheck shell=bash

INSTALLED_PACKAGES=(dpkg-dev file pkg-config)

# Runs a command as on a machine that has nothing of this tree but what is named.
bare() { env -i PATH=/usr/bin:/bin "$@"; }

# Files of CMake and pkg-config must not know where they were built or installed.
knows_no_place() { # PREFIX PLACE...
  local prefix="$1" place
  shift
  for place in "$@"; do
    if grep -rnF "$place" "$prefix/lib/cmake" "$prefix/lib/pkgconfig"; then return 1; fi
  done
}

# Each header compiles by itself with what is installed, in as many processes as there are processors. Those of
# bridge_tflm need headers of TensorFlow Lite Micro too.
compile_headers() { # PREFIX
  local includes="$1/include/arenaproof"
  (cd "$includes" && find . -name '*.h' -not -path './kernels/bridge_tflm/*' -print0 | sort -z) |
    bare xargs -0 -n 1 -P "$JOBS" clang++-19 -std=c++20 -Wall -Wextra -Werror -Wno-pragma-once-outside-header \
      -fsyntax-only -x c++ -working-directory "$includes" -I .
}

# The examples that come with the pages, as a reader has them: the project of tests/consumer, copied to a folder of its
# own, by find_package, and its program by pkg-config too.
build_examples() { # PREFIX FOLDER
  local prefix="$1" folder="$2/consumer" pages="$1/share/doc/arenaproof"
  bare clang++-19 -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "$prefix/include/arenaproof" -I "$pages" \
    "$pages/tests/embedding/sine_support.cc" || return 1
  cp -r "$pages/tests/consumer" "$folder" || return 1
  bare cmake -G Ninja -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_CXX_COMPILER=clang++-19 || return 1
  bare cmake --build "$folder/build" -j "$JOBS" || return 1
  bare ctest --test-dir "$folder/build" --output-on-failure --no-tests=error || return 1
  touch "$folder/average_library.cc"
  bare cmake --build "$folder/build" -j "$JOBS" || return 1
  [[ "$folder/build/libaverage-plain.so" -nt "$folder/average_library.cc" ]] ||
    { echo "a library of kernels is not built anew after a change of its source" && return 1; }
  local words flags
  words="$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs arenaproof)" || return 1
  eval "flags=($words)"  # they are quoted for a shell
  bare clang++-19 -std=c++20 "$folder"/{consumer,average_kernel,own_model}.cc "${flags[@]}" -o "$folder/by-pkg-config" ||
    return 1
  bare "$folder/by-pkg-config" "$folder/own.tflite"
}

# That the command answers, that each of its workers does, and that one that is missing is told.
use_command() { # PREFIX FOLDER
  local prefix="$1" command="$1/bin/arenaproof" model="$2/model.tflite" instrument status=0 worker
  cp corpus/models/fully_connected_20_to_64_int8.tflite "$model" || return 1
  [[ "$(bare "$command" --version)" == "arenaproof $(sed -n 's/.*kVersion = "\(.*\)".*/\1/p' tools/text/version.h)" ]] || return 1
  for instrument in shadow asan guard canary twofill valgrind none; do
    bare "$command" check "$model" --quiet --instrument="$instrument" || return 1
  done
  bare "$command" check "$model" --quiet --kernels=aligned-faulty || status=$?
  ((status == 1)) || return 1
  for worker in "$prefix"/libexec/arenaproof/arenaproof-worker-{shadow,asan}; do
    mv "$worker" "$2/away" || return 1
    status=0
    bare "$command" check "$model" 2>"$2/errors" || status=$?
    mv "$2/away" "$worker"
    cat "$2/errors"
    [[ "$status" == 2 && "$(wc -l <"$2/errors")" == 1 ]] && grep -qF "there is no program $worker" "$2/errors" || return 1
  done
}

# `cmake --install` below a prefix that is moved afterwards.
check_installed() { # FOLDER
  local folder="$1"
  cmake --install build/release --prefix "$folder/first" || return 1
  mkdir "$folder/moved here" && mv "$folder/first" "$folder/moved here/prefix" || return 1
  local prefix="$folder/moved here/prefix"
  knows_no_place "$prefix" "$ROOT" "$folder" || return 1
  diff -r kernels/bridge_tflm "$prefix/include/arenaproof/kernels/bridge_tflm" || return 1
  python3 -B tests/architecture/check_links.py "$prefix/share/doc/arenaproof" 40 || return 1
  compile_headers "$prefix" || return 1
  use_command "$prefix" "$folder" || return 1
  build_examples "$prefix" "$folder"
}

# The Debian package, unpacked; and on a machine that has nothing but the package and those that it asks for.
check_package() { # FOLDER
  local folder="$1" package
  (cd build/release && cpack -G DEB -B "$folder/package") || return 1
  package="$(echo "$folder"/package/*.deb)"
  dpkg-deb --info "$package" && dpkg-deb --contents "$package" | grep -E 'bin/|libexec/' || return 1
  dpkg-deb -x "$package" "$folder/root" || return 1
  use_command "$folder/root/usr" "$folder" || return 1
  use_on_bare_machine "$package" "$folder"
}

# A root folder of its own, filled with packages. The checks start every worker.
use_on_bare_machine() { # PACKAGE FOLDER
  local machine="$2/machine" needed instrument
  mkdir -p "$machine"/{proc,tmp,dev} || return 1
  for needed in $(dpkg-deb --field "$1" Depends | tr ',' '\n' | awk '{ print $1 }'); do
    dpkg-query --listfiles "$needed" | while read -r file; do [[ -d "$file" ]] || echo "$file"; done |
      tar -C / -c -h -f - --files-from=- --transform='s,^/,,' 2>/dev/null | tar -C "$machine" -x -f - || return 1
  done
  dpkg-deb -x "$1" "$machine" || return 1
  cp "$2/model.tflite" "$machine/tmp/" && cp -a /dev/null "$machine/dev/" || return 1
  for instrument in shadow asan guard; do
    unshare --map-root-user --mount --pid --fork --mount-proc --root="$machine" \
      /usr/bin/arenaproof check /tmp/model.tflite --instrument="$instrument" || return 1
  done
}

full_installed() {
  local part start folder
  install_missing "${INSTALLED_PACKAGES[@]}"
  build release arenaproof-installed
  for part in installed package; do
    start="$EPOCHREALTIME"
    folder="$(mktemp -d)"
    say "$part: built from nothing of this tree"
    if logged "$part" "check_$part" "$folder"; then
      record "what is installed: $part" "works elsewhere" "$(seconds_since "$start")" true
    else
      record "what is installed: $part" "FAILED: build/log/$part.log" "$(seconds_since "$start")" false
    fi
    rm -rf "$folder"
  done
}
