// The application that README.md shows.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/status.h"

arenaproof::Status SineOfPiTimes(float x, std::span<const std::byte> file, float* sine);
