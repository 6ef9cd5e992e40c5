#include "tools/command/run_outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "tools/command/files_of_call.h"

namespace arenaproof {
namespace {

using std::filesystem::path;

path OutputFile(const path& folder, std::size_t index) { return folder / ("output_" + std::to_string(index) + ".bin"); }

// Which has the values until all of them are there.
path PartOf(const path& output_file) { return output_file.string() + ".part"; }

std::string CannotWrite(const path& name, int error) {
  return "'" + name.string() + "' cannot be written: " + std::strerror(error);
}

// Everything made so far; removed again unless it is kept.
class Made {
 public:
  Made() = default;
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() {
    for (const path& file : files_) unlink(file.c_str());
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) rmdir(folder->c_str());
  }

  // The folder and those above it that are missing.
  std::string MakeFolders(const path& folder) {
    path current;
    for (const path& piece : folder) {
      current /= piece;
      if (mkdir(current.c_str(), 0777) == 0) {
        folders_.push_back(current);
        continue;
      }
      const int error = errno;
      struct stat status{};
      if (stat(current.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) continue;
      if (error == EEXIST) {
        return "the folder '" + folder.string() + "' cannot be made: '" + current.string() +
               "' is there and is not a folder";
      }
      return "the folder '" + folder.string() + "' cannot be made: " + std::strerror(error);
    }
    return {};
  }

  // A fresh file: neither a pipe nor a link that somebody left under this name is opened.
  std::string WriteFile(const path& name, const std::vector<std::byte>& bytes) {
    if (unlink(name.c_str()) != 0 && errno != ENOENT) return CannotWrite(name, errno);
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return CannotWrite(name, errno);
    files_.push_back(name);
    int error = 0;
    for (std::size_t written = 0; written < bytes.size() && error == 0;) {
      const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
      if (count >= 0) {
        written += static_cast<std::size_t>(count);
      } else if (errno != EINTR) {
        error = errno;
      }
    }
    if (close(file) != 0 && error == 0) error = errno;
    return error == 0 ? std::string() : CannotWrite(name, error);
  }

  // The `index`-th file written gets its final name.
  std::string Rename(std::size_t index, const path& name) {
    if (rename(files_[index].c_str(), name.c_str()) != 0) return CannotWrite(name, errno);
    files_[index] = name;
    return {};
  }

  void Keep() {
    files_.clear();
    folders_.clear();
  }

 private:
  std::vector<path> files_, folders_;
};

std::string CannotBeReplaced(const path& name) {
  struct stat status{};
  if (lstat(name.c_str(), &status) != 0) return errno == ENOENT ? std::string() : CannotWrite(name, errno);
  return S_ISREG(status.st_mode) ? std::string() : "'" + name.string() + "' is there and is not a regular file";
}

}  // namespace

std::string OverwrittenByOutputs(const RunOptions& options, std::size_t output_count) {
  if (options.output_dir.empty()) return {};
  FilesOfCall files;
  if (options.file.empty()) files.Reads("MODEL", options.model);
  files.ReadsTensors("--input", options.inputs);
  files.ReadsTensors("--expect", options.expected);
  files.ReadsKernels(options);
  files.ReadsPlanOf(options.planner);
  for (std::size_t i = 0; i < output_count; ++i) {
    const path name = OutputFile(options.output_dir, i);
    files.WritesOneOf("--output-dir", name);
    files.WritesOneOf("--output-dir", PartOf(name));
  }
  return files.Overwritten();
}

std::string WriteOutputs(const path& folder, RunResult* result) {
  Made made;
  if (std::string problem = made.MakeFolders(folder); !problem.empty()) return problem;
  std::vector<path> names;
  for (std::size_t i = 0; i < result->outputs.size(); ++i) {
    names.push_back(OutputFile(folder, i));
    if (std::string problem = CannotBeReplaced(names.back()); !problem.empty()) return problem;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string problem = made.WriteFile(PartOf(names[i]), result->outputs[i].bytes);
    if (!problem.empty()) return problem;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::string problem = made.Rename(i, names[i]); !problem.empty()) return problem;
  }
  made.Keep();
  for (const path& name : names) result->output_files.push_back(name.string());
  return {};
}

}  // namespace arenaproof
