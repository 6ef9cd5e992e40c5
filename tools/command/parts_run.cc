#include "tools/command/parts_run.h"

#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tools/command/piped_model.h"
#include "tools/command/running_text.h"
#include "tools/command/worker_words.h"
#include "tools/text/refusal_code.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string TitleOf(const CheckPart& part, std::size_t number, std::size_t count) {
  return std::string(part.instrument->name) + " over the " + part.layout + " layout (" + std::to_string(number) +
         " of " + std::to_string(count) + ")";
}

void HasNoTime(const CheckOptions& options, CheckPart& part) {
  part.status = ExitStatus::kCouldNotRun;
  part.problem_code = RefusalCode(ToolRefusal::kTimeLimit);
  part.problem = "not started: the check had taken the " + Counted(options.time_limit_seconds, "second") +
                 " that it may take; --time-limit=SECONDS allows more";
}

std::size_t Processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<std::size_t>(CPU_COUNT(&allowed));
  return static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

std::size_t PartsAtATime(std::uint32_t asked) {
  constexpr rlim_t kOwnFiles = 32, kFilesOfAPart = 8;
  std::size_t most = ChildGuard::kMostChildren / 2;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur / kFilesOfAPart < most) {
    most = files.rlim_cur <= kOwnFiles ? 1 : static_cast<std::size_t>((files.rlim_cur - kOwnFiles) / kFilesOfAPart);
  }
  return std::clamp<std::size_t>(asked == 0 ? Processors() : asked, 1, std::max<std::size_t>(most, 1));
}

void PartsRun::ModelTime::Begin() {
  if (running_count_++ == 0) since_ = Clock::now();
}

void PartsRun::ModelTime::End() {
  if (--running_count_ == 0) used_ += Clock::now() - since_;
}

PartsRun::Clock::duration PartsRun::ModelTime::used() const {
  return running_count_ == 0 ? used_ : used_ + (Clock::now() - since_);
}

void PartsRun::Add(const CheckOptions& options, std::vector<CheckPart>& parts, const CheckProgress& progress) {
  const auto time = std::make_shared<ModelTime>();
  std::size_t number = 0;
  for (CheckPart& part : parts) {
    instruments_[part.instrument].waiting.push_back(parts_.size());
    parts_.push_back({&options, &part, TitleOf(part, ++number, parts.size()), progress, time});
  }
}

void PartsRun::Run() {
  for (StartSome(); !running_.empty(); StartSome()) {
    Await();
    for (std::size_t i = 0; i < running_.size();) {
      if (!Step(running_[i])) {
        ++i;
        continue;
      }
      Finish(running_[i]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

// Whose next part comes before those of the others whose worker takes one now.
PartsRun::OfInstrument* PartsRun::Next() {
  OfInstrument* next = nullptr;
  for (auto& [instrument, one] : instruments_) {
    if (one.waiting.empty() || one.worker.busy()) continue;
    if (next == nullptr || one.waiting.front() < next->waiting.front()) next = &one;
  }
  return next;
}

void PartsRun::StartSome() {
  while (running_.size() < most_at_a_time_) {
    OfInstrument* const next = Next();
    if (next == nullptr) return;
    const Part& part = parts_[next->waiting.front()];
    next->waiting.pop_front();
    Start(part, next->worker);
  }
}

void PartsRun::Start(const Part& part, WorkerProcess& worker) {
  const bool first = running_.empty();
  if (part.time->used() >= std::chrono::seconds(part.options->time_limit_seconds)) {
    HasNoTime(*part.options, *part.part);
    return;
  }
  if (part.progress && first) part.progress(part.title);
  part.time->Begin();
  running_.push_back({&part, &worker, Clock::now(), nullptr});
  Give(running_.back());
}

void PartsRun::Give(Running& running) {
  const Part& part = *running.part;
  const auto left = std::chrono::seconds(part.options->time_limit_seconds) - part.time->used();
  const ChildLimits limits{.time = std::chrono::duration_cast<std::chrono::milliseconds>(left),
                           .memory_bytes = std::size_t{part.options->memory_limit_mebibytes} << 20,
                           .limit_address_space = part.part->instrument->limits_address_space};
  ChildProgress progress;
  if (part.progress) {
    progress = [this, &part](std::chrono::seconds seconds, const ActiveOperators& active) {
      if (running_.front().part != &part) return;  // one line for all of them
      part.progress(part.title + ", " + std::to_string(seconds.count()) + " s" +
                    (active.nested.empty() ? "" : ", " + RunningText(active)));
    };
  }
  running.child = std::make_unique<RunningChild>(limits, std::move(progress));
  running.worker->Give(WorkerCommand(*part.options, *part.part->instrument, part.part->layout),
                       {.sanitizer_options = false}, *running.child);
}

void PartsRun::Await() const {
  std::vector<pollfd> polled;
  auto patience = std::chrono::milliseconds::max();
  for (const Running& running : running_) {
    running.child->AddPolled(polled);
    patience = std::min(patience, running.child->Patience());
    if (running.worker->AwaitsAnswerFor(*running.child)) polled.push_back({running.worker->socket(), POLLIN, 0});
  }
  poll(polled.data(), polled.size(), static_cast<int>(patience.count()));
}

bool PartsRun::Step(Running& running) {
  // In this order: what comes to its end without an answer has none.
  running.child->Read();
  if (running.worker->AwaitsAnswerFor(*running.child) && !running.worker->TakeAnswer()) {
    Give(running);
    return false;
  }
  if (!running.child->Ended()) return false;
  if (running.worker->AwaitsAnswerFor(*running.child)) running.worker->GiveUp();
  return true;
}

void PartsRun::Finish(Running& running) {
  CheckPart& part = *running.part->part;
  const CheckOptions& options = *running.part->options;
  running.part->time->End();
  part.seconds = std::chrono::duration<double>(Clock::now() - running.start).count();
  const ChildResult& result = running.child->result();
  part.report = ReadWorkerReport(result.result);
  if (part.report.refusal) NameThePipe(options.file, options.model, part.report.refusal->sentence);
  EvaluatePart(options, result, part);
}

}  // namespace arenaproof
