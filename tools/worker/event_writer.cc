#include "tools/worker/event_writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "tools/text/json_text.h"
#include "tools/worker/protocol.h"

namespace arenaproof {

void EventWriter::Write(const char* event, nlohmann::json fields) {
  if (descriptor_ == kNowhere) return;
  fields[protocol::kEvent] = event;
  const std::string line = JsonLine(std::move(fields)) + "\n";
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) std::_Exit(protocol::kExitInternalError);
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace arenaproof
