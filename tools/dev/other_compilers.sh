# The fuzz targets by what is not clang's, part of ./dev test --full: every corpus under GCC's sanitizers, and each target
# for some seconds under AFL++.
# shellcheck shell=bash

AFL_PACKAGES=(afl++)
AFL_FOLDER=/usr/lib/afl

gcc_replay() {
  build gcc fuzz_targets
  run_ctest gcc -R '^fuzz_.*_replay$'
}

# What a user of AFL++ with another clang than its own does: the compiler counts edges, AFL++'s runtime and driver take
# them. No sanitizer: the targets have invariants, certifier and oracles then.
afl_build() {
  local flags="-O2 -g1 -fno-omit-frame-pointer -fsanitize-coverage=trace-pc-guard"
  install_missing "${AFL_PACKAGES[@]}"
  cmake -S . -B build/afl -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_FLAGS="$flags" \
    -DARENAPROOF_PRESET=fuzz-plain -DARENAPROOF_FLAGS_FROM_OUTSIDE=ON \
    -DLIB_FUZZING_ENGINE="$AFL_FOLDER/libAFLDriver.a $AFL_FOLDER/afl-compiler-rt.o" &&
    cmake --build build/afl -j "$JOBS" --target fuzz_targets
}

# Begins with the smallest of a target's seeds; says what is wrong when no input was run, no edge was seen or one crashed.
afl_fuzz() { # TARGET SECONDS
  local target="$1" folder stats runs edges crashes file
  folder="$(mktemp -d)"
  mkdir "$folder/seeds"
  while read -r file; do
    cp "$file" "$folder/seeds/"
  done < <(find "corpus/$target" -type f -size +0 -printf '%s %p\n' | sort -n | head -n 20 | cut -d' ' -f2-)
  AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_QUIET=1 \
    AFL_BENCH_UNTIL_CRASH=1 afl-fuzz -m none -t 25000 -V "$2" -i "$folder/seeds" -o "$folder/out" -- \
    "build/afl/fuzz/$target" || return 1
  stats="$folder/out/default/fuzzer_stats"
  runs="$(awk -F' *: *' '$1 == "execs_done" { print $2 }' "$stats")"
  edges="$(awk -F' *: *' '$1 == "edges_found" { print $2 }' "$stats")"
  crashes="$(find "$folder/out/default/crashes" "$folder/out/default/hangs" -type f -name 'id*' | wc -l)"
  echo "$target: $runs runs, $edges edges, $crashes crashes or hangs"
  if ((crashes > 0)); then
    echo "$target: what crashed or hung is in $folder/out/default"
    return 1
  fi
  ((runs >= 100 && edges >= 100)) || { echo "$target: AFL++ does not see it run" && return 1; }
  rm -r "$folder"
}

# A target that crashes on one word of three bytes: what finds it can find.
check_afl_finds() {
  local folder
  folder="$(mktemp -d)"
  cat >"$folder/planted.cc" <<'CODE'
#include <cstddef>
#include <cstdint>
#include <cstdlib>
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes > 2 && data[0] == 'b') if (data[1] == 'a') if (data[2] == 'd') std::abort();
  return 0;
}
CODE
  clang++-19 -O1 -fsanitize-coverage=trace-pc-guard "$folder/planted.cc" "$AFL_FOLDER/libAFLDriver.a" \
    "$AFL_FOLDER/afl-compiler-rt.o" -o "$folder/planted" || return 1
  mkdir "$folder/seeds"
  echo "bax" >"$folder/seeds/near"
  AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_QUIET=1 \
    AFL_BENCH_UNTIL_CRASH=1 afl-fuzz -m none -V 20 -i "$folder/seeds" -o "$folder/out" -- "$folder/planted" || true
  compgen -G "$folder/out/default/crashes/id*" >/dev/null || { echo "AFL++ finds no planted crash" && return 1; }
  rm -r "$folder"
}

afl_targets() { # SECONDS
  local target
  afl_build && check_afl_finds || return 1
  while read -r target; do
    afl_fuzz "$target" "$1" || return 1
  done < <(fuzz_target_names)
}

other_compilers() {
  local start
  gcc_replay
  start="$EPOCHREALTIME"
  say "the fuzz targets under AFL++"
  if logged afl afl_targets 10; then
    record "AFL++" "every target runs, none crashes" "$(seconds_since "$start")" true
  else
    record "AFL++" "FAILED: build/log/afl.log" "$(seconds_since "$start")" false
  fi
}
