#include "tools/model/operator_board.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

namespace arenaproof {

void OperatorBoard::Write(const char* from, Name& name) {
  for (std::atomic<char>& letter : name) {
    letter.store(*from, std::memory_order_relaxed);
    if (*from == '\0') break;
    ++from;
  }
}

std::string OperatorBoard::ReadName(const Name& name) {
  std::string text;
  for (const std::atomic<char>& byte : name) {
    const char letter = byte.load(std::memory_order_relaxed);
    if (letter == '\0') break;
    text += letter;
  }
  return text;
}

void OperatorBoard::BeginLibraryCall(LibraryCall call, const char* subject) {
  Write(subject, library_subject_);
  library_call_.store(static_cast<std::uint32_t>(call), std::memory_order_release);
}

void OperatorBoard::EndLibraryCall() {
  library_call_.store(static_cast<std::uint32_t>(LibraryCall::kNone), std::memory_order_release);
}

void OperatorBoard::Begin(const OperatorScope& scope) {
  begun_count_.store(begun_count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  const std::uint32_t depth = depth_.load(std::memory_order_relaxed);
  if (depth < kMostNested) {
    Entry& entry = entries_[depth];
    entry.phase.store(static_cast<std::uint32_t>(scope.phase), std::memory_order_relaxed);
    entry.subgraph.store(static_cast<std::uint32_t>(scope.subgraph), std::memory_order_relaxed);
    entry.operator_index.store(static_cast<std::uint32_t>(scope.operator_index), std::memory_order_relaxed);
    Write(scope.operator_name, entry.name);
    Write(scope.kernel_name, entry.kernel);
  }
  depth_.store(depth + 1, std::memory_order_release);
}

void OperatorBoard::End() {
  const std::uint32_t depth = depth_.load(std::memory_order_relaxed);
  if (depth > 0) depth_.store(depth - 1, std::memory_order_release);
}

ActiveOperator OperatorBoard::ReadEntry(const Entry& entry) {
  ActiveOperator one;
  one.phase = static_cast<OperatorPhase>(std::min<std::uint32_t>(entry.phase.load(std::memory_order_relaxed),
                                                                 static_cast<std::uint32_t>(OperatorPhase::kInvoke)));
  one.subgraph = static_cast<std::int32_t>(entry.subgraph.load(std::memory_order_relaxed));
  one.operator_index = static_cast<std::int32_t>(entry.operator_index.load(std::memory_order_relaxed));
  one.name = ReadName(entry.name);
  one.kernel = ReadName(entry.kernel);
  return one;
}

ActiveOperators OperatorBoard::Read() const {
  ActiveOperators running;
  const std::size_t depth = std::min<std::size_t>(depth_.load(std::memory_order_acquire), kMostNested);
  for (std::size_t i = 0; i < depth; ++i) running.nested.push_back(ReadEntry(entries_[i]));
  running.begun_count = begun_count_.load(std::memory_order_relaxed);
  if (depth == 0 && running.begun_count > 0) running.last = ReadEntry(entries_.front());
  running.library_call = static_cast<LibraryCall>(
      std::min(library_call_.load(std::memory_order_acquire), static_cast<std::uint32_t>(LibraryCall::kFree)));
  if (running.library_call != LibraryCall::kNone) running.library_subject = ReadName(library_subject_);
  return running;
}

OperatorBoard& BoardOfParent() {
  static OperatorBoard own;
  static OperatorBoard* const board = [] {
    struct stat status{};
    if (fstat(kOperatorBoardDescriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size != static_cast<off_t>(sizeof(OperatorBoard))) {
      return &own;
    }
    void* const memory =
        mmap(nullptr, sizeof(OperatorBoard), PROT_READ | PROT_WRITE, MAP_SHARED, kOperatorBoardDescriptor, 0);
    return memory == MAP_FAILED ? &own : static_cast<OperatorBoard*>(memory);
  }();
  return *board;
}

}  // namespace arenaproof
