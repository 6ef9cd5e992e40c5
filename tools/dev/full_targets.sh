# The builds for 32-bit words, part of ./dev test --full: a microcontroller's, linked and looked through; a 32-bit host's
# with a device's structure sizes, in which tests run.
# shellcheck shell=bash

TARGET_PACKAGES=(g++-multilib gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib libnewlib-arm-none-eabi googletest)

# Names that memory from a heap, exceptions or RTTI would bring into a program.
HEAP_SYMBOLS='^(malloc|calloc|realloc|free|_malloc_r|_free_r|_calloc_r|_realloc_r|_sbrk|_sbrk_r|sbrk|memalign|aligned_alloc|_Zn[wa].*|_Zd[la].*|__cxa_throw|__cxa_allocate_exception|__dynamic_cast|_ZTI.*)$'

# What has to be looked through: a room whose archive is missing would pass by its absence.
DEVICE_ARCHIVES=(core/arena/libarenaproof_arena.a core/base/libarenaproof_base.a core/model/libarenaproof_model.a
  core/planner/libarenaproof_planner.a core/runtime/kernel_interface/libarenaproof_kernel_interface.a
  core/runtime/storage/libarenaproof_storage.a core/runtime/planning/libarenaproof_planning.a
  core/runtime/interpreter/libarenaproof_interpreter.a
  kernels/reference/libarenaproof_kernels_reference.a
  sanitizers/device/libarenaproof_device_instrument.a sanitizers/planted/libarenaproof_planted_access.a)

# "NAME TYPE", one line for each symbol of an object, an archive or a program; fails when there is none.
symbols_of() { # FILE
  local text
  text="$(arm-none-eabi-nm --format=posix "$1")" || return 1
  awk 'NF >= 2 { print $1, $2; ++count } END { exit count == 0 }' <<<"$text"
}

# The heap's symbols that FILE has or needs, on one line; fails when the file cannot be looked through.
heap_symbols_of() { # FILE
  local symbols
  symbols="$(symbols_of "$1")" || return 1
  awk '{ print $1 }' <<<"$symbols" | { grep -E "$HEAP_SYMBOLS" || (($? == 1)); } | sort -u | tr '\n' ' '
}

# The check itself is shown an object that needs a heap, and one that is none.
check_heap_is_found() {
  local folder found status=0
  folder="$(mktemp -d)"
  echo 'extern "C" void* malloc(unsigned); extern "C" void* Planted() { return malloc(1); } int* More() { return new int; }' |
    arm-none-eabi-g++ -mcpu=cortex-m4 -mthumb -c -x c++ - -o "$folder/planted.o" || status=1
  found="$(heap_symbols_of "$folder/planted.o")" || status=1
  [[ "$found" == "_Znwj malloc " ]] || { echo "of a planted malloc and a planted new only this is found: '$found'"; status=1; }
  echo "no object" >"$folder/none.o"
  if heap_symbols_of "$folder/none.o" 2>/dev/null; then
    echo "what is no object is said to need no heap"
    status=1
  fi
  rm -r "$folder"
  return "$status"
}

# Names of the functions and objects that FILE defines for others; weak ones are the linker's to choose.
defined_in() { # FILE
  symbols_of "$1" | awk '$2 ~ /^[TDBR]$/ { print $1 }' | sort -u
}

# Core, kernels and the canary for a Cortex-M: every object is looked through, the program into which all of them are
# linked, and the one that runs.
check_no_heap() { # [BUILD]
  local build="${1:-build/cortex-m}" file found missing archives status=0 count=0
  local program="$build/tests/device/arenaproof-device" running="$build/tests/device/arenaproof-device-canary"
  check_heap_is_found || return 1
  archives="$(cd "$build" && find core kernels/reference sanitizers -name '*.a' | sort)"
  if [[ "$archives" != "$(printf '%s\n' "${DEVICE_ARCHIVES[@]}" | sort)" ]]; then
    echo "other archives than expected: ${archives//$'\n'/ }"
    status=1
  fi
  for file in "${DEVICE_ARCHIVES[@]/#/$build/}" "$program" "$running"; do
    found="$(heap_symbols_of "$file")" || { echo "$file cannot be looked through"; status=1; continue; }
    [[ -z "$found" ]] || { echo "$file holds or needs: $found"; status=1; }
    count=$((count + $(symbols_of "$file" | wc -l)))
  done
  for file in "${DEVICE_ARCHIVES[@]/#/$build/}"; do
    missing="$(comm -23 <(defined_in "$file") <(defined_in "$program"))"
    [[ -n "$(defined_in "$file")" ]] || { echo "$file defines nothing"; status=1; }
    [[ -z "$missing" ]] || { echo "not linked into the program, of $file: ${missing//$'\n'/ }"; status=1; }
  done
  echo "$count symbols of ${#DEVICE_ARCHIVES[@]} archives and two programs looked through"
  arm-none-eabi-size "$program" "$running" || status=1
  return "$status"
}

# Tests of the preset x86-32. A kernel that runs no 32-bit programs is helped by QEMU's, so that they run all the same.
run_32_bit_tests() { # TEST...
  local test start="$EPOCHREALTIME" status=0 names
  if build/x86-32/tests/"$1" --gtest_list_tests >/dev/null 2>&1; then
    names="$*"
    run_ctest x86-32 -R "^(${names// /|})$"
    return
  fi
  install_missing qemu-user
  say "testing x86-32 under qemu-i386: this machine's kernel runs no 32-bit programs"
  for test in "$@"; do
    logged "test-x86-32-$test" qemu-i386 "build/x86-32/tests/$test" || status=1
  done
  if ((status == 0)); then
    record "test x86-32, under qemu-i386" "$# of $# passed" "$(seconds_since "$start")" true
  else
    record "test x86-32, under qemu-i386" "FAILED: build/log/test-x86-32-*.log" "$(seconds_since "$start")" false
  fi
}

full_targets() {
  local start="$EPOCHREALTIME"
  install_missing "${TARGET_PACKAGES[@]}"
  build cortex-m arenaproof-device arenaproof-device-canary
  start="$EPOCHREALTIME"
  if logged cortex-m-symbols check_no_heap; then
    record "cortex-m: no heap, exceptions, RTTI" "none referenced" "$(seconds_since "$start")" true
  else
    record "cortex-m: no heap, exceptions, RTTI" "REFERENCED, see the log" "$(seconds_since "$start")" false
  fi
  # The ledger's figures for 32-bit devices were computed on 64-bit hosts; here they meet real set-ups.
  build x86-32 arena_tests planner_tests runtime_tests memory_tests
  run_32_bit_tests arena_tests planner_tests runtime_tests memory_tests
}
