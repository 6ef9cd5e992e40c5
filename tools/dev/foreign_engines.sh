# The fuzz targets as ClusterFuzzLite and OSS-Fuzz build and try them, part of ./dev test --full: build.sh under the flags
# of their base image, then their check of a build (bad_build_check of OSS-Fuzz), without their image.
# shellcheck shell=bash

FOREIGN_PACKAGES=(libc++-19-dev libc++abi-19-dev zip unzip binutils)

# The base image's own flags, and those that it adds for a sanitizer and for coverage of libFuzzer.
FOREIGN_FLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types \
-Wno-error=int-conversion -Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration \
-Wno-error=implicit-int -Wno-error=unknown-warning-option -Wno-error=vla-cxx-extension \
-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
UNDEFINED_CHECKS="array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,\
returns-nonnull-attribute,shift,signed-integer-overflow"
declare -A FOREIGN_SANITIZER_FLAGS=(
  [address]="-fsanitize=address -fsanitize-address-use-after-scope"
  [undefined]="-fsanitize=$UNDEFINED_CHECKS,unsigned-integer-overflow,unreachable,vla-bound,vptr \
-fno-sanitize-recover=$UNDEFINED_CHECKS,unreachable,vla-bound,vptr"
  [coverage]=""
)
declare -A FOREIGN_COVERAGE_FLAGS=(
  [address]="-fsanitize=fuzzer-no-link"
  [undefined]="-fsanitize=fuzzer-no-link"
  [coverage]="-fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl -Wl,-lm \
-Wno-unused-command-line-argument"
)
# Their engine has its own C++ library in it, Debian's asks for GCC's. That comes last, or its exceptions would be taken for
# those of libc++, which have the same names.
FOREIGN_ENGINE_LIBRARIES="-lc++ -lc++abi -Wl,-lstdc++" # clang would make -lc++ of the last
# Of the image in which targets run.
FOREIGN_RUNTIME=(
  "ASAN_OPTIONS=alloc_dealloc_mismatch=0:allocator_may_return_null=1:allocator_release_to_os_interval_ms=500:check_malloc_usable_size=0:detect_container_overflow=1:detect_odr_violation=0:detect_leaks=1:detect_stack_use_after_return=1:fast_unwind_on_fatal=0:handle_abort=1:handle_segv=1:handle_sigill=1:max_uar_stack_size_log=16:print_scariness=1:quarantine_size_mb=10:strict_memcmp=1:symbolize=1:use_sigaltstack=1:dedup_token_length=3"
  "UBSAN_OPTIONS=print_stacktrace=1:print_summary=1:silence_unsigned_overflow=1:symbolize=1:dedup_token_length=3"
)

# Calls of a sanitizer's runtime in a program.
sanitizer_calls() { # DISASSEMBLY SANITIZER
  grep -cE "callq?\s+[0-9a-f]+ <__$2" "$1" || true
}

# Says what is wrong with a target's build by the rules of bad_build_check, and fails then.
check_foreign_instrumentation() { # SANITIZER TARGET_FILE
  local listing asan ubsan
  listing="$(mktemp)"
  objdump -dC "$2" >"$listing"
  asan="$(sanitizer_calls "$listing" asan)"
  ubsan="$(sanitizer_calls "$listing" ubsan)"
  rm "$listing"
  case "$1" in
    address) ((asan >= 1000 && ubsan <= 200)) ;;
    undefined) ((asan == 0 && ubsan >= 168)) ;;
    coverage) ((asan == 0)) ;;
  esac || { echo "BAD BUILD: $2 ($1) calls ASan $asan times and UBSan $ubsan times" && return 1; }
}

# Runs a target as their runner does: in its folder, without OUT, nothing to read from; the output goes to a file.
run_foreign() { # TARGET OUTPUT ARGUMENT...
  local target="$1" output="$2" options=() line
  shift 2
  while read -r line; do
    [[ "$line" =~ ^([a-z_]+)\ *=\ *([^ ]+)$ ]] && options+=("-${BASH_REMATCH[1]}=${BASH_REMATCH[2]}")
  done < <(cat "$target.options" 2>/dev/null)
  [[ ! -f "$target.dict" || "${options[*]}" == *-dict=* ]] || options+=("-dict=$target.dict")
  env -u OUT -u SRC -u WORK "${FOREIGN_RUNTIME[@]}" "./$target" -rss_limit_mb=2560 -timeout=25 "$@" "${options[@]}" \
    </dev/null >"$output" 2>&1
}

# One target in the folder to which everything of it was copied.
check_foreign_target() { # SANITIZER TARGET
  local sanitizer="$1" target="$2" output="$2.output" edges corpus
  check_foreign_instrumentation "$sanitizer" "$target" || return 1
  run_foreign "$target" "$output" -seed=1337 -runs=4 || { echo "BAD BUILD: $target does not start" && return 1; }
  grep -q "Done 4 runs" "$output" || { echo "BAD BUILD: $target ends before its runs" && return 1; }
  if [[ "$sanitizer" != coverage ]]; then
    edges="$(grep -Po "INFO: Loaded [[:digit:]]+ module.*\(.*(counters|guards)\):[[:space:]]+\K[[:digit:]]+" "$output")"
    ((${edges:-0} >= 100)) || { echo "BAD BUILD: $target has coverage of ${edges:-0} edges only" && return 1; }
  fi
  corpus="$(mktemp -d)"
  unzip -q -o -d "$corpus" "${target}_seed_corpus.zip" || { echo "BAD BUILD: $target has no seeds" && return 1; }
  run_foreign "$target" "$output" -runs=0 "$corpus" || { tail -n 20 "$output" && return 1; }
  rm -r "$corpus"
}

# The check itself is shown a program without instrumentation.
check_foreign_check() { # FOLDER
  echo 'int main() {}' | clang++-19 -x c++ - -o "$1/plain"
  ! check_foreign_instrumentation address "$1/plain" >/dev/null
}

foreign_build() { # SANITIZER
  local sanitizer="$1" folder flags target
  flags="$FOREIGN_FLAGS ${FOREIGN_SANITIZER_FLAGS[$1]} ${FOREIGN_COVERAGE_FLAGS[$1]}"
  folder="$(mktemp -d)"
  mkdir "$folder/src" "$folder/out" "$folder/elsewhere"
  ln -s "$ROOT" "$folder/src/arenaproof"
  env CMAKE_BUILD_PARALLEL_LEVEL="$JOBS" SRC="$folder/src" WORK="$ROOT/build" OUT="$folder/out" CC=clang-19 \
    CXX=clang++-19 CFLAGS="$flags" CXXFLAGS="$flags -stdlib=libc++" LDFLAGS="$FOREIGN_ENGINE_LIBRARIES" \
    LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER="$sanitizer" FUZZING_ENGINE=libfuzzer FUZZING_LANGUAGE=c++ \
    ARCHITECTURE=x86_64 .clusterfuzzlite/build.sh || return 1
  cp -r "$folder/out/." "$folder/elsewhere"
  rm -r "$folder/out" "$folder/src"
  cd "$folder/elsewhere" || return 1
  check_foreign_check "$folder" || { echo "the check of builds takes any program" && return 1; }
  for target in "$ROOT"/fuzz/fuzz_*.cc; do
    check_foreign_target "$sanitizer" "$(basename "$target" .cc)" || return 1
  done
  rm -r "$folder"
}

foreign_engines() {
  local sanitizer start
  install_missing "${FOREIGN_PACKAGES[@]}"
  for sanitizer in address undefined coverage; do
    start="$EPOCHREALTIME"
    say "the fuzz targets as ClusterFuzzLite and OSS-Fuzz build them: $sanitizer"
    if logged "foreign-$sanitizer" foreign_build_alone "$sanitizer"; then
      record "foreign engine, $sanitizer" "every target built, started, replayed its seeds" \
        "$(seconds_since "$start")" true
    else
      record "foreign engine, $sanitizer" "FAILED: build/log/foreign-$sanitizer.log" "$(seconds_since "$start")" false
    fi
  done
}

foreign_build_alone() { # SANITIZER; in a shell of its own, because it changes the folder
  (foreign_build "$1")
}
