// One sentence for every status code: what is wrong, where, what would be right. The table is sentence_table.inc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace arenaproof {

// "kArenaZeroAlignment"
std::string_view StatusName(StatusCode code);

// The template of the code's sentence; empty when the table has none (a test keeps that from happening).
//
// A placeholder is {N} or {N:kind}, N the index of the status's number. Kinds: none (unsigned decimal), signed,
// signed32 (of a word), hex, double (the number is the bits of a double), type (tensor type), operator (builtin
// operator), operand (inputs count from 0, outputs from kFirstOutputOperand: "input 2", "output 0"), option
// (KernelOption), feature (KernelFeature), state (InterpreterState), characters (four of them, the first in the lowest
// byte).
std::string_view SentenceTemplate(StatusCode code);

// The sentence, without a final full stop. A code without a sentence gives its name, its meaning and its numbers.
std::string Sentence(const Status& status);

// Whether Sentence() can fill every placeholder of the template. The test of the table asks it.
bool IsValidTemplate(std::string_view text);

// The names of sentences whose status code is gone. The test of the table asks for them.
std::vector<std::string_view> SentencesWithoutCode();

}  // namespace arenaproof
