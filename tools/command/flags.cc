#include "tools/command/flags.h"

#include <iostream>

#include "tools/command/report_delivery.h"

namespace arenaproof {
namespace {

constexpr const char* kLibraryFlags[] = {
#define ARENAPROOF_LIBRARY_FLAG(words) words,
#define ARENAPROOF_SHADOW_FLAG(words)
#define ARENAPROOF_ASAN_FLAG(words)
#include "kernels/vendor/build_flags.inc"
#undef ARENAPROOF_LIBRARY_FLAG
#undef ARENAPROOF_SHADOW_FLAG
#undef ARENAPROOF_ASAN_FLAG
};

constexpr const char* kShadowFlags[] = {
#define ARENAPROOF_LIBRARY_FLAG(words)
#define ARENAPROOF_SHADOW_FLAG(words) words,
#define ARENAPROOF_ASAN_FLAG(words)
#include "kernels/vendor/build_flags.inc"
#undef ARENAPROOF_LIBRARY_FLAG
#undef ARENAPROOF_SHADOW_FLAG
#undef ARENAPROOF_ASAN_FLAG
};

constexpr const char* kAsanFlags[] = {
#define ARENAPROOF_LIBRARY_FLAG(words)
#define ARENAPROOF_SHADOW_FLAG(words)
#define ARENAPROOF_ASAN_FLAG(words) words,
#include "kernels/vendor/build_flags.inc"
#undef ARENAPROOF_LIBRARY_FLAG
#undef ARENAPROOF_SHADOW_FLAG
#undef ARENAPROOF_ASAN_FLAG
};

// The calls into the C library that nothing else would check.
constexpr const char* kWrappedCalls[] = {
#define ARENAPROOF_COMPARING_CALL(name) "-Wl,--wrap=" #name,
#define ARENAPROOF_WRAPPED_CALL(name) "-Wl,--wrap=" #name,
#include "sanitizers/hooks/wrapped_calls.inc"
#undef ARENAPROOF_COMPARING_CALL
#undef ARENAPROOF_WRAPPED_CALL
};

}  // namespace

std::string FlagsText(const FlagsOptions& options) {
  std::string text;
  const auto add = [&](const auto& flags) {
    for (const char* words : flags) text += (text.empty() ? "" : " ") + std::string(words);
  };
  add(kLibraryFlags);
  if (options.shadow) add(kShadowFlags);
  if (options.asan) add(kAsanFlags);
  if (!options.plain) add(kWrappedCalls);
  return text;
}

ExitStatus FlagsCommand(const FlagsOptions& options) {
  if (int{options.shadow} + int{options.asan} + int{options.plain} != 1) {
    return Complain("flags: one of --shadow, --asan and --plain would be right");
  }
  std::cout << FlagsText(options) << std::endl;
  return std::cout ? ExitStatus::kClean : Complain(kReportNotTaken);
}

}  // namespace arenaproof
