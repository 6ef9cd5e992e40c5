#include "props/reports/played_workers.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tools/instruments.h"

namespace arenaproof::testing {
namespace {

constexpr const char* kScript = R"(#!/bin/sh
for word; do
  case "$word" in
    --layout=*) layout="${word#*=}" ;;
    --instrument=*) instrument="${word#*=}" ;;
  esac
done
while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line" >&3; done < "FOLDER/$layout-$instrument.words"
. "FOLDER/$layout-$instrument.end"
)";

void Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  std::abort();
}

constexpr std::string_view kPrefix = "arenaproof-played-";

// Folders of processes that were killed.
void RemoveOrphans() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const long process = std::strtol(name.c_str() + kPrefix.size(), nullptr, 10);
    if (process <= 0 || kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH) continue;
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

PlayedWorkers::PlayedWorkers() {
  RemoveOrphans();
  folder_ = std::filesystem::temp_directory_path() / (std::string(kPrefix) + std::to_string(getpid()));
  const std::string name = folder_.string();
  std::string script = kScript;
  for (std::size_t at = script.find("FOLDER"); at != std::string::npos; at = script.find("FOLDER")) {
    script.replace(at, 6, name);
  }
  for (const Instrument& instrument : AllInstruments()) {
    const std::filesystem::path folder = folder_ / instrument.preset / "tools" / "worker";
    std::filesystem::create_directories(folder);
    Write(folder / "arenaproof-worker", script);
    std::filesystem::permissions(folder / "arenaproof-worker", std::filesystem::perms::owner_all);
  }
  Write(model(), "none");
  setenv("ARENAPROOF_WORKER_DIR", name.c_str(), 1);
}

PlayedWorkers::~PlayedWorkers() {
  unsetenv("ARENAPROOF_WORKER_DIR");
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void PlayedWorkers::Tell(std::string_view layout, std::string_view instrument, const std::string& words,
                         const std::string& end) {
  const std::string name = std::string(layout) + "-" + std::string(instrument);
  Write(folder_ / (name + ".words"), words);
  Write(folder_ / (name + ".end"), end + "\n");
}

}  // namespace arenaproof::testing
