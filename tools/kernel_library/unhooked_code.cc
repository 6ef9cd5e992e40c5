#include "tools/kernel_library/unhooked_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace arenaproof {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view WithoutBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// "0000000000001180 <name>:" begins a function; empty otherwise.
std::string_view NameOfFunction(std::string_view line) {
  const std::size_t open = line.find(" <");
  const bool digits = !line.empty() && line.find_first_not_of("0123456789abcdef") == open;
  return digits && open != std::string_view::npos && line.ends_with(">:")
             ? line.substr(open + 2, line.size() - open - 4)
             : std::string_view();
}

// Behind "    1180:"; empty where the line is none of an instruction.
std::string_view InstructionOf(std::string_view line) {
  const std::string_view text = WithoutBlanks(line);
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos) return {};
  if (text.substr(0, colon).find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  return WithoutBlanks(text.substr(colon + 1));
}

struct Instruction {
  std::string_view name, operands;
  bool repeats = false;
};

Instruction Parsed(std::string_view text) {
  Instruction instruction;
  if (const std::size_t comment = text.find('#'); comment != std::string_view::npos) text = text.substr(0, comment);
  while (true) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    instruction.name = text.substr(0, end);
    text = WithoutBlanks(text.substr(end));
    const bool prefix = instruction.name.starts_with("rep") || instruction.name == "lock" ||
                        instruction.name == "data16" || instruction.name == "cs" || instruction.name == "notrack" ||
                        instruction.name == "bnd";
    if (!prefix) break;
    instruction.repeats |= instruction.name.starts_with("rep");
    if (text.empty()) break;
  }
  instruction.operands = text;
  return instruction;
}

// What a memory operand's parentheses hold, "%rdi,%rcx,4", or ",%rcx,4" without a base; empty: there is none.
std::string_view AddressOf(std::string_view operands) {
  std::size_t open = operands.find('(');
  while (open != std::string_view::npos && operands.find_first_of("%,", open) != open + 1) {
    open = operands.find('(', open + 1);  // "%st(1)" is a register
  }
  if (open == std::string_view::npos) return {};
  return operands.substr(open + 1, std::min(operands.find(')', open), operands.size()) - open - 1);
}

bool IsOfTheStackOrCode(std::string_view address, bool has_frame) {
  for (const std::string_view base : {"%rsp", "%rip", "%esp", "%eip"}) {
    if (address.starts_with(base)) return true;
  }
  return has_frame && address.starts_with("%rbp");
}

// The table is at %rbx, which LLVM's disassembler leaves out.
bool IsTableLookUp(std::string_view name) { return name.starts_with("xlat"); }

// An instruction with a memory operand that touches no memory, or whose access is part of the jump.
bool TouchesNothing(std::string_view name) {
  return name.starts_with("lea") || name.find("nop") != std::string_view::npos || name.starts_with("prefetch") ||
         name.starts_with("call") || name.starts_with("jmp");
}

// "vpmovdb", "vpmovsqw", "vpmovuswb": lanes to narrower ones; those that widen have an x or a z before the letters.
bool IsNarrowingMove(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kLetters = {"wb", "db", "dw", "qb", "qw", "qd"};
  if (!name.starts_with("vpmov")) return false;
  name.remove_prefix(5);
  for (const std::string_view saturating : {"us", "s"}) {
    if (name.starts_with(saturating)) {
      name.remove_prefix(saturating.size());
      break;
    }
  }
  return std::find(kLetters.begin(), kLetters.end(), name) != kLetters.end();
}

// Why the compiler may not have hooked it; empty: it does.
std::string_view MayBeUnhooked(const Instruction& instruction) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "vgather",    "vpgather", "vscatter", "vpscatter", "vmaskmov", "vpmaskmov", "maskmov",   "vcompress",
      "vpcompress", "vexpand",  "vpexpand", "lddqu",     "vlddqu",   "tileload",  "tilestore", "movdir"};
  const std::string_view name = instruction.name;
  const bool named =
      std::any_of(kNames.begin(), kNames.end(), [&](std::string_view one) { return name.starts_with(one); });
  const bool narrowed = IsNarrowingMove(name);
  const bool implicit = name.find("maskmovdqu") != std::string_view::npos || name == "maskmovq" || IsTableLookUp(name);
  const bool masked = instruction.operands.find("{%k") != std::string_view::npos;
  const bool memory = !AddressOf(instruction.operands).empty();
  const bool text =
      instruction.operands.find("%es:(") != std::string_view::npos || instruction.repeats || name.starts_with("lods");
  return ((named || masked || narrowed) && memory) || implicit || (text && !name.starts_with("ret"))
             ? name
             : std::string_view();
}

struct Function {
  std::string_view name, instruction;
  bool hooked = false, touches = false, has_frame = false;

  // %rbp is the stack's from where it is made of %rsp until it is made of something else. What takes the caller's back
  // before a return does not end that: other ways through the function may follow.
  void TakeFrame(const Instruction& next) {
    const bool moves = next.name.starts_with("mov"), loads = next.name.starts_with("lea");
    if ((!moves && !loads) || !next.operands.ends_with("%rbp")) return;
    has_frame = next.operands.starts_with("%rsp") || (loads && AddressOf(next.operands) == "%rsp");
  }

  void Take(const Instruction& next) {
    if (next.operands.find("<__asan_") != std::string_view::npos) hooked = true;
    if (const std::string_view why = MayBeUnhooked(next); instruction.empty()) instruction = why;
    const std::string_view address = AddressOf(next.operands);
    touches |= IsTableLookUp(next.name) ||
               (!address.empty() && !IsOfTheStackOrCode(address, has_frame) && !TouchesNothing(next.name));
    TakeFrame(next);
  }

  void AddTo(std::vector<UnhookedCode>& all) const {
    const bool unhooked = touches && !hooked;
    const bool of_the_instrument = name.starts_with("__asan_");  // its runtime's part of every library
    if (name.empty() || of_the_instrument || (!unhooked && instruction.empty())) return;
    all.push_back({std::string(name), unhooked ? "is compiled without hooks"
                                               : "has the instruction " + std::string(instruction) +
                                                     ", which the compiler may not have hooked"});
  }
};

}  // namespace

std::vector<UnhookedCode> UnhookedFunctions(std::string_view disassembly) {
  std::vector<UnhookedCode> all;
  Function function;
  while (!disassembly.empty()) {
    const std::string_view line = disassembly.substr(0, disassembly.find('\n'));
    disassembly.remove_prefix(std::min(line.size() + 1, disassembly.size()));
    if (const std::string_view name = NameOfFunction(line); !name.empty()) {
      function.AddTo(all);
      function = {};
      function.name = name;
    } else if (const std::string_view text = InstructionOf(line); !text.empty()) {
      function.Take(Parsed(text));
    }
  }
  function.AddTo(all);
  return all;
}

}  // namespace arenaproof
