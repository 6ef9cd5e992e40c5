#include "tools/kernel_library/elf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace arenaproof {
namespace {

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return;
  struct stat status{};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(memory), bytes};
  }
  close(file);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

ElfFile::ElfFile(std::span<const std::byte> bytes) : bytes_(bytes) {
  const auto header = At<ElfW(Ehdr)>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != kClass) return;
  header_ = header;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = At<ElfW(Shdr)>(header->e_shoff + std::uint64_t{i} * sizeof(ElfW(Shdr)));
    if (!section) break;
    sections_.push_back(*section);
  }
}

std::span<const std::byte> ElfFile::Part(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset > bytes_.size() || bytes > bytes_.size() - offset) return {};
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
}

std::string_view ElfFile::TextAt(std::span<const std::byte> texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const auto rest = texts.subspan(static_cast<std::size_t>(offset));
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return {};
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

std::string_view ElfFile::NameOf(const ElfW(Shdr) & section) const {
  if (!header_ || header_->e_shstrndx >= sections_.size()) return {};
  return TextAt(BytesOf(sections_[header_->e_shstrndx]), section.sh_name);
}

std::span<const std::byte> ElfFile::BytesOf(const ElfW(Shdr) & section) const {
  return section.sh_type == SHT_NOBITS ? std::span<const std::byte>() : Part(section.sh_offset, section.sh_size);
}

}  // namespace arenaproof
