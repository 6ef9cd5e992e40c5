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

#include "tools/model/damaged_place.h"
#include "tools/text/sentences.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {
namespace {

// Where the file is damaged; the verifier's status only states that it is.
std::string StructureSentence(std::span<const std::byte> file, const Status& status) {
  const auto place = LocateDamage(file, {.most_tables = status.detail[1], .most_depth = status.detail[2]});
  return place ? DamageSentence(*place) : Sentence(status);
}

}  // namespace

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

std::string ModelFile::Refuse(ToolRefusal refusal, std::string sentence) {
  refusal_code_ = RefusalCode(refusal);
  return sentence;
}

std::string ModelFile::Refuse(const Status& status, std::string sentence) {
  status_ = status;
  refusal_code_ = RefusalCode(status.code);
  return sentence;
}

std::string ModelFile::Load(const std::filesystem::path& path, const OperatorSupport* support) {
  if (std::string problem = CannotRead(path, "MODEL is the path of a .tflite file"); !problem.empty()) {
    return Refuse(ToolRefusal::kFileUnreadable, problem);
  }
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxModelFileBytes) {
    return Refuse(ToolRefusal::kFileTooLarge, "'" + path.string() + "' has " + std::to_string(size) +
                                                  " bytes; models of at most " + std::to_string(kMaxModelFileBytes) +
                                                  " bytes are read");
  }
  const auto count = static_cast<std::size_t>(size);
  std::ifstream file(path, std::ios::binary);
  std::array<std::byte, 8> first{};
  const std::size_t first_count = std::min(count, first.size());
  file.read(reinterpret_cast<char*>(first.data()), static_cast<std::streamsize>(first_count));
  if (const Status status = ModelView::CheckHeader(std::span(first).first(first_count)); !status.ok()) {
    return Refuse(status, InFile(path, Sentence(status)));
  }
  storage_.assign(count + kModelAlignment, std::byte{0});
  std::byte* const start = AlignedStart(storage_);
  file.clear();
  file.seekg(0);
  file.read(reinterpret_cast<char*>(start), static_cast<std::streamsize>(count));
  if (file.gcount() != static_cast<std::streamsize>(count)) {
    return Refuse(ToolRefusal::kFileUnreadable, "'" + path.string() + "' cannot be read to its end");
  }
  bytes_ = {start, count};

  if (const Status status = ModelView::Open(bytes_, &view_); !status.ok()) {
    const bool damaged = status.code == StatusCode::kModelStructure;
    return Refuse(status, InFile(path, damaged ? StructureSentence(bytes_, status) : Sentence(status)));
  }
  opened_ = true;
  model_ = ValidatedModel::Of(view_, &validation_, support);
  if (!model_) return Refuse(validation_.status, InFile(path, ValidationSentence(validation_)));
  return {};
}

}  // namespace arenaproof
