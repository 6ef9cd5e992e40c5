// The files of `arenaproof run --output-dir`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "tools/command/run.h"

namespace arenaproof {

// A sentence when one of the files of so many outputs would be one that the run reads; empty otherwise.
std::string OverwrittenByOutputs(const RunOptions& options, std::size_t output_count);

// Writes output_0.bin, output_1.bin, ... into `folder`, which is made when it is not there. Empty on success, else a
// sentence; then what this call made is gone again, files and folders, so that all outputs are complete or none of this
// run is there. (A file of an earlier run stays unless its name had been taken over already.) Names that are there and
// are no regular files, symbolic links among them, are refused before anything is written. The names of what was
// written are in result->output_files.
std::string WriteOutputs(const std::filesystem::path& folder, RunResult* result);

}  // namespace arenaproof
