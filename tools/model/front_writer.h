// Bytes that are to stand in front of an existing flatbuffer, with references into it. How long they become is known
// only at the end, so references to the old file are filled in then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace arenaproof {

class FrontWriter {
 public:
  std::size_t position() const { return bytes_.size(); }

  // Zeros up to the next position that is `rest` beyond a multiple of `alignment`.
  void Align(std::size_t alignment, std::size_t rest = 0) {
    while (bytes_.size() % alignment != rest) bytes_.push_back(std::byte{0});
  }

  template <typename Word>
  std::size_t Put(Word word) {
    const std::size_t at = position();
    bytes_.resize(at + sizeof word);
    Set(at, word);
    return at;
  }

  template <typename Word>
  void Set(std::size_t at, Word word) {
    std::memcpy(bytes_.data() + at, &word, sizeof word);
  }

  void PutBytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  // A forward reference to something that is written later, once SetReference gives its position.
  std::size_t PutReference() { return Put(std::uint32_t{0}); }
  void SetReference(std::size_t at, std::size_t target) { Set(at, static_cast<std::uint32_t>(target - at)); }

  // A forward reference to a position in the old file.
  void PutOldReference(std::size_t old_position) { old_references_.push_back({PutReference(), old_position}); }

  // The front, filled up to a multiple of `alignment`, with its references to an old file that follows it.
  std::vector<std::byte> Finish(std::size_t alignment) {
    Align(alignment);
    for (const OldReference& reference : old_references_) {
      SetReference(reference.at, bytes_.size() + reference.old_position);
    }
    return std::move(bytes_);
  }

 private:
  struct OldReference {
    std::size_t at;
    std::size_t old_position;
  };
  std::vector<std::byte> bytes_;
  std::vector<OldReference> old_references_;
};

}  // namespace arenaproof
