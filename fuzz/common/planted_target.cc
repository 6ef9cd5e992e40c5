// A target in which three things can go wrong, for tests of what is done with findings. No engine drives it.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/explain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  const std::string_view text(reinterpret_cast<const char*>(data), bytes);
  arenaproof::Explain("a text of " + std::to_string(bytes) + " bytes");
  if (text.find("RULE") != std::string_view::npos) {
    std::fprintf(stderr, "VIOLATED: the planted rule, at byte %zu\n", text.find("RULE"));
    std::abort();
  }
  if (text.find("LESS") != std::string_view::npos) {
    std::fprintf(stderr, "DEFECT: another thing: %zu bytes\n", bytes);
    std::abort();
  }
  return text.find("DIE") == std::string_view::npos ? 0 : raise(SIGKILL);
}
