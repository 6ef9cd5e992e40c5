// A model file in memory, opened and validated, or the sentence about what is wrong with it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "core/model/validated_model.h"
#include "core/model/validation_report.h"
#include "tools/text/refusal_code.h"

namespace arenaproof {

// Files beyond this are refused unread.
inline constexpr std::size_t kMaxModelFileBytes = std::size_t{1} << 30;

// Empty when `path` is a readable regular file, else a sentence. (A pipe or a device would block or never end.)
std::string CannotRead(const std::filesystem::path& path, const std::string& what);

// "'PATH': SENTENCE", for a sentence about what is wrong with the file.
std::string InFile(const std::filesystem::path& path, const std::string& sentence);

class ModelFile {
 public:
  // Reads, opens and validates; what is no model by its size and its first bytes is not read. Returns a sentence on
  // failure, empty on success. With `support`, operators that it does not serve are a failure too.
  std::string Load(const std::filesystem::path& path, const OperatorSupport* support);

  // Once Load() has succeeded.
  const ValidatedModel& model() const { return *model_; }
  const ModelView& view() const { return view_; }
  // The view can be used although Load() failed: structure is sound, contents are not.
  bool opened() const { return opened_; }
  const ValidationReport& validation() const { return validation_; }
  // Why Load() failed: the status, where one says it, and its name for programs (tools/text/refusal_code.h).
  const Status& status() const { return status_; }
  const std::string& refusal_code() const { return refusal_code_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::string Refuse(ToolRefusal refusal, std::string sentence);
  std::string Refuse(const Status& status, std::string sentence);

  std::vector<std::byte> storage_;
  std::span<const std::byte> bytes_;  // the aligned part of storage_
  ModelView view_;
  bool opened_ = false;
  std::optional<ValidatedModel> model_;
  ValidationReport validation_;
  Status status_;
  std::string refusal_code_;
};

// The first byte of `storage` that is aligned to kModelAlignment; storage has kModelAlignment spare bytes.
std::byte* AlignedStart(std::span<std::byte> storage);

}  // namespace arenaproof
