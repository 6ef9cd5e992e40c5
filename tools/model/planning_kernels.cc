#include "tools/model/planning_kernels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "tools/text/operator_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostScratchBytes = std::size_t{1} << 31;

// A kernel's init is a plain function, and has to find what it is for.
thread_local PlanningKernels* current_kernels = nullptr;

template <typename Number>
std::optional<Number> NumberIn(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What --scratch may call an operator.
bool IsCalled(const ModelView& model, const OperatorLocation& location, const std::string& word) {
  const std::string index = std::to_string(location.operator_index);
  if (word == std::to_string(location.subgraph) + ":" + index) return true;
  if (location.subgraph == 0 && word == index) return true;
  const OperatorView view =
      model.operator_at(static_cast<std::size_t>(location.subgraph), static_cast<std::size_t>(location.operator_index));
  return view.code == BuiltinOperator::kCustom ? word == view.custom_name : word == OperatorName(view);
}

// Of an operator whose name nobody would guess, or that has none; empty for others.
std::string ScratchAddress(const ModelView& model, const OperatorLocation& location) {
  const OperatorView view =
      model.operator_at(static_cast<std::size_t>(location.subgraph), static_cast<std::size_t>(location.operator_index));
  const bool has_name =
      view.code == BuiltinOperator::kCustom ? !view.custom_name.empty() : IsBuiltinOperator(view.code);
  if (has_name) return {};
  return " (--scratch=" + (location.subgraph == 0 ? "" : std::to_string(location.subgraph) + ":") +
         std::to_string(location.operator_index) + ":BYTES)";
}

}  // namespace

PlanningKernels::PlanningKernels() { current_kernels = this; }
PlanningKernels::~PlanningKernels() { current_kernels = nullptr; }

Status PlanningKernels::NextOperator(PrepareContext& context) {
  PlanningKernels& kernels = *current_kernels;
  if (kernels.next_ >= kernels.unserved_.size()) return StatusOfKernelValue(1);
  context.op_data = &kernels.unserved_[kernels.next_++];
  return Ok();
}

Status PlanningKernels::AskForScratch(PrepareContext& context) {
  for (const std::size_t bytes : static_cast<const UnservedOperator*>(context.op_data)->scratch_bytes) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes));
  }
  return Ok();
}

Status PlanningKernels::NeverRun(const InvokeContext&) { return StatusOfKernelValue(1); }

void PlanningKernels::StartAgain(void*) { current_kernels->next_ = 0; }

void PlanningKernels::StandIn(const OperatorView& view, std::vector<Kernel>& kernels, Serves serves) {
  const OperatorKey key(view);
  if (std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return key.IsServedBy(kernel); })) return;
  Kernel kernel{.op = view.code,
                .name = "missing",
                .serves = serves,
                .init = NextOperator,
                .prepare = AskForScratch,
                .invoke = NeverRun,
                .free = StartAgain};
  if (view.code == BuiltinOperator::kCustom) {
    kernel.custom_name = custom_names_.emplace_back(view.custom_name).c_str();
  }
  kernels.push_back(kernel);
}

template <std::size_t kCode>
bool PlanningKernels::IsRefused(std::span<const Operand> inputs, std::span<const Operand> outputs) {
  return current_kernels->refused_.Find(static_cast<BuiltinOperator>(kCode), inputs, outputs) != nullptr;
}

template <std::size_t... kCodes>
PlanningKernels::Serves PlanningKernels::IsRefusedOf(BuiltinOperator code, std::index_sequence<kCodes...>) {
  constexpr std::array<Serves, sizeof...(kCodes)> kAll = {&IsRefused<kCodes>...};
  const auto index = static_cast<std::size_t>(code);
  return index < kAll.size() ? kAll[index] : nullptr;
}

std::string PlanningKernels::TakeScratch(const std::string& word) {
  const std::string given = "--scratch=" + Printable(word);
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return given + " is not of the form OPERATOR:BYTES, such as CONV_2D:4096 or 3:4096";
  }
  const std::string name = word.substr(0, colon);
  const auto bytes = NumberIn<std::size_t>(std::string_view(word).substr(colon + 1));
  if (!bytes || *bytes > kMostScratchBytes) {
    return given + " ends with no number of bytes from 0 to " + std::to_string(kMostScratchBytes);
  }
  bool found = false;
  for (UnservedOperator& unserved : unserved_) {
    if (!IsCalled(*model_, unserved.location, name)) continue;
    found = true;
    unserved.scratch_is_known = true;
    if (*bytes > 0) unserved.scratch_bytes.push_back(*bytes);
  }
  if (found) return {};
  for (std::size_t s = 0; s < model_->subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model_->operator_count(s); ++i) {
      const OperatorLocation location{static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)};
      if (!IsCalled(*model_, location, name)) continue;
      return given + " is about an operator whose kernel is in the set '" + own_->name +
             "' and asks for its scratch itself; the option is for operators without a kernel";
    }
  }
  return given + " names no operator of the model; it takes the name of one, or its index";
}

std::string PlanningKernels::TakeScratch(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (std::string problem = TakeScratch(word); !problem.empty()) return problem;
  }
  return {};
}

void PlanningKernels::Complete(const KernelSet& set, const ModelView& model) {
  own_ = &set;
  model_ = &model;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const Kernel* kernel = nullptr;
      // What fails here fails in the set-up too, where it is named.
      if (!FindKernelOf(set, model, s, i, &kernel).ok() || kernel != nullptr) continue;
      StandIn(model.operator_at(s, i), of_missing_, nullptr);
    }
  }
  Link();
}

bool PlanningKernels::StandInFor(const OperatorLocation& location, const std::string& refusal) {
  constexpr std::size_t kCodeCount = 256;
  const OperatorView view = model_->operator_at(static_cast<std::size_t>(location.subgraph),
                                                static_cast<std::size_t>(location.operator_index));
  const Serves serves = IsRefusedOf(view.code, std::make_index_sequence<kCodeCount>());
  if (serves == nullptr || !refused_.Add(*model_, location, refusal)) return false;
  StandIn(view, of_refused_, serves);
  Link();
  return true;
}

void PlanningKernels::Link() {
  chain_ = {{own_->name, of_refused_, nullptr}};
  for (const KernelSet* link = own_; link != nullptr; link = link->fallback) chain_.push_back(*link);
  chain_.push_back({"missing", of_missing_, nullptr});
  for (std::size_t i = 0; i + 1 < chain_.size(); ++i) chain_[i].fallback = &chain_[i + 1];
  unserved_.clear();
  next_ = 0;
  for (std::size_t s = 0; s < model_->subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model_->operator_count(s); ++i) {
      const Kernel* kernel = nullptr;
      if (!FindKernelOf(set(), *model_, s, i, &kernel).ok() || kernel == nullptr) continue;
      if (kernel->init != NextOperator) continue;
      const OperatorLocation location{static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)};
      const std::string* const refusal = refused_.Find(*model_, location);
      unserved_.push_back({.location = location,
                           .name = OperatorName(model_->operator_at(s, i)),
                           .address = ScratchAddress(*model_, location),
                           .refusal = refusal == nullptr ? std::string() : *refusal});
    }
  }
}

bool PlanningKernels::knows_all_scratch() const {
  return std::all_of(unserved_.begin(), unserved_.end(),
                     [](const UnservedOperator& unserved) { return unserved.scratch_is_known; });
}

std::vector<std::string> UnknownScratchText(const PlanningKernels& kernels) {
  std::vector<std::string> texts;
  for (const UnservedOperator& unserved : kernels.unserved()) {
    if (unserved.scratch_is_known) continue;
    std::string text = "operator " + std::to_string(unserved.location.operator_index);
    if (unserved.location.subgraph != 0) text += " of subgraph " + std::to_string(unserved.location.subgraph);
    text += " " + unserved.name + unserved.address + ": ";
    text += unserved.refusal.empty() ? "no kernel in the set '" + std::string(kernels.set().name) + "'"
                                     : "its kernel does not take it, as " + unserved.refusal;
    texts.push_back(text + ", so its scratch is not known");
  }
  return texts;
}

}  // namespace arenaproof
