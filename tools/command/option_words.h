// What the command lines of this repository share: numbers, and what is wrong with the words in sentences that can be
// read.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tools/text/exit_status.h"

namespace arenaproof {

// A decimal number in a range. (The library takes 010 for eight, and calls a word that is no number out of range.)
CLI::Validator Decimal(std::uint64_t least, std::uint64_t most);

// The same of a size in bytes, which may end in K, M or G: times 1024, 1024^2, 1024^3. To be used with transform().
CLI::Validator Bytes(std::uint64_t least, std::uint64_t most);

// A decimal number that is not negative, such as 0.5 or 1e-3.
CLI::Validator Amount();

// A word for a folder's name, which no empty one is.
CLI::Validator NamesAFolder();

// A word for a file's name, which no empty one is.
CLI::Validator NamesAFile();

// Prints what was asked for instead of the work, help or version, or the sentence for what is wrong with the words; the
// exit status for it.
ExitStatus AnswerOf(const CLI::App& app, const CLI::ParseError& error);

// The flag that is given a value, which the library would take in many ways; empty when there is none.
std::string FlagWithValue(std::span<const char* const> words, std::span<const std::string> flags);

// How many of the words the library is to see: those up to an option with nothing behind its '='. It would take the
// next word for the value, and that may be an option, or the model.
std::size_t WordsToParse(std::span<const char* const> words);

}  // namespace arenaproof
