#include "sanitizers/report/arena_map.h"

#include <algorithm>
#include <cstring>

namespace arenaproof {
namespace {

constexpr std::uintptr_t kGranule = 8;
constexpr std::uintptr_t kRowBytes = 16 * kGranule;
constexpr std::uintptr_t kMaxRows = 5;
constexpr char kTouched = '!';

struct Letter {
  char letter;
  const char* meaning;
};

// In the order of preference for a granule that holds bytes of several kinds.
constexpr Letter kLetters[] = {
    {'O', "the operand"},
    {'o', "its other operands"},
    {'L', "live tensor"},
    {'d', "dead tensor"},
    {'s', "scratch of others"},
    {'c', "other constant"},
    {'T', "temporary"},
    {'t', "tail"},
    {'q', "quantisation"},
    {'m', "model file"},
    {'#', "closed guard"},
    {'r', "reserved in front"},
    {'.', "gap"},
};

char LetterOf(const ByteOwner& owner, const OperandRange* charged) {
  switch (owner.state) {
    case ByteState::kOwnOperand:
      return owner.operand == charged ? 'O' : 'o';
    case ByteState::kLiveTensor:
      return 'L';
    case ByteState::kDeadTensor:
      return 'd';
    case ByteState::kScratch:
      return 's';
    case ByteState::kConstant:
      return 'c';
    case ByteState::kTemporary:
      return 'T';
    case ByteState::kTail:
      return 't';
    case ByteState::kModelFile:
      return 'm';
    case ByteState::kQuantization:
      return 'q';
    case ByteState::kGuard:
      return '#';
    case ByteState::kReserve:
      return 'r';
    case ByteState::kGap:
      break;
  }
  return '.';
}

std::size_t Rank(char letter) {
  std::size_t rank = 0;
  while (kLetters[rank].letter != letter) ++rank;
  return rank;
}

}  // namespace

std::vector<std::string> DrawArenaMap(const ByteRegistry& registry, const RunningOperator& running,
                                      const IllegalRun& run) {
  const OperandRange* charged = run.operand < 0 ? nullptr : &running.operands[static_cast<std::size_t>(run.operand)];
  std::uintptr_t from = run.begin, to = run.end;
  if (charged != nullptr && run.side == ViolationSide::kBefore) to = AddressOf(charged->data) + 1;
  if (charged != nullptr && run.side == ViolationSide::kAfter) from = AddressOf(charged->data) + charged->bytes - 1;
  // The edge of the operand and the furthest byte in view, with some granules on both sides.
  constexpr std::uintptr_t kMargin = 6 * kGranule;
  from = (from - kMargin) / kGranule * kGranule;
  std::uintptr_t rows = (to + kMargin - from + kRowBytes - 1) / kRowBytes;
  if (rows > kMaxRows) {
    if (run.side == ViolationSide::kAfter) from = (run.end - (kMaxRows - 1) * kRowBytes) / kGranule * kGranule;
    rows = kMaxRows;
  }

  std::vector<std::string> lines;
  std::size_t label_width = 0;
  std::vector<std::string> labels;
  for (std::uintptr_t row = 0; row < rows; ++row) {
    labels.push_back(registry.Place(reinterpret_cast<const std::byte*>(from + row * kRowBytes)));
    label_width = std::max(label_width, labels.back().size());
  }
  bool used[std::size(kLetters)] = {};
  std::size_t rank = 0;
  std::uintptr_t same_until = 0;  // asking of each byte anew costs more than all else that a self-test does
  for (std::uintptr_t row = 0; row < rows; ++row) {
    std::string line = labels[row] + std::string(label_width - labels[row].size() + 2, ' ');
    std::string marks(line.size(), ' ');
    for (std::uintptr_t column = 0; column < kRowBytes / kGranule; ++column) {
      const std::uintptr_t granule = from + row * kRowBytes + column * kGranule;
      const bool touched = granule < run.end && run.begin < granule + kGranule;
      std::size_t best = std::size(kLetters) - 1;
      for (std::uintptr_t address = granule; address < granule + kGranule; ++address) {
        if (address >= same_until) {
          const auto* const byte = reinterpret_cast<const std::byte*>(address);
          rank = Rank(LetterOf(registry.OwnerOf(byte, running), charged));
          same_until = registry.SameOwnerUntil(byte, running);
        }
        best = std::min(best, rank);
      }
      used[best] = true;
      if (column == kRowBytes / kGranule / 2) {
        line += ' ';
        marks += ' ';
      }
      line += kLetters[best].letter;
      marks += touched ? kTouched : ' ';
    }
    lines.push_back(line);
    marks.erase(marks.find_last_not_of(' ') + 1);
    if (!marks.empty()) lines.push_back(marks);
  }
  std::string legend = "8 bytes a letter:";
  for (std::size_t i = 0; i < std::size(kLetters); ++i) {
    if (used[i])
      legend += std::string(legend.back() == ':' ? " " : ", ") + kLetters[i].letter + " " + kLetters[i].meaning;
  }
  lines.push_back(legend + "; " + kTouched + " below: touched without right");
  return lines;
}

}  // namespace arenaproof
