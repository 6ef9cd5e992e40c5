// Is every command line, and every baseline, taken as it is meant or answered by one sentence? Does a worker read what
// the command tells it?
//
//   byte 0  odd: a baseline in JSON; even: the words of a command line
//   then    the text; words are separated by line ends
//
// Nothing is run.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain.h"
#include "tools/command/baseline.h"
#include "tools/command/command_line.h"
#include "tools/command/instruments.h"
#include "tools/command/worker_words.h"
#include "tools/worker/check_arguments.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostWords = 40;

[[noreturn]] void CommandDefect(const char* broken, const std::string& what) {
  std::fprintf(stderr, "VIOLATED: %s\n%s\n", broken, what.c_str());
  std::abort();
}

bool IsOneSentence(const std::string& text) {
  if (text.size() < 2 || text.size() > 20000 || text.back() != '\n') return false;
  for (const char c : std::string_view(text).substr(0, text.size() - 1)) {
    if (static_cast<unsigned char>(c) < ' ') return false;
  }
  return text.starts_with("arenaproof");
}

// The standard streams, as long as it lives.
class CapturedStreams {
 public:
  CapturedStreams() : out_(std::cout.rdbuf(output.rdbuf())), err_(std::cerr.rdbuf(errors.rdbuf())) {}
  ~CapturedStreams() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  CapturedStreams(const CapturedStreams&) = delete;
  CapturedStreams& operator=(const CapturedStreams&) = delete;

  std::ostringstream output, errors;

 private:
  std::streambuf *out_, *err_;
};

// What a worker takes from its words is what the call says.
void CheckWorkerWords(const CheckOptions& asked, const Instrument& instrument, const std::string& layout) {
  const std::vector<std::string> command = WorkerCommand(asked, instrument, layout);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  CheckArguments read;
  const std::string problem = ParseCheckArguments(std::span(words).subspan(2), &read);
  if (!problem.empty()) CommandDefect("a worker refuses the words of its command", problem);
  const bool same = read.model == asked.model && read.kernels == asked.kernels && read.fallback == asked.fallback &&
                    read.instrument == instrument.name && LayoutName(read.layout) == layout &&
                    read.arena_bytes == asked.arena_bytes && read.two_arenas == asked.two_arenas &&
                    read.persistent_arena_bytes == asked.persistent_arena_bytes &&
                    read.reserve_front_bytes == asked.reserve_front_bytes && read.seed == asked.seed &&
                    read.runs == asked.runs && read.inputs == asked.inputs && read.planner == asked.planner &&
                    read.trust_plan == asked.trust_plan && read.strict_plan == asked.strict_plan &&
                    read.no_sharing == asked.no_sharing &&
                    read.extents == (asked.extents && instrument.name == kExtentsInstrument);
  if (!same) CommandDefect("a worker is told something else than was asked for", command[4]);
}

void CheckWords(std::string_view text) {
  std::vector<std::string> words = {"arenaproof"};
  std::istringstream lines{std::string(text)};
  for (std::string word; words.size() < kMostWords && std::getline(lines, word);) {
    words.push_back(word.substr(0, word.find('\0')));
  }
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  CommandLine line;
  std::string output, errors;
  {
    const CapturedStreams captured;
    line = ParseCommandLine(static_cast<int>(pointers.size()), pointers.data());
    output = captured.output.str();
    errors = captured.errors.str();
  }
  Explain("a command line:\n" + std::string(text) + "\n" + (errors.empty() ? "is taken" : errors));
  const int commands = line.check.has_value() + line.run.has_value() + line.describe.has_value() +
                       line.size.has_value() + line.operators.has_value() + line.plan.has_value() +
                       line.verify.has_value() + line.flags.has_value() + line.rules.has_value();
  if (!line.finished) {
    if (commands != 1 || !errors.empty() || !output.empty()) CommandDefect("a call is no one command", errors);
  } else if (*line.finished == ExitStatus::kClean) {
    if (output.empty() || !errors.empty()) CommandDefect("help says nothing, or too much", errors);
  } else if (*line.finished != ExitStatus::kCouldNotRun || !output.empty() || !IsOneSentence(errors)) {
    CommandDefect("wrong words are not answered by one sentence", errors);
  }
  if (!line.check || line.check->models.front().empty()) return;  // a name that no file has is refused before
  CheckOptions options = line.check->options;
  options.model = line.check->models.front();
  for (const Instrument& instrument : AllInstruments()) {
    CheckWorkerWords(options, instrument, text.size() % 2 == 0 ? "faithful" : "dilated");
  }
}

void CheckBaseline(const std::string& text) {
  std::vector<BaselineEntry> entries;
  const std::string problem = ParseBaseline(text, &entries);
  Explain("a baseline:\n" + text + "\n" + (problem.empty() ? "is read" : problem));
  if (!problem.empty() && problem.find("right") == std::string::npos &&
      problem.find("reads format") == std::string::npos) {
    CommandDefect("a refused baseline is not told what would be right", problem);
  }
  for (const BaselineEntry& entry : entries) {
    if (problem.empty() && entry.id.size() != 16) CommandDefect("an identifier is none", entry.id);
  }
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, bytes - 1);
  if (data[0] % 2 == 1) {
    arenaproof::CheckBaseline(std::string(text));
  } else {
    arenaproof::CheckWords(text);
  }
  return 0;
}
