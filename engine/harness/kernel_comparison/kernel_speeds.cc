#include "engine/harness/kernel_comparison/kernel_speeds.h"

#include <algorithm>
#include <stdexcept>

#include "core/model/model_view.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "engine/processor_time.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMeasuredCases = 15;
// A measurement goes on for so long at least, so that neither the clock nor what surrounds the kernel counts.
constexpr double kLeastNanoseconds = 200e3;
// Rounds in which both sets take their turn; of slow cases fewer.
constexpr std::size_t kLeastRounds = 5, kMostRounds = 15;
constexpr double kCaseNanoseconds = 60e6;

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool IsPool(BuiltinOperator code) {
  return code == BuiltinOperator::kAveragePool2d || code == BuiltinOperator::kMaxPool2d ||
         code == BuiltinOperator::kL2Pool2d;
}

// One case by both sets.
class Race {
 public:
  Race(const KernelSetPair& sets, const NumberedCase& one, ComparisonListener& listener)
      : sets_(sets),
        one_(one),
        listener_(listener),
        subject_(OperatorOf(one.subject, false)),
        lanes_{KernelHarness(*sets[0], subject_, {.constant_offset = one.constant_offset}),
               KernelHarness(*sets[1], subject_, {.constant_offset = one.constant_offset})} {
    for (std::size_t set = 0; set < 2; ++set) {
      listener.Begins(*sets[set], one, true);
      if (!lanes_[set].Prepare().ok()) throw std::logic_error("a kernel refuses what it has accepted");
      listener.Ended();
    }
  }

  void Run() {
    const std::size_t times = EnoughTimes();
    const double round = Nanoseconds(0, times) + Nanoseconds(1, times);
    const std::size_t rounds =
        std::clamp(static_cast<std::size_t>(kCaseNanoseconds / round), kLeastRounds, kMostRounds);
    std::vector<double> spent[2], ratios;
    for (std::size_t i = 0; i < rounds; ++i) {
      const std::size_t first = i % 2;  // neither set is always the one behind the other
      double now[2];
      now[first] = Nanoseconds(first, times);
      now[1 - first] = Nanoseconds(1 - first, times);
      for (std::size_t set = 0; set < 2; ++set) spent[set].push_back(now[set] / static_cast<double>(times));
      ratios.push_back(now[1] / now[0]);
    }
    nanoseconds = {Median(spent[0]), Median(spent[1])};
    ratio = Median(ratios);
  }

  std::array<double, 2> nanoseconds{};  // of one invoke
  double ratio = 0;

 private:
  double Nanoseconds(std::size_t set, std::size_t times) {
    listener_.Begins(*sets_[set], one_, true);
    const double start = ProcessorNanoseconds();
    const Status status = lanes_[set].Invoke(times);
    const double spent = ProcessorNanoseconds() - start;
    listener_.Ended();
    if (!status.ok()) throw std::logic_error("a kernel fails at what it has computed");
    return std::max(spent, 1.0);
  }

  std::size_t EnoughTimes() {
    std::size_t times = 1;
    while (std::min(Nanoseconds(0, times), Nanoseconds(1, times)) < kLeastNanoseconds) times *= 2;
    return times;
  }

  const KernelSetPair& sets_;
  const NumberedCase& one_;
  ComparisonListener& listener_;
  const TestOperator subject_;
  std::array<KernelHarness, 2> lanes_;
};

}  // namespace

CountedWork CountWork(const OperatorCase& subject) {
  const std::vector<std::byte> file = ModelOf(subject);
  ModelView model;
  if (!ModelView::Open(file, &model).ok()) throw std::logic_error("the model of a case cannot be opened");
  if (const std::uint64_t products = EstimateOperatorProducts(model, 0, 0); products > 0) {
    return {IsPool(subject.code) ? "window element" : "multiply", products};
  }
  std::size_t most = 0;
  for (const CaseTensor& input : subject.inputs) most = std::max(most, input.present ? input.count() : 0);
  for (std::size_t i = 0; i < subject.output_count(); ++i) most = std::max(most, subject.output_at(i).count());
  return {"element", most};
}

void LargestCases::Offer(NumberedCase offered) {
  const std::uint64_t units = CountWork(offered.subject).units;
  if (units == 0) return;
  kept_.push_back({units, std::move(offered)});
  if (kept_.size() >= 2 * kMeasuredCases) KeepTheLargest();
}

void LargestCases::KeepTheLargest() {
  if (kept_.size() <= kMeasuredCases) return;
  std::nth_element(kept_.begin(), kept_.begin() + kMeasuredCases, kept_.end(),
                   [](const Ranked& a, const Ranked& b) { return a.units > b.units; });
  kept_.resize(kMeasuredCases);
}

std::vector<NumberedCase> LargestCases::Take() {
  KeepTheLargest();
  std::vector<NumberedCase> taken;
  for (Ranked& ranked : kept_) taken.push_back(std::move(ranked.one));
  kept_.clear();
  return taken;
}

KernelSpeeds MeasureSpeeds(const KernelSetPair& sets, const std::vector<NumberedCase>& cases,
                           ComparisonListener& listener) {
  std::vector<double> nanoseconds[2], ratios;
  KernelSpeeds speeds{.cases = cases.size()};
  for (const NumberedCase& one : cases) {
    const CountedWork work = CountWork(one.subject);
    speeds.unit = work.unit;
    Race race(sets, one, listener);
    race.Run();
    for (std::size_t set = 0; set < 2; ++set) {
      nanoseconds[set].push_back(race.nanoseconds[set] / static_cast<double>(work.units));
    }
    ratios.push_back(race.ratio);
  }
  speeds.nanoseconds = {Median(nanoseconds[0]), Median(nanoseconds[1])};
  speeds.ratio = Median(ratios);
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  speeds.least_ratio = *least;
  speeds.most_ratio = *most;
  return speeds;
}

}  // namespace arenaproof::testing
