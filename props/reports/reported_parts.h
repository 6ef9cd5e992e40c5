// Parts of a check, drawn: how each ends, and the words that its worker says until then.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "props/reports/part_details.h"
#include "tools/text/exit_status.h"

namespace arenaproof::testing {

// What becomes of one part, and what that is called.
struct Fate {
  const char* name;
  ExitStatus status;
  const char* end;
  bool runs = false;      // reports its plan
  bool finishes = false;  // reports its outputs and that it is done
  bool finds = false;     // reports violations
};

inline constexpr const char* kPhases[] = {"prepare", "invoke"};
inline constexpr const char* kKinds[] = {"input", "output", "constant", "scratch"};
inline constexpr const char* kAccesses[] = {"read", "write"};
inline constexpr const char* kSides[] = {"before", "after", "inside", "far", "overwritten", "differs", "unwritten"};
inline constexpr const char* kStates[] = {"gap", "dead_tensor", "scratch", "guard"};
inline constexpr const char* kReserves[] = {"none", "contained", "reaches_object"};

// The places that make a violation another one; indices into the lists above.
struct Place {
  int subgraph = 0, op = 0, phase = 1, kind = 0, operand = 0, access = 0, side = 0;
  auto operator<=>(const Place&) const = default;

  std::string operator_name() const { return "NAME_" + std::to_string(subgraph) + "_" + std::to_string(op); }
  std::string title() const {
    return operator_name() + " (operator " + std::to_string(op) +
           (subgraph == 0 ? "" : " of subgraph " + std::to_string(subgraph)) + ")";
  }
  std::string operand_name() const { return std::string(kKinds[kind]) + "_called_" + std::to_string(operand); }
};

// What a part says of it; each part something else.
struct Seen {
  Place place;
  int distance = 0, count = 0;
  int min_width = 1, max_width = 1, operand_bytes = 20, lowest = 0, highest = 0;
  int kernel = 0, state = 0, state_kind = 0, reserve = 0;
  std::vector<std::string> map;

  std::string kernel_name() const { return "kernels_" + std::to_string(kernel); }
  std::string state_text() const { return "state_of_" + std::to_string(state); }
  std::string width_text() const {
    return (min_width == max_width ? "" : std::to_string(min_width) + "-") + std::to_string(max_width);
  }
};

struct Answer {
  int run = 0, index = 0;
  std::string sha;
  bool operator==(const Answer&) const = default;
};

// A log or an instrument was full; from which operator on, if the part says that.
struct Cap {
  bool has_place = false;
  int subgraph = 0, op = 0;
};

struct Part {
  std::string layout, instrument;
  const Fate* fate = nullptr;
  std::vector<Seen> seen;
  std::vector<Answer> answers;
  PartDetails details;
  std::optional<Cap> cap;

  // What has to be reported of the cap.
  std::string cap_text() const;
};

// A part for every layout under every instrument; no two things that are seen have the same count.
std::vector<Part> DrawParts();

// What is said and reported of an answer; all of one place have the same.
nlohmann::json AnswerJson(const Answer& answer);

// The fields of a violation that a worker's event and a report call by the same names: all but its operand's.
nlohmann::json FieldsOf(const Seen& seen);

// What the part's worker says, line by line, before it ends as its fate wants it.
std::string WordsOf(const Part& part);

}  // namespace arenaproof::testing
