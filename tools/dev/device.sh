# Models on a device under the canary, part of ./dev test --full: a program for a Cortex-M4 under QEMU, whose plans, needs
# and outputs have to be the host's, and which has to find overwrites that are planted.
# shellcheck shell=bash

DEVICE_PACKAGES=(qemu-system-arm)

full_device() {
  local start status=0
  install_missing "${DEVICE_PACKAGES[@]}"
  build release arenaproof arenaproof-worker
  build cortex-m arenaproof-device-canary
  start="$EPOCHREALTIME"
  say "models on a device, under the canary"
  logged device python3 -B tests/device/check_device.py build/cortex-m/tests/device/arenaproof-device-canary \
    build/release/tools/arenaproof corpus/models || status=$?
  case "$status" in
    0) record "device: as the host, overwrites found" "every byte" "$(seconds_since "$start")" true ;;
    1) record "device: as the host, overwrites found" "FAILED: build/log/device.log" "$(seconds_since "$start")" false ;;
    *) die "the device's program could not be run; what is missing is in build/log/device.log" ;;
  esac
}
