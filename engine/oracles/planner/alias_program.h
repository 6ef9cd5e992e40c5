// Programs whose operators write into the bytes of what they read, and what is right about that: every reader sees the
// value that was written under the name it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/buffer_alias.h"
#include "core/planner/placed_buffer.h"
#include "engine/cases/shared_plan.h"
#include "engine/oracles/planner/quadratic_groups.h"

namespace arenaproof::testing {

// Operator i (from 1) writes buffer i and reads some earlier ones; buffer 0 is there from the start.
struct AliasProgram {
  std::vector<std::vector<std::uint32_t>> reads;  // by operator; [0] is empty
  std::vector<BufferAlias> aliases;
  std::vector<bool> outputs;
};

// `below(n)` is any number below n. 3 to 8 buffers.
template <typename Below>
AliasProgram DrawAliasProgram(const Below& below) {
  AliasProgram program;
  const std::uint32_t count = 3 + below(6);
  program.reads.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) program.outputs.push_back(below(6) == 0);
  std::vector<std::uint32_t> owner(count);
  for (std::uint32_t i = 0; i < count; ++i) owner[i] = i;
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t source = below(3) == 0 ? below(i) : i - 1;
    program.reads[i].push_back(source);
    if (below(3) == 0) program.reads[i].push_back(below(i));
    if (below(3) == 0) continue;
    owner[i] = owner[source];
    BufferAlias alias;
    alias.buffer = i;
    alias.source = source;
    alias.owner = owner[i];
    alias.modifies = below(2) == 0;
    program.aliases.push_back(alias);
  }
  return program;
}

// 16 bytes each, a group where its owner is, lifetimes from the write to the last read; outputs live to the end.
inline std::vector<PlacedBuffer> BuffersOf(const AliasProgram& program) {
  const std::size_t count = program.reads.size();
  std::vector<PlacedBuffer> buffers(count);
  for (std::size_t i = 0; i < count; ++i) {
    buffers[i].bytes = 16;
    buffers[i].offset = 16 * i;
    buffers[i].first = buffers[i].last = static_cast<std::int32_t>(i);
    for (const std::uint32_t read : program.reads[i]) buffers[read].last = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!program.outputs[i]) continue;
    buffers[i].kept = kKeptOutput;
    buffers[i].last = static_cast<std::int32_t>(count - 1);
  }
  for (const BufferAlias& alias : program.aliases) buffers[alias.buffer].offset = buffers[alias.owner].offset;
  return buffers;
}

inline SharedPlan PlanOf(const AliasProgram& program) {
  return {BuffersOf(program), program.aliases, 16 * program.reads.size()};
}

// Groups of any size and place, in a head of any size.
template <typename Below>
SharedPlan DrawPlanOf(const AliasProgram& program, const Below& below) {
  SharedPlan plan = PlanOf(program);
  const auto count = static_cast<std::uint32_t>(plan.buffers.size());
  for (PlacedBuffer& buffer : plan.buffers) {
    buffer.bytes = 16 * (1 + std::size_t{below(4)});
    buffer.offset = 16 * std::size_t{below(4 * count)};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const PlacedBuffer& root = plan.buffers[RootOf(i, program.aliases)];
    plan.buffers[i].bytes = root.bytes;
    plan.buffers[i].offset = root.offset;
  }
  plan.head_bytes = 16 * std::size_t{below(8 * count)};
  return plan;
}

// A line for each operator.
inline std::string AliasProgramText(const AliasProgram& program) {
  std::string text;
  for (std::size_t i = 0; i < program.reads.size(); ++i) {
    text += "buffer " + std::to_string(i) + (program.outputs[i] ? " (output)" : "") + " from";
    for (const std::uint32_t read : program.reads[i]) text += " " + std::to_string(read);
    for (const BufferAlias& alias : program.aliases) {
      if (alias.buffer != i) continue;
      text += ", in the bytes of " + std::to_string(alias.source) + (alias.modifies ? ", modified" : "");
    }
    text += "\n";
  }
  return text;
}

// Whether every read, and every output at the end, sees the value that was written under that name. An operator that
// leaves data unmodified writes the value that it reads.
inline bool EveryReaderSeesItsValue(const AliasProgram& program, const std::vector<PlacedBuffer>& buffers) {
  const std::size_t count = program.reads.size();
  std::vector<std::size_t> value(count);
  std::vector<std::size_t> memory(16 * count, SIZE_MAX);
  const auto write = [&](std::size_t buffer) { memory[buffers[buffer].offset] = value[buffer]; };
  const auto is_whole = [&](std::size_t buffer) { return memory[buffers[buffer].offset] == value[buffer]; };
  write(0);
  for (std::size_t i = 1; i < count; ++i) {
    value[i] = i;
    for (const BufferAlias& alias : program.aliases) {
      if (alias.buffer == i && !alias.modifies) value[i] = value[alias.source];
    }
    // In place the operator may have written before it reads its other operands.
    for (const std::uint32_t read : program.reads[i]) {
      if (!is_whole(read)) return false;
    }
    write(i);
    for (const BufferAlias& alias : program.aliases) {
      if (alias.buffer != i || !alias.modifies) continue;
      for (const std::uint32_t read : program.reads[i]) {
        if (read != alias.source && !is_whole(read)) return false;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (program.outputs[i] && !is_whole(i)) return false;
  }
  return true;
}

}  // namespace arenaproof::testing
