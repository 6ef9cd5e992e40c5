// Writes events of tools/worker/protocol.h, each as one line, at once: what was written survives the process.
#pragma once

#include <nlohmann/json.hpp>

namespace arenaproof {

class EventWriter {
 public:
  static constexpr int kNowhere = -1;

  // kNowhere: nothing is written.
  explicit EventWriter(int descriptor) : descriptor_(descriptor) {}
  // `fields` gets the field "event". Texts follow the rule of tools/text/names.h. A reader that went away ends the
  // process with the status of an internal error: nobody would read the rest.
  void Write(const char* event, nlohmann::json fields);

 private:
  int descriptor_;
};

}  // namespace arenaproof
