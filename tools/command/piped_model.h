// A model that comes through standard input or another pipe, kept in memory as the file that workers read.
#pragma once

#include <chrono>
#include <string>

namespace arenaproof {

class PipedModel {
 public:
  PipedModel() = default;
  ~PipedModel();
  PipedModel(const PipedModel&) = delete;
  PipedModel& operator=(const PipedModel&) = delete;

  // "-", or the path of a pipe such as a shell makes for <(...).
  static bool Is(const std::string& model);

  // Reads it to its end. A sentence when that does not come in so long, or when it is too large; empty on success.
  std::string Read(const std::string& model, std::chrono::seconds longest_wait);

  // Where this process's children read it, as long as this object lives.
  std::string path() const;

 private:
  std::string Fill(int pipe, std::chrono::seconds longest_wait);

  int file_ = -1;
};

}  // namespace arenaproof
