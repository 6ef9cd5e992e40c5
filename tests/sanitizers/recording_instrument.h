// An instrument that closes nothing and keeps what its base class asks of a backend.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof::testing {

class RecordingInstrument final : public AccessInstrument {
 public:
  explicit RecordingInstrument(bool watches_runtime = true) : watches_runtime_(watches_runtime) { SkipSelfTest(); }
  const char* name() const override { return "recording"; }
  Status Available() const override { return Ok(); }
  bool WatchesRuntime() const override { return watches_runtime_; }

  using AccessInstrument::CheckAccess;
  using AccessInstrument::ExtentOf;
  using AccessInstrument::KeepLog;

  // "close 2+1": two open ranges and one allowance.
  std::vector<std::string> TakeCalls() { return std::exchange(calls_, {}); }

  bool blind = false;
  std::vector<WatchedRegion> watched;            // on attach
  std::vector<OperandRange> open, read_allowed;  // of the last Close()

 private:
  void Note(const char* what, std::span<const OperandRange> ranges) {
    calls_.push_back(std::string(what) + " " + std::to_string(ranges.size()) + "+" +
                     std::to_string(read_allowances().size()));
  }
  void Start(std::span<const WatchedRegion> regions) override {
    watched.assign(regions.begin(), regions.end());
    AddLimit("all of it");
    if (blind) DeclareBlind("anything");
    calls_.emplace_back("start");
  }
  void Close(std::span<const OperandRange> ranges) override {
    open.assign(ranges.begin(), ranges.end());
    read_allowed.assign(read_allowances().begin(), read_allowances().end());
    Note("close", ranges);
  }
  void Open(std::span<const OperandRange> ranges) override { Note("open", ranges); }
  void Stop() override { calls_.emplace_back("stop"); }
  void Begin(std::span<const OperandRange> ranges) override { Note("begin", ranges); }
  void End(std::span<const OperandRange> ranges) override { Note("end", ranges); }

  const bool watches_runtime_;
  std::vector<std::string> calls_;
};

}  // namespace arenaproof::testing
