// The files of one call: none that it writes may be one that it reads, or another one that it writes.
#pragma once

#include <string>
#include <vector>

#include "tools/kernel_library/kernel_choice.h"

namespace arenaproof {

// Whether links or other ways lead from both names to one file, whether or not it is there already.
bool SameFile(const std::string& a, const std::string& b);

class FilesOfCall {
 public:
  // `replaced_by`: the option that may write it anew, because all of it is read before. No file when the path is empty.
  void Reads(const std::string& option, const std::string& path, const std::string& replaced_by = {});
  // A word for a model, a problem or a plan; "-" is what standard input leads to.
  void ReadsPiped(const std::string& option, const std::string& word, const std::string& replaced_by = {});
  // Words of the form TENSOR:FILE or FILE. Names of tensors may have colons, so that each colon may be the one; files
  // that are not there are not read.
  void ReadsTensors(const std::string& option, const std::vector<std::string>& words);
  void ReadsKernels(const KernelChoice& choice);
  void ReadsPlanOf(const std::string& planner);
  void Writes(const std::string& option, const std::string& path);
  // What this process says to files goes there too: to lose it would be no better.
  void WritesStandardOutputs();
  // The same of one of a set of files whose names this program makes: no two of them are one.
  void WritesOneOf(const std::string& option, const std::string& path);

  // A sentence about the first that would be written over another, by whatever name; empty when there is none.
  std::string Overwritten() const;

 private:
  struct File {
    std::string option, word;
    std::string path = {};         // that the word stands for
    std::string replaced_by = {};  // of one that is read
    bool one_of_a_set = false;     // of one that is written
  };
  std::vector<File> read_, written_;
};

}  // namespace arenaproof
