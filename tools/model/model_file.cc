#include "tools/model/model_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

#include "tools/text/sentences.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {

std::string CannotRead(const std::filesystem::path& path, const std::string& what) {
  const std::string name = "'" + path.string() + "'";
  const auto because = [&] { return name + " cannot be read: " + std::strerror(errno) + "; " + what; };
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return errno == ENOENT ? "there is no file " + name + "; " + what : because();
  if (!S_ISREG(status.st_mode)) return name + " is not a regular file; " + what;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return because();
  close(file);
  return {};
}

std::string InFile(const std::filesystem::path& path, const std::string& sentence) {
  return "'" + path.string() + "': " + sentence;
}

std::byte* AlignedStart(std::span<std::byte> storage) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  return storage.data() + (kModelAlignment - address % kModelAlignment) % kModelAlignment;
}

std::string ModelFile::Load(const std::filesystem::path& path, const OperatorSupport* support) {
  if (std::string problem = CannotRead(path, "MODEL is the path of a .tflite file"); !problem.empty()) return problem;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxModelFileBytes) {
    return "'" + path.string() + "' has " + std::to_string(size) + " bytes; models of at most " +
           std::to_string(kMaxModelFileBytes) + " bytes are read";
  }
  const auto count = static_cast<std::size_t>(size);
  std::ifstream file(path, std::ios::binary);
  std::array<std::byte, 8> first{};
  const std::size_t first_count = std::min(count, first.size());
  file.read(reinterpret_cast<char*>(first.data()), static_cast<std::streamsize>(first_count));
  if (const Status status = ModelView::CheckHeader(std::span(first).first(first_count)); !status.ok()) {
    return InFile(path, Sentence(status));
  }
  storage_.assign(count + kModelAlignment, std::byte{0});
  std::byte* const start = AlignedStart(storage_);
  file.clear();
  file.seekg(0);
  file.read(reinterpret_cast<char*>(start), static_cast<std::streamsize>(count));
  if (file.gcount() != static_cast<std::streamsize>(count)) return "'" + path.string() + "' cannot be read to its end";
  bytes_ = {start, count};

  if (const Status status = ModelView::Open(bytes_, &view_); !status.ok()) return InFile(path, Sentence(status));
  opened_ = true;
  model_ = ValidatedModel::Of(view_, &validation_, support);
  return model_ ? std::string() : InFile(path, ValidationSentence(validation_));
}

}  // namespace arenaproof
