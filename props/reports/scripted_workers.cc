#include "props/reports/scripted_workers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tools/command/instruments.h"
#include "tools/text/quoting.h"

namespace arenaproof::testing {
namespace {

// Behind a line that says which folder it is.
constexpr const char* kScript = R"(
for word; do
  case "$word" in
    --layout=*) layout="${word#*=}" ;;
    --instrument=*) instrument="${word#*=}" ;;
  esac
done
while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line" >&3; done < "$folder/$layout-$instrument.words"
. "$folder/$layout-$instrument.end"
)";

void Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  std::abort();
}

constexpr std::string_view kPrefix = "arenaproof-workers-";
constexpr auto kYoung = std::chrono::minutes(1);

// Whoever has it lives, in whatever process namespace. -1: there is no such folder, or somebody else has it.
int LockFolder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// Folders of processes that were killed; not young ones, which their process may be about to lock.
void RemoveOrphans() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const auto written = entry.last_write_time(ignored);
    if (ignored || std::filesystem::file_time_type::clock::now() - written < kYoung) continue;
    const int lock = LockFolder(entry.path());
    if (lock < 0) continue;
    std::filesystem::remove_all(entry.path(), ignored);
    close(lock);
  }
}

}  // namespace

ScriptedWorkers::ScriptedWorkers() {
  RemoveOrphans();
  std::string name = (std::filesystem::temp_directory_path() / kPrefix).string() + "XXXXXX";
  if (mkdtemp(name.data()) == nullptr || (lock_ = LockFolder(name)) < 0) {
    std::fprintf(stderr, "cannot make %s\n", name.c_str());
    std::abort();
  }
  folder_ = name;
  const std::string script = "#!/bin/sh\nfolder=" + ShellWord(name) + kScript;
  for (const Instrument& instrument : AllInstruments()) {
    const std::filesystem::path folder = folder_ / instrument.preset / "tools" / "worker";
    std::filesystem::create_directories(folder);
    Write(folder / "arenaproof-worker", script);
    std::filesystem::permissions(folder / "arenaproof-worker", std::filesystem::perms::owner_all);
  }
  Write(model(), "none");
  setenv("ARENAPROOF_WORKER_DIR", name.c_str(), 1);
}

ScriptedWorkers::~ScriptedWorkers() {
  unsetenv("ARENAPROOF_WORKER_DIR");
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  close(lock_);
}

void ScriptedWorkers::Script(std::string_view layout, std::string_view instrument, const std::string& words,
                             const std::string& end) {
  const std::string name = std::string(layout) + "-" + std::string(instrument);
  Write(folder_ / (name + ".words"), words);
  Write(folder_ / (name + ".end"), end + "\n");
}

}  // namespace arenaproof::testing
