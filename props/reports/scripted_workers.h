// Workers of `arenaproof check` whose words and end are scripted: the parent is shown
// any words and any end, without a model, an instrument or a kernel.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace arenaproof::testing {

// While it lives, the command finds its workers here (ARENAPROOF_WORKER_DIR).
class ScriptedWorkers {
 public:
  ScriptedWorkers();
  ~ScriptedWorkers();
  ScriptedWorkers(const ScriptedWorkers&) = delete;
  ScriptedWorkers& operator=(const ScriptedWorkers&) = delete;

  // `end` is shell text: "exit 1", "kill -SEGV $$".
  void Script(std::string_view layout, std::string_view instrument, const std::string& words, const std::string& end);

  // A file that is there; the workers do not open it.
  std::string model() const { return (folder_ / "model.tflite").string(); }

 private:
  std::filesystem::path folder_;
  int lock_ = -1;  // of the folder, as long as this lives
};

}  // namespace arenaproof::testing
