// A model, a problem or a plan that comes through standard input or another pipe, kept in memory as the file that
// children read.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace arenaproof {

struct PipeLimits {
  std::chrono::seconds longest_wait;
  std::size_t most_bytes;
  std::string command;  // whose word it is
  std::string advice;   // how to have more time; may be empty
};

class PipedModel {
 public:
  PipedModel() = default;
  ~PipedModel();
  PipedModel(const PipedModel&) = delete;
  PipedModel& operator=(const PipedModel&) = delete;

  // "-", the path of a pipe such as a shell makes for <(...), or that of a descriptor which leads to a file, such as
  // /dev/stdin: children have other descriptors.
  static bool Is(const std::string& model);

  // Reads it to its end. A sentence when that does not come in so long, or when it is too large; empty on success.
  std::string Read(const std::string& model, const PipeLimits& limits);

  // Where this process's children read it, as long as this object lives.
  std::string path() const;

 private:
  std::string Fill(int pipe, const PipeLimits& limits);

  int file_ = -1;
};

// What stands for the model in reports that name files: this for a pipe, which is no file, whatever it is called.
inline constexpr const char* kPipeInReports = "stdin";
std::string NameInReports(const std::string& model, const std::string& file);

// "arenaproof run MODEL WORDS": the command that does the same again, for a shell. What came through a pipe is gone: it
// reads standard input then, from the FILE that somebody has to name.
std::string CommandOn(const std::string& model, bool piped, const std::string& command, const std::string& words);

// What is said of the file that children read is about the pipe: it gets the pipe's name in the sentence. Nothing where
// `file` is empty.
void NameThePipe(const std::string& file, const std::string& model, std::string& sentence);

}  // namespace arenaproof
