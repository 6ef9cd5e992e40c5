// The words of --kernels and --fallback: a kernel set of this repository, or files of kernels from outside.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/kernel_library/library_hooks.h"

namespace arenaproof {

struct KernelChoice {
  std::string kernels = "reference";  // SET, FILE, or BUILD:FILE,BUILD:FILE,...; a BUILD is shadow, asan or plain
  std::string fallback = "none";      // none, reference: who serves what the files lack
};

// Whether `kernels` names files: it begins with a build's name and a colon, has a slash, or ends as libraries do.
bool NamesKernelFiles(const std::string& kernels);

class KernelFiles {
 public:
  // Empty, or a sentence about the words.
  std::string Read(const std::string& kernels);

  // The file for a build; empty when none is named.
  const std::string& For(LibraryHooks build) const;
  const std::string& ForInstrument(std::string_view instrument) const;

 private:
  std::string shadow_, asan_, plain_;
};

// The build that an instrument needs.
LibraryHooks BuildFor(std::string_view instrument);

// What is wrong with the choice, a sentence: no such kernel set, words or a file that cannot be read, a fallback for a
// kernel set. Empty when nothing is.
std::string WrongKernelChoice(const KernelChoice& choice);

// Why the files cannot be used with the instrument: none is named for it. Empty when one is, and for kernel sets.
std::string NoKernelFileFor(const KernelChoice& choice, std::string_view instrument);

// " --fallback=..." when it differs from the default.
std::string FallbackWords(const KernelChoice& choice);

}  // namespace arenaproof
