// Runs the command that is built beside these tests.
#pragma once

#include <string>
#include <vector>

namespace arenaproof::testing {

struct CommandRun {
  int exit_status = -1;  // -1: it died of a signal
  std::string output;    // standard output
  std::string errors;    // standard error
};

// `arguments` are shell words, quoted by the caller where needed; `environment` stands before the command,
// "NAME=value".
CommandRun Arenaproof(const std::string& arguments, const std::string& environment = {});

// A fresh folder below the system's temporary one, removed at the end of the process.
std::string TemporaryFolder();

std::string SeedModel(const std::string& name);

}  // namespace arenaproof::testing
