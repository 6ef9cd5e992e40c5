// The groups of obligations. Each fills the ledger; none prints.
#pragma once

#include <functional>
#include <string>

#include "props/proof/explorer.h"
#include "props/proof/ledger.h"

namespace arenaproof::proof {

struct ProofOptions {
  bool bits32 = true;
  bool bits64 = true;
  bool full = false;        // the language's % by constants too
  std::string operation;    // only this one, if not empty
  std::string dump_folder;  // every question as an SMT-LIB file, if not empty
};

// Calls `prove` with an explorer for each word width that the options ask for; nothing if they ask for one operation.
void ForEachWidth(const ProofOptions& options, Ledger* ledger, const std::function<void(Explorer&)>& prove);

// Every operation of the table, from any state that satisfies the invariants, with any arguments.
void ProveOperations(const ProofOptions& options, Ledger* ledger);

// Two operations in a row: what one promises the other keeps.
void ProveSequences(const ProofOptions& options, Ledger* ledger);

// The growing arena of core/planner/host: its table, and its search for a place over any number of allocations.
void ProveGrowing(const ProofOptions& options, Ledger* ledger);

// The checked arithmetic of core/base from the primitives' contracts, and the primitives bit by bit.
void ProveWords(const ProofOptions& options, Ledger* ledger);
void ProvePrimitives(const ProofOptions& options, Ledger* ledger);

}  // namespace arenaproof::proof
