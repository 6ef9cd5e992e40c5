#include "props/proof/counterexample.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

#include "core/arena/step.h"
#include "props/proof/integer_word.h"

namespace arenaproof::proof {
namespace {

constexpr std::array kNames = {
    "begin",     "head_end", "temporary_end",   "tail_begin", "end",       "temporary_count", "temporary_checksum",
    "tail_mark", "marked",   "resizable_taken", "size",       "alignment", "address"};
constexpr std::size_t kStateNames = 10;

std::uint64_t ValueOf(const Numbers& numbers, const std::string& name) {
  for (const auto& [known, value] : numbers) {
    if (known == name) return value;
  }
  return 0;
}

std::uint64_t Evaluate(const z3::model& model, const z3::expr& variable) {
  std::uint64_t value = 0;
  model.eval(variable, true).is_numeral_u64(value);
  return value;
}

// Fixes the alignment and replaces what `Multiple` may mean by what it does mean.
void UseRealDivisibility(Explorer& explorer, const std::optional<std::uint64_t>& alignment) {
  z3::context& context = explorer.context();
  const Drawn& drawn = DrawnOnThisPath();
  z3::expr_vector from(context);
  z3::expr_vector to(context);
  for (const auto& [name, variable] : drawn.variables) {
    if (name != "alignment" || !alignment) continue;
    const z3::expr number = context.int_val(*alignment);
    explorer.solver().add(variable == number);
    from.push_back(variable);
    to.push_back(number);
  }
  const z3::func_decl multiple =
      context.function("Multiple", context.int_sort(), context.int_sort(), context.bool_sort());
  const auto real = [&](const z3::expr& x, const z3::expr& a) {
    const z3::expr step = z3::expr(a).substitute(from, to).simplify();
    std::uint64_t number = 0;
    if (!step.is_numeral_u64(number) || number == 0) return context.bool_val(true);
    return z3::mod(x, step) == 0;
  };
  for (const auto& [x, a] : drawn.multiples) explorer.solver().add(real(x, a));
  for (const auto& [x, a] : drawn.claims) explorer.solver().add(multiple(x, a) == real(x, a));
}

bool Possible(Explorer& explorer) { return explorer.solver().check() == z3::sat; }

// The least value of `variable` up to `bound` that leaves the violation possible; then fixes it.
void Lower(Explorer& explorer, const z3::expr& variable, std::uint64_t bound) {
  z3::context& context = explorer.context();
  const auto possible_up_to = [&](std::uint64_t limit) {
    explorer.solver().push();
    explorer.solver().add(variable <= context.int_val(limit));
    const bool possible = Possible(explorer);
    explorer.solver().pop();
    return possible;
  };
  if (possible_up_to(bound)) {
    std::uint64_t low = 0;
    std::uint64_t high = bound;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (possible_up_to(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    explorer.solver().add(variable == context.int_val(low));
    return;
  }
  if (Possible(explorer)) {
    explorer.solver().add(variable == context.int_val(Evaluate(explorer.solver().get_model(), variable)));
  }
}

template <ConcreteWord Word>
std::optional<std::string> ReplayAt(const Counterexample& example) {
  const auto word = [&](const char* name) { return static_cast<Word>(ValueOf(example.numbers, name)); };
  const ArenaState<Word> before{word("begin"),
                                word("head_end"),
                                word("temporary_end"),
                                word("tail_begin"),
                                word("end"),
                                word("temporary_count"),
                                word("temporary_checksum"),
                                word("tail_mark"),
                                word("marked") != 0,
                                word("resizable_taken") != 0,
                                example.kind};
  if (FirstBroken(before) != nullptr) return std::nullopt;  // no state the arena can be in
  const char* broken = FirstBroken(Step(before, example.operation, {word("size"), word("alignment"), word("address")}));
  if (broken == nullptr) return std::nullopt;
  return broken;
}

}  // namespace

std::optional<Numbers> FindSmallNumbers(Explorer& explorer) {
  z3::solver& solver = explorer.solver();
  z3::context& context = explorer.context();
  const auto& variables = DrawnOnThisPath().variables;
  const bool has_alignment = std::any_of(variables.begin(), variables.end(),
                                         [](const auto& variable) { return variable.first == "alignment"; });
  std::vector<std::optional<std::uint64_t>> alignments = {1, 2, 4, 8, 16, 3, 12, 0, 64, std::uint64_t{1} << 31};
  if (!has_alignment) alignments = {std::nullopt};

  for (const std::uint64_t bound : {16u, 64u, 1024u, 65536u}) {
    for (const std::optional<std::uint64_t>& alignment : alignments) {
      solver.push();
      UseRealDivisibility(explorer, alignment);
      for (const auto& [name, variable] : variables) {
        if (name == "alignment") continue;
        solver.add(variable <= context.int_val(bound) || variable >= Modulus() - context.int_val(bound));
      }
      std::optional<Numbers> numbers;
      if (Possible(explorer)) {
        for (const auto& [name, variable] : variables) Lower(explorer, variable, bound);
        if (Possible(explorer)) {
          const z3::model model = solver.get_model();
          numbers.emplace();
          for (const auto& [name, variable] : variables) numbers->emplace_back(name, Evaluate(model, variable));
        }
      }
      solver.pop();
      if (numbers) return numbers;
    }
  }
  return std::nullopt;
}

std::string ReplayLine(const Counterexample& example) {
  std::string line = std::string(Describe(example.operation).name) + " bits=" + std::to_string(example.bits);
  if (example.kind != ArenaKind::kSingle) line += " kind=" + std::to_string(static_cast<unsigned>(example.kind));
  for (const char* name : kNames) {
    const std::uint64_t value = ValueOf(example.numbers, name);
    if (value != 0) line += std::string(" ") + name + "=" + std::to_string(value);
  }
  return line;
}

Counterexample ParseReplayLine(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  const auto descriptor = std::find_if(kOperationTable.begin(), kOperationTable.end(),
                                       [&](const OperationDescriptor& each) { return word == each.name; });
  if (descriptor == kOperationTable.end()) throw std::invalid_argument("no operation is called '" + word + "'");
  Counterexample example{descriptor->operation, 64, ArenaKind::kSingle, {}};
  while (words >> word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool known =
        name == "bits" || name == "kind" || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
    std::size_t used = 0;
    std::uint64_t value = 0;
    if (known && equals != std::string::npos && equals + 1 < word.size()) {
      value = std::stoull(word.substr(equals + 1), &used, 0);
    }
    if (used == 0 || equals + 1 + used != word.size()) throw std::invalid_argument("cannot read '" + word + "'");
    if (name == "bits") {
      if (value != 32 && value != 64) throw std::invalid_argument("bits is 32 or 64");
      example.bits = static_cast<unsigned>(value);
    } else if (name == "kind") {
      if (value > 2) throw std::invalid_argument("kind is 0 (single), 1 (persistent) or 2 (non-persistent)");
      example.kind = static_cast<ArenaKind>(value);
    } else {
      example.numbers.emplace_back(name, value);
    }
  }
  return example;
}

std::optional<std::string> Replay(const Counterexample& example) {
  return example.bits == 32 ? ReplayAt<std::uint32_t>(example) : ReplayAt<std::uint64_t>(example);
}

std::string AsTest(const Counterexample& example) {
  const auto number = [&](const char* name) { return std::to_string(ValueOf(example.numbers, name)) + "u"; };
  const std::string word = example.bits == 32 ? "std::uint32_t" : "std::uint64_t";
  const std::string operation = Describe(example.operation).name;
  std::string text = "TEST(ArenaCounterexample, " + operation + std::to_string(example.bits) + ") {\n";
  text += "  const ArenaState<" + word + "> before{";
  for (std::size_t i = 0; i < kStateNames; ++i) {
    text += (i == 0 ? "" : ", ") + number(kNames[i]) + (i >= kStateNames - 2 ? " != 0" : "");
  }
  text += ", static_cast<ArenaKind>(" + std::to_string(static_cast<unsigned>(example.kind)) +
          ")};\n  ASSERT_STREQ(FirstBroken(before), nullptr);\n";
  text += "  EXPECT_STREQ(FirstBroken(Step<" + word + ">(before, Operation::k" + operation + ", {" + number("size") +
          ", " + number("alignment") + ", " + number("address") + "})), nullptr);\n}\n";
  return text;
}

}  // namespace arenaproof::proof
