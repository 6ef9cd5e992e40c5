#include "engine/generators/offline_plan/changed_name.h"

#include <string_view>

namespace arenaproof {

void ChangeName(std::span<std::byte> file, const ModelView& model, std::uint8_t code) {
  if (code == 0) return;
  std::size_t entry = code >> 5 & 3;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    const std::string_view name = model.metadata(i).name;
    if (name.empty() || entry-- != 0) continue;
    const char* const letter = name.data() + (code & 31) % name.size();
    const auto at = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(letter) - model.bytes().data());
    file[at] ^= std::byte{0x20} >> ((code & 128) != 0 ? 5 : 0);
    return;
  }
}

}  // namespace arenaproof
