#include "tools/text/refusal_code.h"

#include <cctype>

#include "tools/text/sentences.h"

namespace arenaproof {

std::string WithUnderscores(std::string_view name) {
  std::string code;
  for (const char letter : name.substr(1)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isupper(byte) != 0 && !code.empty()) code += '_';
    code += static_cast<char>(std::tolower(byte));
  }
  return code;
}

std::string RefusalCode(StatusCode code) {
  const std::string_view name = StatusName(code);
  return name.starts_with('k') ? WithUnderscores(name) : "unknown";
}

std::string RefusalCode(ToolRefusal refusal) {
  switch (refusal) {
#define ARENAPROOF_TOOL_REFUSAL(name, meaning) \
  case ToolRefusal::name:                      \
    return WithUnderscores(#name);
#include "tools/text/tool_refusals.inc"
#undef ARENAPROOF_TOOL_REFUSAL
  }
  return "unknown";
}

}  // namespace arenaproof
