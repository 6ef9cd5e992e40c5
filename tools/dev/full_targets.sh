# The builds for 32-bit words, part of ./dev test --full: a microcontroller's, linked and looked through; a 32-bit host's
# with a device's structure sizes, in which tests run.
# shellcheck shell=bash

TARGET_PACKAGES=(g++-multilib gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib libnewlib-arm-none-eabi googletest)

# Names that memory from a heap, exceptions or RTTI would bring into a program.
HEAP_SYMBOLS='^(malloc|calloc|realloc|free|_malloc_r|_free_r|_calloc_r|_realloc_r|_sbrk|_sbrk_r|sbrk|memalign|aligned_alloc|_Zn[wa].*|_Zd[la].*|__cxa_throw|__cxa_allocate_exception|__dynamic_cast|_ZTI.*)$'

# Of core and kernels for a Cortex-M: every object is looked through, and the linked program.
check_no_heap() {
  local build=build/cortex-m program=build/cortex-m/tests/device/arenaproof-device file found status=0
  while read -r file; do
    found="$(arm-none-eabi-nm --undefined-only --format=posix "$file" 2>/dev/null | awk '{ print $1 }' |
      grep -E "$HEAP_SYMBOLS" | sort -u)" || true
    [[ -z "$found" ]] || { echo "${file#"$build"/} needs: ${found//$'\n'/ }"; status=1; }
  done < <(find "$build/core" "$build/kernels/reference" -name '*.a')
  found="$(arm-none-eabi-nm --format=posix "$program" | awk '{ print $1 }' | grep -E "$HEAP_SYMBOLS" | sort -u)" || true
  [[ -z "$found" ]] || { echo "the linked program holds: ${found//$'\n'/ }"; status=1; }
  arm-none-eabi-size "$program"
  return "$status"
}

full_targets() {
  local start="$EPOCHREALTIME"
  install_missing "${TARGET_PACKAGES[@]}"
  build cortex-m arenaproof-device
  start="$EPOCHREALTIME"
  if logged cortex-m-symbols check_no_heap; then
    record "cortex-m: no heap, exceptions, RTTI" "none referenced" "$(seconds_since "$start")" true
  else
    record "cortex-m: no heap, exceptions, RTTI" "REFERENCED, see the log" "$(seconds_since "$start")" false
  fi
  # The ledger's figures for 32-bit devices were computed on 64-bit hosts; here they meet real set-ups.
  build x86-32 arena_tests planner_tests runtime_tests memory_tests
  run_ctest x86-32 -R '^(arena_tests|planner_tests|runtime_tests|memory_tests)$'
}
