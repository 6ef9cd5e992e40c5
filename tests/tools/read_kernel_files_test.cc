// The files of kernels that a call reads are not written by it: each build's, and none where kernels are this
// program's.
#include <gtest/gtest.h>

#include <string>

#include "tools/command/files_of_call.h"

namespace arenaproof {
namespace {

std::string Overwritten(const std::string& kernels, const std::string& written) {
  FilesOfCall files;
  files.ReadsKernels({.kernels = kernels});
  files.Writes("--report", written);
  return files.Overwritten();
}

TEST(ReadKernelFiles, AreThoseOfEachBuildThatIsNamed) {
  for (const std::string build : {"shadow", "asan", "plain"}) {
    const std::string file = "/nowhere/" + build + ".so";
    EXPECT_EQ(Overwritten("plain:/nowhere/plain.so,shadow:/nowhere/shadow.so,asan:/nowhere/asan.so", file),
              "--report: '" + file + "' is the file of --kernels; the name of another file would be right");
    EXPECT_NE(Overwritten(build + ":" + file, file), "");
    EXPECT_NE(Overwritten(file, file), "") << "one for all";
  }
  EXPECT_EQ(Overwritten("plain:/nowhere/plain.so", "/nowhere/shadow.so"), "");
  EXPECT_EQ(Overwritten("reference", "reference"), "") << "a kernel set is no file";
}

}  // namespace
}  // namespace arenaproof
