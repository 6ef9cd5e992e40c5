#include "tests/support/replayed_input.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace arenaproof::testing {
namespace {

std::string DecodedBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char character : text) {
    const std::size_t digit = kDigits.find(character);
    if (digit == std::string_view::npos) throw std::runtime_error("an input that is no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((bit_count += 6) < 8) continue;
    bit_count -= 8;
    bytes += static_cast<char>(bits >> bit_count & 0xff);
  }
  return bytes;
}

}  // namespace

ReplayedInput ReplayInput(const std::string& target, std::string_view base64) {
  const auto build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  const auto program = build / "fuzz" / target;
  if (!std::filesystem::exists(program)) throw std::runtime_error("there is no program " + program.string());
  const std::string bytes = DecodedBase64(base64);  // before there is a file that would be left behind
  const auto input = std::filesystem::temp_directory_path() / ("replayed_input_" + std::to_string(getpid()));
  std::ofstream(input, std::ios::binary) << bytes;

  ReplayedInput replay;
  const std::string command = "'" + program.string() + "' -explain '" + input.string() + "' 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process could be started for " + program.string());
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    replay.said.append(part.data(), count);
  const int status = pclose(pipe);
  replay.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::filesystem::remove(input);
  return replay;
}

}  // namespace arenaproof::testing
