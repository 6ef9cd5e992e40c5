#include "tools/kernel_library/kernel_choice.h"

#include "tools/model/kernel_set_choice.h"
#include "tools/model/model_file.h"

namespace arenaproof {
namespace {

constexpr LibraryHooks kBuilds[] = {LibraryHooks::kShadow, LibraryHooks::kAsan, LibraryHooks::kNone};

constexpr const char* kWhatIsRight =
    "; FILE, or shadow:FILE,asan:FILE,plain:FILE where each instrument needs a build, would be right";

// The build that `text` names in front of a colon, at its start.
std::optional<LibraryHooks> BuildAtStart(std::string_view text) {
  for (const LibraryHooks build : kBuilds) {
    if (text.starts_with(std::string(BuildName(build)) + ":")) return build;
  }
  return {};
}

// Where the next ",BUILD:" begins: other commas are part of a path.
std::size_t EndOfFile(std::string_view text) {
  for (std::size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1)) {
    if (BuildAtStart(text.substr(at + 1))) return at;
  }
  return text.size();
}

}  // namespace

bool NamesKernelFiles(const std::string& kernels) {
  return BuildAtStart(kernels).has_value() || kernels.find('/') != std::string::npos || kernels.ends_with(".so") ||
         kernels.find(".so.") != std::string::npos;
}

std::string KernelFiles::Read(const std::string& kernels) {
  *this = {};
  if (!BuildAtStart(kernels)) {
    shadow_ = asan_ = plain_ = kernels;
    return {};
  }
  std::string_view rest = kernels;
  while (true) {
    const LibraryHooks build = *BuildAtStart(rest);
    rest.remove_prefix(std::string_view(BuildName(build)).size() + 1);
    const std::size_t end = EndOfFile(rest);
    std::string& file = build == LibraryHooks::kShadow ? shadow_ : build == LibraryHooks::kAsan ? asan_ : plain_;
    const std::string which = "--kernels names " + std::string(end == 0 ? "no file" : "two files") + " for " +
                              BuildName(build) + kWhatIsRight;
    if (end == 0 || !file.empty()) return which;
    file = rest.substr(0, end);
    if (end == rest.size()) return {};
    rest.remove_prefix(end + 1);
  }
}

const std::string& KernelFiles::For(LibraryHooks build) const {
  return build == LibraryHooks::kShadow ? shadow_ : build == LibraryHooks::kAsan ? asan_ : plain_;
}

const std::string& KernelFiles::ForInstrument(std::string_view instrument) const { return For(BuildFor(instrument)); }

LibraryHooks BuildFor(std::string_view instrument) {
  if (instrument == "shadow") return LibraryHooks::kShadow;
  return instrument == "asan" ? LibraryHooks::kAsan : LibraryHooks::kNone;
}

std::string WrongKernelChoice(const KernelChoice& choice) {
  if (!NamesKernelFiles(choice.kernels)) {
    if (std::string problem = UnknownKernelSet(choice.kernels); !problem.empty()) {
      return problem + "; a file of kernels is named by a path, such as ./libmine.so";
    }
    if (choice.fallback == "none") return {};
    return "--fallback=" + choice.fallback + " says who serves what a file of kernels lacks, and '" + choice.kernels +
           "' is a kernel set of this program; without it would be right";
  }
  KernelFiles files;
  if (std::string problem = files.Read(choice.kernels); !problem.empty()) return problem;
  for (const LibraryHooks build : kBuilds) {
    const std::string& file = files.For(build);
    if (file.empty()) continue;
    if (std::string problem = CannotRead(file, "--kernels names a shared library with kernels"); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

std::string NoKernelFileFor(const KernelChoice& choice, std::string_view instrument) {
  if (!NamesKernelFiles(choice.kernels)) return {};
  KernelFiles files;
  if (!files.Read(choice.kernels).empty() || !files.ForInstrument(instrument).empty()) return {};
  const std::string build = BuildName(BuildFor(instrument));
  return "--kernels names no file for " + build + "; " + build +
         ":FILE beside the others would be right ('arenaproof " + "flags --" + build + "' prints how to compile it)";
}

std::string FallbackWords(const KernelChoice& choice) {
  return choice.fallback == "none" ? std::string() : " --fallback=" + choice.fallback;
}

}  // namespace arenaproof
