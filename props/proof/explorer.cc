#include "props/proof/explorer.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace arenaproof::proof {
namespace {

Explorer* current = nullptr;

// About a hundred times what the hardest question of a sound arena takes.
constexpr unsigned kResourceLimit = 400'000'000;

}  // namespace

Explorer::Explorer(unsigned bits, std::string width, Ledger* ledger)
    : bits_(bits), width_(std::move(width)), ledger_(ledger), solver_(context_) {
  if (current != nullptr) throw std::logic_error("two symbolic explorers at a time");
  current = this;
  z3::params parameters(context_);
  parameters.set("rlimit", kResourceLimit);
  solver_.set(parameters);
}

Explorer::~Explorer() { current = nullptr; }

Explorer& Explorer::Current() {
  if (current == nullptr) throw std::logic_error("a symbolic value outside of an exploration");
  return *current;
}

void Explorer::Explore(const std::string& subject, const std::function<void()>& path) {
  subject_ = subject;
  open_.assign(1, {});
  while (!open_.empty()) {
    taken_ = open_.back();
    open_.pop_back();
    position_ = 0;
    solver_.push();
    if (on_path_begins) on_path_begins();
    left_ = false;
    path();
    if (!left_) {
      double seconds = 0;
      const z3::check_result answer = Ask("the path is possible", &seconds);
      ledger_->Record(subject_, "no path is inconsistent", width_,
                      answer == z3::sat       ? Verdict::kProven
                      : answer == z3::unknown ? Verdict::kUnknown
                                              : Verdict::kViolated,
                      seconds);
    }
    solver_.pop();
  }
}

z3::check_result Explorer::Ask(const std::string& obligation, double* seconds) {
  if (!dump_folder.empty()) Dump(obligation);
  const auto begin = std::chrono::steady_clock::now();
  const z3::check_result answer = solver_.check();
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

bool Explorer::Feasible(const z3::expr& condition) {
  solver_.push();
  solver_.add(condition);
  double seconds = 0;
  const z3::check_result answer = Ask("branch", &seconds);
  solver_.pop();
  if (answer == z3::unknown) ledger_->Record(subject_, "every branch is decided", width_, Verdict::kUnknown, seconds);
  return answer != z3::unsat;
}

bool Explorer::Branch(const z3::expr& condition) {
  const z3::expr simple = condition.simplify();
  if (simple.is_true()) return true;
  if (simple.is_false()) return false;
  bool decision = true;
  if (position_ < taken_.size()) {
    decision = taken_[position_];
  } else {
    const bool can_hold = Feasible(simple);
    const bool can_fail = !can_hold || Feasible(!simple);
    decision = can_hold;
    if (can_hold && can_fail) {
      open_.push_back(taken_);
      open_.back().push_back(false);
    }
    taken_.push_back(decision);
  }
  ++position_;
  solver_.add(decision ? simple : !simple);
  return decision;
}

bool Explorer::Restrict(const z3::expr& fact) {
  Assume(fact);
  double seconds = 0;
  left_ = Ask("restriction", &seconds) == z3::unsat;
  return !left_;
}

void Explorer::Prove(const std::string& obligation, const z3::expr& claim) {
  if (claim.simplify().is_true()) {
    ledger_->Record(subject_, obligation, width_, Verdict::kProven, 0);
    return;
  }
  solver_.push();
  solver_.add(!claim);
  double seconds = 0;
  const z3::check_result answer = Ask(obligation, &seconds);
  const Verdict verdict = answer == z3::unsat     ? Verdict::kProven
                          : answer == z3::unknown ? Verdict::kUnknown
                                                  : Verdict::kViolated;
  ledger_->Record(subject_, obligation, width_, verdict, seconds);
  if (verdict == Verdict::kViolated && on_violation) on_violation(obligation);
  solver_.pop();
}

void Explorer::ExpectCover(const std::string& name) {
  for (const auto& [known, reached] : covers_) {
    if (known == name) return;
  }
  covers_.emplace_back(name, Verdict::kViolated);
}

void Explorer::Cover(const std::string& name, const z3::expr& situation) {
  ExpectCover(name);
  for (auto& [known, reached] : covers_) {
    if (known != name || reached == Verdict::kProven) continue;
    solver_.push();
    solver_.add(situation);
    double seconds = 0;
    const z3::check_result answer = Ask("cover " + name, &seconds);
    if (answer == z3::sat) reached = Verdict::kProven;
    if (answer == z3::unknown) reached = Verdict::kUnknown;
    solver_.pop();
  }
}

void Explorer::FinishCovers() {
  for (const auto& [name, reached] : covers_) {
    ledger_->Record(subject_, "reachable: " + name, width_, reached, 0);
    if (reached == Verdict::kViolated) {
      ledger_->Note(subject_ + " (" + width_ + "): the situation '" + name +
                    "' cannot happen: the assumptions exclude it, or the code never gets there\n");
    }
  }
  covers_.clear();
}

void Explorer::Dump(const std::string& obligation) {
  std::filesystem::create_directories(dump_folder);
  const std::string name = width_ + "_" + std::to_string(dumped_++) + ".smt2";
  std::ofstream file(std::filesystem::path(dump_folder) / name);
  file << "; " << subject_ << ", " << width_ << ": " << obligation << "\n; unsat = proven (branch, cover: infeasible)\n"
       << "(set-logic ALL)\n"
       << solver_.to_smt2();
}

}  // namespace arenaproof::proof
