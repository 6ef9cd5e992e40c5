// A run of a graph over the addresses that a planner gave it, byte for byte, without any kernel: every write leaves its
// own mark in every byte, every read asks whether the marks are still those of the value it is to read.
//
// What it knows of operators: a node reads its inputs, writes every byte of its temporaries and of its outputs, in that
// order; output 0 may lie exactly on an input that the node's flags let it share; if the flags say that data stay
// unmodified, such an output is the same value, and writing it changes nothing. Nothing of lifetimes or sharing is
// taken from the planner.
#pragma once

#include <string>

#include "engine/cases/synthetic_graph.h"

namespace arenaproof::testing {

// The first thing that goes wrong in `invokes` runs one after the other ("node 3 reads tensor 2, which tensor 4 has
// overwritten"), empty when nothing does. Graph inputs are written before each run, variables before the first;
// graph inputs, outputs and variables have to be intact after each.
std::string RunFaults(SyntheticGraph& graph, int invokes = 2);

}  // namespace arenaproof::testing
