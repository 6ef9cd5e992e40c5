#include "tools/model_file.h"

#include <cstdint>
#include <fstream>
#include <system_error>

#include "tools/sentences.h"
#include "tools/validation_sentence.h"

namespace arenaproof {

std::string CannotRead(const std::filesystem::path& path, const std::string& what) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const std::string name = "'" + path.string() + "'";
  if (!std::filesystem::exists(status)) return "there is no file " + name + "; " + what;
  if (!std::filesystem::is_regular_file(status)) return name + " is not a regular file; " + what;
  if (!std::ifstream(path, std::ios::binary)) return name + " cannot be read; " + what;
  return {};
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
  storage_.assign(count + kModelAlignment, std::byte{0});
  std::byte* const start = AlignedStart(storage_);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(start), static_cast<std::streamsize>(count));
  if (file.gcount() != static_cast<std::streamsize>(count)) return "'" + path.string() + "' cannot be read to its end";
  bytes_ = {start, count};

  const std::string prefix = "'" + path.string() + "': ";
  if (const Status status = ModelView::Open(bytes_, &view_); !status.ok()) return prefix + Sentence(status);
  opened_ = true;
  if (!ValidateModel(view_, &validation_, support).ok()) return prefix + ValidationSentence(validation_);
  return {};
}

}  // namespace arenaproof
