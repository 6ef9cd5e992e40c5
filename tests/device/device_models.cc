#include "tests/device/device_models.h"

// The assembler takes the files in as they are; the build tells it where the tree is.
#define ARENAPROOF_DEVICE_MODEL(name)                                                                               \
  asm(".section .rodata.device_models, \"a\", %progbits\n"                                                          \
      ".balign 16\n"                                                                                                \
      ".global " #name "_begin, " #name "_end\n" #name "_begin: .incbin \"corpus/models/" #name ".tflite\"\n" #name \
      "_end:\n"                                                                                                     \
      ".previous\n");                                                                                               \
  extern "C" const std::byte name##_begin[], name##_end[];
#include "tests/device/device_models.inc"
#undef ARENAPROOF_DEVICE_MODEL

namespace arenaproof::device {

std::span<const DeviceModel> DeviceModels() {
  static const DeviceModel models[] = {
#define ARENAPROOF_DEVICE_MODEL(name) {#name, {name##_begin, name##_end}},
#include "tests/device/device_models.inc"
#undef ARENAPROOF_DEVICE_MODEL
  };
  return models;
}

}  // namespace arenaproof::device
