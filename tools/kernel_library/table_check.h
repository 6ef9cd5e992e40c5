// A library's table of kernels (kernels/vendor/kernel_abi.h) is untrusted data: it is copied out of the library, rule
// by rule, before one of its kernels is called. What was copied is what is used, whatever the library writes later.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "kernels/vendor/kernel_abi.h"

namespace arenaproof {

enum class TableReason {
#define ARENAPROOF_TABLE_REASON(name, meaning) name,
#include "tools/kernel_library/table_reasons.inc"
#undef ARENAPROOF_TABLE_REASON
};

struct TableRefusal {
  TableReason reason;
  std::string sentence;  // what, where, what would be right
};

struct CheckedTable {
  std::string name;
  std::vector<ArenaproofKernel> kernels;  // their names and allowances lie in the lists below
  std::deque<std::string> custom_names;
  std::deque<std::vector<ArenaproofReadAllowance>> read_allowances;
};

// Nothing when the table keeps every rule; `checked` then holds it. The functions that it names are not looked at: an
// address that is no function ends the process when it is called.
std::optional<TableRefusal> CheckTable(const ArenaproofKernelLibrary* table, CheckedTable* checked);

}  // namespace arenaproof
