// Which disassembler scans a library, and what becomes of one that does not do it: programs of the test's own.
#include "tools/command/code_scan.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/made_up_elf.h"

namespace arenaproof {
namespace {

// Folders of scripts, which are gone with it; PATH is as it was.
class CodeScanOfAnExample : public ::testing::Test {
 protected:
  CodeScanOfAnExample() {
    std::filesystem::create_directories(root_);
    const std::vector<std::byte> library = testing::MadeUpElf({{".text", "\xc3"}}, {{"f", 0x1000, 1, 1}});
    std::ofstream(root_ / "a.so", std::ios::binary)
        .write(reinterpret_cast<const char*>(library.data()), static_cast<std::streamsize>(library.size()));
  }
  ~CodeScanOfAnExample() override {
    std::filesystem::remove_all(root_);
    setenv("PATH", path_.c_str(), 1);
  }

  std::string Folder(const std::string& name) const { return (root_ / name).string(); }
  void Script(const std::string& folder, const std::string& program, const std::string& script,
              bool runs = true) const {
    std::filesystem::create_directories(root_ / folder);
    const auto path = root_ / folder / program;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, runs ? std::filesystem::perms::owner_all : std::filesystem::perms::owner_read);
  }
  // Of a library whose one function has a name.
  CodeScan Scan(const std::string& path, std::chrono::milliseconds time = std::chrono::seconds(20)) const {
    setenv("PATH", path.c_str(), 1);
    return ScanCode((root_ / "a.so").string(), *FindInstrument("shadow"), time);
  }
  std::string FunctionOf(const CodeScan& scan) const {
    return scan.not_scanned + (scan.functions.empty() ? "" : scan.functions[0].function);
  }

 private:
  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("code_scan_" + std::to_string(getpid()));
  const std::string path_ = std::getenv("PATH");
};

std::string Printing(const std::string& function) {
  return "echo '0000000000001180 <" + function + ">:'; echo '    1184: movq (%rdi), %rax'";
}

TEST_F(CodeScanOfAnExample, IsDoneByTheBestDisassemblerOfThePath) {
  Script("a", "objdump", Printing("by_a_objdump"));
  Script("b", "llvm-objdump", Printing("by_b_llvm"));
  Script("c", "llvm-objdump-19", Printing("by_c_19"));
  Script("d", "llvm-objdump-19", Printing("by_d_19"));
  const std::string a = Folder("a"), b = Folder("b"), c = Folder("c"), d = Folder("d");
  EXPECT_EQ(FunctionOf(Scan(a + ":" + b + ":" + c + ":" + d)), "by_c_19");
  EXPECT_EQ(FunctionOf(Scan(d + ":" + c)), "by_d_19");
  EXPECT_EQ(FunctionOf(Scan("::/nowhere:" + a + ":" + b)), "by_b_llvm");
  EXPECT_EQ(FunctionOf(Scan(a)), "by_a_objdump");
  EXPECT_EQ(FunctionOf(Scan(Folder("nowhere"))), "there is no llvm-objdump-19, llvm-objdump or objdump on the PATH");
}

TEST_F(CodeScanOfAnExample, IsNotDoneByWhatIsNamedFromHereOrDoesNotRun) {
  Script("a", "objdump", Printing("by_a"));
  const std::string relative = std::filesystem::relative(Folder("a"));
  EXPECT_EQ(FunctionOf(Scan(relative)), "there is no llvm-objdump-19, llvm-objdump or objdump on the PATH");
  if (geteuid() == 0) return;  // who may run everything
  Script("b", "objdump", Printing("by_b"), /*runs=*/false);
  EXPECT_EQ(FunctionOf(Scan(Folder("b") + ":" + Folder("a"))), "by_a");
}

TEST_F(CodeScanOfAnExample, SaysWhyThereIsNoAnswer) {
  Script("fails", "objdump", Printing("f") + "; exit 1");
  Script("dies", "objdump", "kill -SEGV $$");
  Script("hangs", "objdump", Printing("f") + "; exec /bin/sleep 60");
  Script("nothing", "objdump", "exit 0");
  EXPECT_EQ(FunctionOf(Scan(Folder("fails"))), "the disassembler failed");
  EXPECT_EQ(FunctionOf(Scan(Folder("dies"))), "the disassembler failed");
  EXPECT_EQ(FunctionOf(Scan(Folder("hangs"), std::chrono::milliseconds(200))), "its disassembly took too long");
  EXPECT_EQ(FunctionOf(Scan(Folder("nothing"))), "");
}

TEST(CodeScanLines, AreOneForEachThing) {
  const CodeScan scan = {"a.so", "shadow", "a reason", {{"f", "is so"}, {"g", "too"}}, {"strcpy"}};
  EXPECT_EQ(CodeScanLines(scan),
            (std::vector<std::string>{"'a.so' was not scanned for code that shadow cannot see, because a reason",
                                      "'a.so' is partly unseen by shadow: function 'f' is so",
                                      "'a.so' is partly unseen by shadow: function 'g' too",
                                      "'a.so' is partly unseen by shadow: it calls 'strcpy', which is not watched"}));
  EXPECT_TRUE(CodeScanLines({"a.so", "shadow", "", {}, {}}).empty());
}

}  // namespace
}  // namespace arenaproof
