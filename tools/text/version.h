// What this program and its reports are called by others.
#pragma once

namespace arenaproof {

inline constexpr const char* kVersion = "0.1.0";

// Of reports in JSON (docs/report.schema.json) and of baselines. It grows when a field changes its meaning or goes; new
// fields leave it as it is.
inline constexpr int kFormatVersion = 1;

}  // namespace arenaproof
