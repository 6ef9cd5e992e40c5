#include <optional>
#include <string>

#include "core/base/checked_word.h"
#include "core/base/exact.h"
#include "props/proof/bit_word.h"
#include "props/proof/counterexample.h"
#include "props/proof/integer_word.h"
#include "props/proof/prove.h"

namespace arenaproof::proof {
namespace {

using Word = IntegerWord;

z3::expr Fitting(const z3::expr& exact) { return exact < Modulus(); }

void ProveAlign(Explorer& explorer) {
  explorer.Explore("AlignUp, AlignDown, DistanceToMultiple", [&] {
    const Word address = Variable("address");
    const Word alignment = Variable("alignment");
    const Checked<Word> up = AlignUp(address, alignment);
    if (!up.ok) {
      explorer.Prove("up: absent only if no word holds it",
                     alignment.value == 0 || !Fitting(ExactAlignUp(address, alignment).value));
      explorer.Cover("absent", alignment.value != 0);
      if (alignment == Word(0)) return;
    } else {
      explorer.Prove("up: the smallest multiple not below", up.value.value == ExactAlignUp(address, alignment).value);
      explorer.Prove("up: a multiple", IsMultiple(up.value, alignment).formula);
      explorer.Cover("up", up.value.value > address.value);
    }
    const Word down = AlignDown(address, alignment);
    explorer.Prove("down: the largest multiple not above", down.value == ExactAlignDown(address, alignment).value);
    explorer.Prove("down: a multiple", IsMultiple(down, alignment).formula);
    explorer.Prove("distance: exact", address.value + DistanceToMultiple(address, alignment).value ==
                                          ExactAlignUp(address, alignment).value);
  });
  explorer.FinishCovers();
}

void ProveBlocks(Explorer& explorer) {
  explorer.Explore("LowestBlock, HighestBlock, Fits", [&] {
    const Word low = Variable("low");
    const Word high = Variable("high");
    const Word size = Variable("size");
    const Word alignment = Variable("alignment");
    explorer.Assume(low.value <= high.value);
    const Checked<Word> lowest = LowestBlock(low, high, size, alignment);
    const Checked<Word> highest = HighestBlock(low, high, size, alignment);
    explorer.Prove(
        "all three agree whether there is one",
        explorer.context().bool_val(lowest.ok == highest.ok && lowest.ok == Fits(low, high, size, alignment)));
    const z3::expr other = ArbitraryMultiple("other", alignment.value);
    const z3::expr other_fits = alignment.value > 0 && other >= low.value && other + size.value <= high.value;
    if (!lowest.ok || !highest.ok) {
      explorer.Prove("absent only if there is none", !other_fits);
      return;
    }
    explorer.Cover("there is one with room to spare", lowest.value.value < highest.value.value);
    explorer.Prove("the lowest is inside and lowest",
                   low.value <= lowest.value.value && z3::implies(other_fits, lowest.value.value <= other));
    explorer.Prove("the highest is inside and highest", highest.value.value + size.value <= high.value &&
                                                            z3::implies(other_fits, highest.value.value >= other));
    explorer.Prove("both are aligned",
                   IsMultiple(lowest.value, alignment).formula && IsMultiple(highest.value, alignment).formula);
  });
  explorer.FinishCovers();
}

void ProveSums(Explorer& explorer) {
  explorer.Explore("CheckedAdd", [&] {
    const Word a = Variable("a");
    const Word b = Variable("b");
    const Checked<Word> sum = CheckedAdd(a, b);
    explorer.Prove("exact, absent only if no word holds it",
                   sum.ok ? sum.value.value == a.value + b.value : !Fitting(a.value + b.value));
    explorer.Cover(sum.ok ? "present" : "absent", explorer.context().bool_val(true));
  });
  explorer.FinishCovers();
  explorer.Explore("CheckedMultiply", [&] {
    const Word a = Variable("a");
    const Word b = Variable("b");
    const Checked<Word> product = CheckedMultiply(a, b);
    explorer.Prove("exact, absent only if no word holds it",
                   product.ok ? product.value.value == a.value * b.value : !Fitting(a.value * b.value));
  });
}

void Report(const Explorer& explorer, const std::string& obligation, const Numbers& numbers, Ledger* ledger) {
  std::string note = explorer.subject() + " at " + std::to_string(explorer.bits()) + " bits violates: " + obligation;
  note += numbers.empty() ? "\n  no small numbers found; the violation stands" : "\n  with";
  for (const auto& [name, value] : numbers) note += " " + name + "=" + std::to_string(value);
  ledger->Note(note + "\n");
}

// ---- the primitives, bit by bit

// The violation on the production primitive, as a line of a test.
template <ConcreteWord Word>
std::string WrongRemainder(const char* type) {
  const Word largest = Largest<Word>();
  for (const Word alignment : {Word{1}, Word{2}, Word{3}, Word{4}, Word{6}, Word{10}, Word{12}, Word{16}, largest}) {
    for (const Word address : {Word{0}, Word{1}, Word{2}, Word{3}, Word{5}, Word{9}, Word{15}, Word{100}, largest}) {
      const Word found = arenaproof::Remainder(address, alignment);
      if (found == address % alignment) continue;
      const std::string arguments = std::to_string(address) + "u, " + std::to_string(alignment) + "u";
      return std::string("\n  reproduced on the production arithmetic, which gives ") + std::to_string(found) +
             ":\n  EXPECT_EQ(Remainder<" + type + ">(" + arguments + "), " + std::to_string(address % alignment) +
             "u);";
    }
  }
  return "\n  not reproduced with the usual small numbers; the violation stands";
}

void ReportBits(Explorer& explorer, const std::string& obligation, Ledger* ledger) {
  const z3::model model = explorer.solver().get_model();
  Numbers numbers;
  for (unsigned i = 0; i < model.num_consts(); ++i) {
    const z3::func_decl constant = model.get_const_decl(i);
    std::uint64_t value = 0;
    if (model.get_const_interp(constant).is_numeral_u64(value)) numbers.emplace_back(constant.name().str(), value);
  }
  const bool about_remainder = explorer.subject().starts_with("Remainder");
  const std::string replayed = !about_remainder        ? ""
                               : explorer.bits() == 32 ? WrongRemainder<std::uint32_t>("std::uint32_t")
                                                       : WrongRemainder<std::uint64_t>("std::uint64_t");
  Report(explorer, obligation + replayed, numbers, ledger);
}

z3::expr BitVariable(Explorer& explorer, const char* name) {
  return explorer.context().bv_const(name, explorer.bits());
}

// Stated bit by bit, not with a mask: the low k bits of `word` are clear.
z3::expr LowBitsClear(const z3::expr& word, unsigned k) {
  if (k == 0) return word.ctx().bool_val(true);
  return word.extract(k - 1, 0) == word.ctx().bv_val(0, k);
}

void ProveRemainderOfPowers(Explorer& explorer) {
  for (unsigned k = 0; k < explorer.bits(); ++k) {
    explorer.Explore("Remainder by a power of two", [&] {
      const BitWord address(BitVariable(explorer, "address"));
      const BitWord alignment(BitVariable(explorer, "alignment"));
      explorer.Assume(alignment.value == BitWord(std::uint64_t{1} << k).value);
      const z3::expr remainder = arenaproof::Remainder(address, alignment).value;
      explorer.Prove("less than the alignment", z3::ult(remainder, alignment.value));
      explorer.Prove("not above the address", z3::ule(remainder, address.value));
      explorer.Prove("the rest is a multiple", LowBitsClear(address.value - remainder, k));
    });
  }
}

void ProveRemainderOtherwise(Explorer& explorer) {
  explorer.Explore("Remainder otherwise", [&] {
    const BitWord address(BitVariable(explorer, "address"));
    const BitWord alignment(BitVariable(explorer, "alignment"));
    explorer.Assume(alignment.value != 0);
    z3::expr power = explorer.context().bool_val(false);
    for (unsigned k = 0; k < explorer.bits(); ++k) {
      power = power || alignment.value == BitWord(std::uint64_t{1} << k).value;
    }
    const z3::expr remainder = arenaproof::Remainder(address, alignment).value;
    const bool is_language_operator = z3::eq(remainder, z3::urem(address.value, alignment.value));
    if (is_language_operator) {
      explorer.Cover("division", explorer.context().bool_val(true));
    } else {
      explorer.Prove("exactly address % alignment, unless the alignment is a power of two", power);
      explorer.Cover("mask", explorer.context().bool_val(true));
    }
  });
  explorer.ExpectCover("division");
  explorer.FinishCovers();
}

void ProveRemainderByConstants(Explorer& explorer) {
  for (const std::uint64_t constant : {3ull, 5ull, 6ull, 12ull, 24ull, 48ull, ~0ull}) {
    explorer.Explore("Remainder by a constant", [&] {
      const BitWord address(BitVariable(explorer, "address"));
      const BitWord alignment(constant);
      const z3::expr remainder = arenaproof::Remainder(address, alignment).value;
      const std::string by = constant == ~0ull ? "by the largest word" : "by " + std::to_string(constant);
      // The quotient by that constant, twice as wide, so that the product is exact.
      const z3::expr quotient = z3::udiv(address.value, alignment.value);
      const unsigned more = explorer.bits();
      explorer.Prove(by + ": quotient * constant + remainder is the address, remainder < constant",
                     z3::ult(remainder, alignment.value) && z3::ule(remainder, address.value) &&
                         z3::zext(quotient, more) * z3::zext(alignment.value, more) + z3::zext(remainder, more) ==
                             z3::zext(address.value, more));
    });
  }
}

void ProveToggle(Explorer& explorer) {
  explorer.Explore("Toggle", [&] {
    const BitWord x(BitVariable(explorer, "x"));
    const BitWord y(BitVariable(explorer, "y"));
    const BitWord z(BitVariable(explorer, "z"));
    explorer.Prove("toggling twice takes out", arenaproof::Toggle(arenaproof::Toggle(x, y), y).value == x.value);
    explorer.Prove("the order does not matter", arenaproof::Toggle(arenaproof::Toggle(x, y), z).value ==
                                                    arenaproof::Toggle(arenaproof::Toggle(x, z), y).value);
    explorer.Prove("from 0 it is the address", arenaproof::Toggle(BitWord(0), y).value == y.value);
    explorer.Prove("it changes the checksum, unless the address is 0",
                   (arenaproof::Toggle(x, y).value == x.value) == (y.value == BitWord(0).value));
  });
}

}  // namespace

void ForEachWidth(const ProofOptions& options, Ledger* ledger, const std::function<void(Explorer&)>& prove) {
  if (!options.operation.empty()) return;
  for (const unsigned bits : {32u, 64u}) {
    if (bits == 32 ? !options.bits32 : !options.bits64) continue;
    Explorer explorer(bits, std::to_string(bits) + "-bit", ledger);
    explorer.on_path_begins = ForgetDrawn;
    explorer.dump_folder = options.dump_folder;
    prove(explorer);
    ForgetDrawn();
  }
}

void ProveWords(const ProofOptions& options, Ledger* ledger) {
  ForEachWidth(options, ledger, [&](Explorer& explorer) {
    explorer.on_violation = [&](const std::string& obligation) {
      const std::optional<Numbers> numbers = FindSmallNumbers(explorer);
      Report(explorer, obligation, numbers ? *numbers : Numbers{}, ledger);
    };
    ProveAlign(explorer);
    ProveBlocks(explorer);
    ProveSums(explorer);
  });
}

void ProvePrimitives(const ProofOptions& options, Ledger* ledger) {
  ForEachWidth(options, ledger, [&](Explorer& explorer) {
    bool reported = false;  // 64 powers fail alike
    explorer.on_violation = [&](const std::string& obligation) {
      if (!reported) ReportBits(explorer, obligation, ledger);
      reported = true;
    };
    ProveRemainderOfPowers(explorer);
    ProveRemainderOtherwise(explorer);
    if (options.full) ProveRemainderByConstants(explorer);
    ProveToggle(explorer);
  });
}

}  // namespace arenaproof::proof
