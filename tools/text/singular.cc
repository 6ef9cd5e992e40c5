#include "tools/text/singular.h"

#include <cctype>
#include <cstddef>

namespace arenaproof {
namespace {

struct CountedWords {
  std::string_view several, one;
};

// The longer ones of a beginning first.
constexpr CountedWords kNouns[] = {
    {"inputs and outputs", "input or output"},
    {"things that are", "thing that is"},
    {"metadata entries", "metadata entry"},
    {"persistent bytes", "persistent byte"},
    {"temporary bytes", "temporary byte"},
    {"temporary allocations", "temporary allocation"},
    {"preallocated tensors", "preallocated tensor"},
    {"zero points", "zero point"},
    {"allocations", "allocation"},
    {"buffers", "buffer"},
    {"bytes", "byte"},
    {"calls deep", "call deep"},
    {"dimensions", "dimension"},
    {"elements", "element"},
    {"entries", "entry"},
    {"flags", "flag"},
    {"inputs", "input"},
    {"offsets", "offset"},
    {"outputs", "output"},
    {"places", "place"},
    {"scales", "scale"},
    {"steps", "step"},
    {"subgraphs", "subgraph"},
    {"tables", "table"},
    {"temporaries", "temporary"},
    {"tensors", "tensor"},
};
constexpr CountedWords kVerbs[] = {{"are", "is"}, {"were", "was"}, {"have", "has"}, {"hold", "holds"}};

// Takes the words off `rest` when it begins with a space and one of them.
template <std::size_t count>
bool Take(const CountedWords (&words)[count], std::string_view& rest, std::string& sentence) {
  if (!rest.starts_with(' ')) return false;
  for (const auto& [several, one] : words) {
    const std::string_view behind = rest.substr(1);
    if (!behind.starts_with(several)) continue;
    if (behind.size() > several.size() && std::isalpha(static_cast<unsigned char>(behind[several.size()])) != 0)
      continue;
    sentence += ' ';
    sentence += one;
    rest.remove_prefix(1 + several.size());
    return true;
  }
  return false;
}

}  // namespace

void AppendAfterOne(std::string_view& rest, std::string& sentence) {
  constexpr std::string_view kThereAre = "there are 1";
  if (sentence.ends_with(kThereAre))
    sentence.replace(sentence.size() - kThereAre.size(), kThereAre.size(), "there is 1");
  if (Take(kNouns, rest, sentence)) Take(kVerbs, rest, sentence);
}

}  // namespace arenaproof
