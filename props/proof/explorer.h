// Runs ordinary C++ over symbolic values. Where the code branches on a symbolic condition, the explorer asks Z3 which
// ways are feasible, takes one, and runs the function again for the other: once for each feasible path.
//
// Below it stands one solver with the assumptions of the current path. Questions have a resource limit that counts the
// solver's steps, not seconds, so that an answer does not depend on the machine.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "props/proof/ledger.h"

namespace arenaproof::proof {

class Explorer {
 public:
  // `width` names the column of the ledger. Only one explorer exists at a time: symbolic values find it by Current().
  Explorer(unsigned bits, std::string width, Ledger* ledger);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  static Explorer& Current();

  unsigned bits() const { return bits_; }
  const std::string& subject() const { return subject_; }
  z3::context& context() { return context_; }
  z3::solver& solver() { return solver_; }

  // Runs `path` once for every feasible sequence of branches. Obligations are recorded under `subject`. A path whose
  // assumptions turn out to exclude each other would prove anything: that is a violation of its own.
  void Explore(const std::string& subject, const std::function<void()>& path);

  bool Branch(const z3::expr& condition);
  void Assume(const z3::expr& fact) { solver_.add(fact); }

  // Assumes `fact` of what follows; false if this path excludes it, and then the path has to return.
  bool Restrict(const z3::expr& fact);

  // Whether `claim` follows from the path; records the verdict. On a violation the counterexample hook is called while
  // the solver still holds path and negated claim.
  void Prove(const std::string& obligation, const z3::expr& claim);

  // Guard against vacuity: the path together with `situation` has to be possible. Recorded by FinishCovers: an
  // obligation "reachable: name" is proven if any path could reach it.
  void Cover(const std::string& name, const z3::expr& situation);
  void ExpectCover(const std::string& name);
  void FinishCovers();

  std::function<void(const std::string& obligation)> on_violation;
  std::function<void()> on_path_begins;
  std::string dump_folder;  // every question as an SMT-LIB file, if not empty

 private:
  z3::check_result Ask(const std::string& obligation, double* seconds);
  bool Feasible(const z3::expr& condition);
  void Dump(const std::string& obligation);

  unsigned bits_;
  std::string width_;
  Ledger* ledger_;
  z3::context context_;
  z3::solver solver_;
  std::string subject_;
  std::vector<bool> taken_;                              // decisions of the current path
  bool left_ = false;                                    // the path gave up by Restrict
  std::size_t position_ = 0;                             // how many of them this run has made
  std::vector<std::vector<bool>> open_;                  // prefixes still to run
  std::vector<std::pair<std::string, Verdict>> covers_;  // kProven: reached
  std::size_t dumped_ = 0;
};

}  // namespace arenaproof::proof
