// SHA-256 (FIPS 180-4), for naming contents in reports.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace arenaproof {

// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::span<const std::byte> bytes);

}  // namespace arenaproof
