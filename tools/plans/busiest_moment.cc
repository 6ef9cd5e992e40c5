#include "tools/plans/busiest_moment.h"

#include <algorithm>
#include <tuple>

#include "tools/model/step_operators.h"
#include "tools/text/operator_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// Bytes that come alive or go at a time.
struct LoadChange {
  std::int64_t time;
  std::int64_t bytes;
};

// "1, 5 and 9".
std::string ListText(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string NumberedText(const std::string& singular, const std::vector<std::string>& ids) {
  return ids.empty() ? "" : singular + (ids.size() == 1 ? " " : "s ") + ListText(ids);
}

std::string BuffersText(const LabelledProblem& problem, const std::vector<std::size_t>& buffers) {
  std::vector<std::string> tensors, scratch, others;
  for (const std::size_t i : buffers) {
    const BufferLabel& label = problem.labels[i];
    if (!label.is_of_model()) {
      others.push_back("'" + Printable(label.id) + "'");
    } else if (label.tensor >= 0) {
      tensors.push_back(label.id);
    } else {
      scratch.push_back(std::to_string(label.scratch));
    }
  }
  if (!others.empty()) return NumberedText("buffer", others);
  const std::string both = !tensors.empty() && !scratch.empty() ? " and " : "";
  return NumberedText("tensor", tensors) + both + NumberedText("scratch buffer", scratch);
}

std::string WhenText(const ModelView* model, std::int64_t time) {
  if (model == nullptr) return "at time " + std::to_string(time);
  return WhenText(*model, StepOperators(*model), time);
}

std::vector<std::size_t> AliveAt(std::span<const PlanBuffer> buffers, std::int64_t time) {
  std::vector<std::size_t> alive;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes > 0 && IsAliveAt(buffers[i], time)) alive.push_back(i);
  }
  return alive;
}

}  // namespace

BusiestMoment FindBusiestMoment(std::span<const PlanBuffer> buffers, std::int64_t preferred_from) {
  std::vector<LoadChange> changes;
  for (const PlanBuffer& buffer : buffers) {
    if (buffer.bytes == 0) continue;
    for (const TimeInterval& piece : AliveIntervals(buffer)) {
      changes.push_back({piece.lower, buffer.bytes});
      changes.push_back({piece.upper, -buffer.bytes});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const LoadChange& a, const LoadChange& b) {
    return std::tuple(a.time, a.bytes) < std::tuple(b.time, b.bytes);
  });
  BusiestMoment busiest;
  bool is_preferred = false;
  std::int64_t alive = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    const std::int64_t time = changes[i].time, next = changes[i + 1].time;
    alive += changes[i].bytes;
    if (time == next || alive < busiest.bytes || alive == 0) continue;
    const std::int64_t preferred = std::max(time, preferred_from);
    if (alive == busiest.bytes && (is_preferred || preferred >= next)) continue;
    is_preferred = preferred < next;
    busiest = {alive, is_preferred ? preferred : time, {}};
  }
  if (busiest.bytes > 0) busiest.buffers = AliveAt(buffers, busiest.time);
  return busiest;
}

BusiestMoment FindBusiestMoment(const LabelledProblem& problem) {
  const bool is_model = !problem.labels.empty() && problem.labels.front().is_of_model();
  BusiestMoment busiest = is_model ? FindBusiestMoment(DisjointBuffers(problem), kFirstOperatorStep)
                                   : FindBusiestMoment(DisjointBuffers(problem));
  if (busiest.bytes > 0) busiest.buffers = AliveAt(problem.buffers, busiest.time);
  return busiest;
}

std::int64_t LoadBound(std::span<const PlanBuffer> buffers) {
  std::int64_t bound = FindBusiestMoment(buffers).bytes;
  for (const PlanBuffer& buffer : buffers) bound = std::max(bound, buffer.offset.value_or(0) + buffer.bytes);
  return bound;
}

std::int64_t FreeLoadBound(const LabelledProblem& problem) {
  std::vector<PlanBuffer> buffers = GroupedBuffers(problem);
  for (PlanBuffer& buffer : buffers) buffer.offset.reset();
  return LoadBound(buffers);
}

std::string PeakText(const ModelView* model, const LabelledProblem& problem, const BusiestMoment& peak,
                     std::optional<std::int64_t> head_bytes) {
  if (peak.buffers.empty()) return "no peak: nothing is alive at any time";
  return std::string(head_bytes.value_or(peak.bytes) == peak.bytes ? "peak " : "busiest moment ") +
         WhenText(model, peak.time) + ": " + BuffersText(problem, peak.buffers) + ", " + Counted(peak.bytes, "byte");
}

std::string PeakText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing,
                     std::optional<std::int64_t> head_bytes) {
  const LabelledProblem problem = ProblemOfModel(model, plan, OwnPlan::kIgnored, sharing);
  return PeakText(&model, problem, FindBusiestMoment(problem), head_bytes);
}

}  // namespace arenaproof
