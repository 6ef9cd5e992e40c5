#include "tools/kernel_library/table_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/model/builtin_operator.h"
#include "core/model/runtime_operator.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/kernel_library/own_memory.h"

namespace arenaproof {
namespace {

using Refused = std::optional<TableRefusal>;

// They begin the table of every version.
struct Beginning {
  std::uint32_t version, library_bytes;
};

class Check {
 public:
  Check(const ArenaproofKernelLibrary* table, CheckedTable* checked) : table_(table), checked_(*checked) {}

  Refused Run() {
    checked_ = {};
    if (Refused refused = ReadBeginning()) return refused;
    if (Refused refused = CheckSizes()) return refused;
    if (Refused refused = ReadName(copy_.name, TableReason::kNameMissing, "the table", &checked_.name)) return refused;
    if (Refused refused = ReadKernels()) return refused;
    for (std::size_t i = 0; i < checked_.kernels.size(); ++i) {
      if (Refused refused = CheckKernel(i)) return refused;
    }
    return {};
  }

 private:
  Refused ReadBeginning() {
    if (table_ == nullptr) {
      return TableRefusal{TableReason::kTableMissing, std::string(ARENAPROOF_KERNEL_LIBRARY_FUNCTION) +
                                                          "() gives null; the address of a table would be right"};
    }
    const TableRefusal unreadable{
        TableReason::kTableUnreadable,
        std::string(ARENAPROOF_KERNEL_LIBRARY_FUNCTION) + "() gives an address at which no table can be read"};
    Beginning beginning{};
    if (!memory_.Read(table_, &beginning, sizeof beginning)) return unreadable;
    if (beginning.version != ARENAPROOF_KERNEL_ABI_VERSION) {
      return TableRefusal{TableReason::kVersion, "the table is of version " + std::to_string(beginning.version) +
                                                     " of kernel_abi.h; version " +
                                                     std::to_string(ARENAPROOF_KERNEL_ABI_VERSION) +
                                                     " is the one that can be used"};
    }
    if (beginning.library_bytes != sizeof copy_) {
      return WrongSize("ArenaproofKernelLibrary", beginning.library_bytes, sizeof copy_);
    }
    if (!memory_.Read(table_, &copy_, sizeof copy_)) return unreadable;
    return {};
  }

  static TableRefusal WrongSize(const char* structure, std::uint32_t found, std::size_t expected) {
    return {TableReason::kStructureSize, "the table says that a structure " + std::string(structure) + " has " +
                                             std::to_string(found) + " bytes, and here it has " +
                                             std::to_string(expected) +
                                             "; the library has to be compiled with the kernel_abi.h of this version, "
                                             "for this machine"};
  }

  Refused CheckSizes() const {
    struct Size {
      const char* structure;
      std::uint32_t found;
      std::size_t expected;
    };
    for (const Size& size :
         {Size{"ArenaproofKernel", copy_.kernel_bytes, sizeof(ArenaproofKernel)},
          Size{"ArenaproofOperand", copy_.operand_bytes, sizeof(ArenaproofOperand)},
          Size{"ArenaproofOption", copy_.option_bytes, sizeof(ArenaproofOption)},
          Size{"ArenaproofServices", copy_.services_bytes, sizeof(ArenaproofServices)},
          Size{"ArenaproofSetUp", copy_.set_up_bytes, sizeof(ArenaproofSetUp)},
          Size{"ArenaproofInvoke", copy_.invoke_bytes, sizeof(ArenaproofInvoke)},
          Size{"ArenaproofReadAllowance", copy_.read_allowance_bytes, sizeof(ArenaproofReadAllowance)}}) {
      if (size.found != size.expected) return WrongSize(size.structure, size.found, size.expected);
    }
    return {};
  }

  Refused ReadKernels() {
    if (copy_.kernel_count == 0 || copy_.kernel_count > ARENAPROOF_MAX_KERNELS) {
      return TableRefusal{TableReason::kKernelCount, "the table has " + std::to_string(copy_.kernel_count) +
                                                         " kernels; 1 to " + std::to_string(ARENAPROOF_MAX_KERNELS) +
                                                         " would be right"};
    }
    if (copy_.kernels == nullptr) {
      return TableRefusal{TableReason::kKernelsMissing, "the table's list of kernels is null"};
    }
    checked_.kernels.resize(copy_.kernel_count);
    for (std::size_t i = 0; i < checked_.kernels.size(); ++i) {
      if (memory_.Read(copy_.kernels + i, &checked_.kernels[i], sizeof(ArenaproofKernel))) continue;
      return TableRefusal{TableReason::kKernelsUnreadable, "the table has " + std::to_string(copy_.kernel_count) +
                                                               " kernels, and kernel " + std::to_string(i) +
                                                               " does not lie in memory that can be read"};
    }
    return {};
  }

  Refused CheckKernel(std::size_t index) {
    ArenaproofKernel& kernel = checked_.kernels[index];
    const auto refuse = [&](TableReason reason, const std::string& what) {
      return TableRefusal{reason,
                          "kernel " + std::to_string(index) + " of " + std::to_string(copy_.kernel_count) + what};
    };
    const auto code = static_cast<BuiltinOperator>(kernel.builtin_code);
    if (!IsKnownBuiltinOperator(code)) {
      return refuse(TableReason::kBuiltinCode, " has the builtin code " + std::to_string(kernel.builtin_code) +
                                                   "; 0 to " + std::to_string(kBuiltinOperatorCount - 1) +
                                                   " would be right");
    }
    if (IsRuntimeOperator(code)) {
      return refuse(TableReason::kRuntimeOperator,
                    std::string(" is of ") + BuiltinOperatorName(code) + ", which is the runtime's own");
    }
    if (code == BuiltinOperator::kCustom) {
      std::string& name = checked_.custom_names.emplace_back();
      if (Refused refused = ReadName(kernel.custom_name, TableReason::kCustomNameMissing,
                                     "kernel " + std::to_string(index) + ", of a custom operator,", &name)) {
        return refused;
      }
      kernel.custom_name = name.c_str();
    } else if (kernel.custom_name != nullptr) {
      return refuse(TableReason::kCustomNameUnexpected,
                    std::string(" is of ") + BuiltinOperatorName(code) + " and has a custom name; null would be right");
    }
    if (kernel.invoke == nullptr) return refuse(TableReason::kInvokeMissing, " has no invoke");
    if (Refused refused = ReadAllowances(index)) return refused;
    for (std::size_t i = 0; i < index; ++i) {
      const ArenaproofKernel& earlier = checked_.kernels[i];
      if (earlier.builtin_code != kernel.builtin_code || earlier.serves != nullptr) continue;
      if (code == BuiltinOperator::kCustom && std::string(earlier.custom_name) != kernel.custom_name) continue;
      return refuse(TableReason::kDuplicate, " is of the operator of kernel " + std::to_string(i) +
                                                 ", which serves all of it: a function `serves` there would be right");
    }
    return {};
  }

  Refused ReadAllowances(std::size_t index) {
    ArenaproofKernel& kernel = checked_.kernels[index];
    const auto refuse = [&](TableReason reason, const std::string& what) {
      return TableRefusal{reason,
                          "kernel " + std::to_string(index) + " of " + std::to_string(copy_.kernel_count) + what};
    };
    const std::size_t count = kernel.read_allowance_count;
    if (count > ARENAPROOF_MAX_READ_ALLOWANCES) {
      return refuse(TableReason::kAllowanceCount, " declares " + std::to_string(count) + " read allowances; 0 to " +
                                                      std::to_string(ARENAPROOF_MAX_READ_ALLOWANCES) +
                                                      " would be right");
    }
    std::vector<ArenaproofReadAllowance>& allowances = checked_.read_allowances.emplace_back(count);
    if (count > 0 && !memory_.Read(kernel.read_allowances, allowances.data(), count * sizeof allowances[0])) {
      return refuse(TableReason::kAllowancesUnreadable,
                    " declares " + std::to_string(count) +
                        " read allowances, whose list does not lie in memory that can be read");
    }
    kernel.read_allowances = allowances.data();
    for (std::size_t i = 0; i < count; ++i) {
      const ArenaproofReadAllowance& one = allowances[i];
      const std::string which = " has read allowance " + std::to_string(i);
      const bool twice = std::any_of(allowances.begin(), allowances.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const auto& earlier) { return earlier.operand == one.operand; });
      if (twice || one.operand >= 2 * kFirstOutputOperand) {
        return refuse(TableReason::kAllowanceOperand,
                      which + " for operand " + std::to_string(one.operand) +
                          (twice ? ", which has another one; one for each operand would be right"
                                 : "; inputs are numbered from 0, outputs from 1000"));
      }
      const std::uint32_t most = std::max(one.before_bytes, one.after_bytes);
      if (most > ARENAPROOF_MAX_ALLOWED_BYTES) {
        return refuse(TableReason::kAllowanceBytes, which + " of " + std::to_string(most) + " bytes; 0 to " +
                                                        std::to_string(ARENAPROOF_MAX_ALLOWED_BYTES) +
                                                        " on each side would be right");
      }
    }
    return {};
  }

  Refused ReadName(const char* from, TableReason missing, const std::string& whose, std::string* name) const {
    if (from == nullptr) return TableRefusal{missing, whose + " has no name"};
    switch (memory_.ReadText(from, ARENAPROOF_MAX_NAME_BYTES, name)) {
      case OwnMemory::TextEnd::kUnreadable:
        return TableRefusal{TableReason::kNameUnreadable,
                            whose + " has a name that does not lie in memory that can be read"};
      case OwnMemory::TextEnd::kTooLong:
        return TableRefusal{TableReason::kNameNotTerminated, whose + " has a name that does not end within " +
                                                                 std::to_string(ARENAPROOF_MAX_NAME_BYTES) + " bytes"};
      case OwnMemory::TextEnd::kTerminated:
        break;
    }
    if (name->empty()) return TableRefusal{missing, whose + " has an empty name"};
    return {};
  }

  const ArenaproofKernelLibrary* table_;
  CheckedTable& checked_;
  OwnMemory memory_;
  ArenaproofKernelLibrary copy_{};
};

}  // namespace

std::optional<TableRefusal> CheckTable(const ArenaproofKernelLibrary* table, CheckedTable* checked) {
  return Check(table, checked).Run();
}

}  // namespace arenaproof
