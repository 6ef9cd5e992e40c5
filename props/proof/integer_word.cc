#include "props/proof/integer_word.h"

#include <stdexcept>

namespace arenaproof::proof {
namespace {

struct Rounding {  // one drawn rounding of (what, by)
  z3::expr what;
  z3::expr by;
  z3::expr result;
};

struct Path {
  Drawn drawn;
  std::vector<Rounding> remainders;
  std::vector<Rounding> ups;
  std::vector<Rounding> downs;
  std::vector<Rounding> toggles;
  unsigned fresh = 0;
};

Path path;

z3::context& Context() { return Explorer::Current().context(); }

z3::expr Integer(std::uint64_t number) { return Context().int_val(number); }

z3::expr Fresh(const std::string& name) {
  return Context().int_const((name + "!" + std::to_string(path.fresh++)).c_str());
}

bool Same(const z3::expr& a, const z3::expr& b) { return z3::eq(a, b); }

const z3::expr* Find(const std::vector<Rounding>& known, const z3::expr& what, const z3::expr& by) {
  for (const Rounding& rounding : known) {
    if (Same(rounding.what, what) && Same(rounding.by, by)) return &rounding.result;
  }
  return nullptr;
}

z3::expr Multiple(const z3::expr& x, const z3::expr& a) {
  z3::context& context = Context();
  return context.function("Multiple", context.int_sort(), context.int_sort(), context.bool_sort())(x, a);
}

// Two multiples of `a` are equal or at least `a` apart.
z3::expr Apart(const z3::expr& x, const z3::expr& y, const z3::expr& a) { return x == y || x >= y + a || y >= x + a; }

// `x` is a multiple of `a` wherever a > 0: states it with its instances of the three facts.
void KnowMultiple(const z3::expr& x, const z3::expr& a) {
  Explorer& explorer = Explorer::Current();
  for (const auto& [known, by] : path.drawn.multiples) {
    if (Same(known, x) && Same(by, a)) return;
  }
  z3::expr facts = Multiple(x, a) && Multiple(x + a, a) && Apart(x, Integer(0), a);
  for (const auto& [known, by] : path.drawn.multiples) {
    if (!Same(by, a)) continue;
    // Nothing new follows from x + a and known + a: both are shifted by the same a.
    facts = facts && Apart(x, known, a) && Apart(x + a, known, a) && Apart(x, known + a, a);
  }
  explorer.Assume(a <= 0 || facts);
  path.drawn.multiples.emplace_back(x, a);
}

z3::expr InRange(const z3::expr& x) { return x >= 0 && x < Modulus(); }

}  // namespace

z3::expr Modulus() {
  switch (Explorer::Current().bits()) {
    case 32:
      return Context().int_val("4294967296");
    case 64:
      return Context().int_val("18446744073709551616");
    default:
      throw std::logic_error("words have 32 or 64 bits");
  }
}

IntegerWord::IntegerWord(std::uint64_t number) : value(Integer(number)) {}

IntegerWord operator+(const IntegerWord& a, const IntegerWord& b) {
  const z3::expr sum = a.value + b.value;
  return IntegerWord(z3::ite(sum >= Modulus(), sum - Modulus(), sum).simplify());
}

IntegerWord operator-(const IntegerWord& a, const IntegerWord& b) {
  const z3::expr difference = a.value - b.value;
  return IntegerWord(z3::ite(difference < 0, difference + Modulus(), difference).simplify());
}

// Only the lowest bits of the product are left; how many times 2^bits fits into it is some number.
IntegerWord operator*(const IntegerWord& a, const IntegerWord& b) {
  const z3::expr product = a.value * b.value;
  const z3::expr wrapped = Fresh("wrapped_product");
  const z3::expr wraps = Fresh("wraps");
  Explorer::Current().Assume(InRange(wrapped) && wraps >= 0);
  Explorer::Current().Assume(z3::ite(product < Modulus(), wrapped == product, wrapped + wraps * Modulus() == product));
  return IntegerWord(wrapped);
}

// Defined by multiplication: the largest q with q * b <= a.
IntegerWord operator/(const IntegerWord& a, const IntegerWord& b) {
  const z3::expr quotient = Fresh("quotient");
  Explorer::Current().Assume(InRange(quotient));
  Explorer::Current().Assume(b.value == 0 || (quotient * b.value <= a.value && a.value < quotient * b.value + b.value));
  return IntegerWord(quotient);
}

IntegerWord operator~(const IntegerWord& a) { return IntegerWord((Modulus() - 1 - a.value).simplify()); }

IntegerWord Select(const Condition& condition, const IntegerWord& a, const IntegerWord& b) {
  return IntegerWord(z3::ite(condition.formula, a.value, b.value));
}

IntegerWord Remainder(const IntegerWord& address, const IntegerWord& alignment) {
  const z3::expr what = address.value.simplify();
  const z3::expr by = alignment.value.simplify();
  if (const z3::expr* known = Find(path.remainders, what, by)) return IntegerWord(*known);
  const z3::expr remainder = Fresh("remainder");
  Explorer::Current().Assume(InRange(remainder));
  Explorer::Current().Assume(by <= 0 || (remainder < by && remainder <= what));
  path.remainders.push_back({what, by, remainder});
  KnowMultiple(what - remainder, by);
  return IntegerWord(remainder);
}

IntegerWord Toggle(const IntegerWord& checksum, const IntegerWord& address) {
  z3::context& context = Context();
  const z3::func_decl toggle = context.function("Toggle", context.int_sort(), context.int_sort(), context.int_sort());
  const z3::expr result = toggle(checksum.value, address.value);
  Explorer::Current().Assume(InRange(result) && (result == checksum.value) == (address.value == 0) &&
                             (checksum.value != 0 || result == address.value));
  for (const Rounding& earlier : path.toggles) {  // toggling by the same address again takes it out
    Explorer::Current().Assume(
        z3::implies(checksum.value == earlier.result && address.value == earlier.by, result == earlier.what));
  }
  path.toggles.push_back({checksum.value, address.value, result});
  return IntegerWord(result);
}

Condition IsMultiple(const IntegerWord& address, const IntegerWord& alignment) {
  path.drawn.claims.emplace_back(address.value, alignment.value);
  return {alignment.value > 0 && Multiple(address.value, alignment.value)};
}

ExactInteger ExactAlignUp(const IntegerWord& address, const IntegerWord& alignment) {
  const z3::expr what = address.value.simplify();
  const z3::expr by = alignment.value.simplify();
  if (const z3::expr* known = Find(path.ups, what, by)) return {*known};
  const z3::expr up = Fresh("up");
  Explorer::Current().Assume(z3::ite(by <= 0, up == what, up >= what && up < what + by));
  path.ups.push_back({what, by, up});
  KnowMultiple(up, by);
  return {up};
}

ExactInteger ExactAlignDown(const IntegerWord& address, const IntegerWord& alignment) {
  const z3::expr what = address.value.simplify();
  const z3::expr by = alignment.value.simplify();
  if (const z3::expr* known = Find(path.downs, what, by)) return {*known};
  const z3::expr down = Fresh("down");
  Explorer::Current().Assume(down >= 0 && z3::ite(by <= 0, down == what, down <= what && what < down + by));
  path.downs.push_back({what, by, down});
  KnowMultiple(down, by);
  return {down};
}

IntegerWord Variable(const std::string& name) {
  const z3::expr variable = Context().int_const(name.c_str());
  Explorer::Current().Assume(InRange(variable));
  path.drawn.variables.emplace_back(name, variable);
  return IntegerWord(variable);
}

z3::expr ArbitraryMultiple(const std::string& name, const z3::expr& alignment) {
  const z3::expr multiple = Context().int_const(name.c_str());
  Explorer::Current().Assume(multiple >= 0);
  KnowMultiple(multiple, alignment.simplify());
  return multiple;
}

const Drawn& DrawnOnThisPath() { return path.drawn; }
void ForgetDrawn() { path = Path{}; }

}  // namespace arenaproof::proof
