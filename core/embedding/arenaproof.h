// What an application includes to run a model in an arena of its own. Kernels come apart, because an application links
// those that it uses: kernels/reference/reference_kernels.h has all of the reference set.
//
//   1  the model    ValidatedModel::Open opens and validates the file's bytes, which stay in place. Nothing else makes
//                   what an interpreter takes; when there is no model the ValidationReport says why. KernelSetSupport
//                   makes an operator that the kernels do not serve a reason too.
//   2  set-up       Interpreter, over one arena, over two (ArenaBuffers), or several on one ModelAllocator. What can be
//                   chosen is in InterpreterOptions. AllocateTensors plans, and refuses what does not fit.
//   3  run          Write the bytes of inputs(), Invoke, read those of outputs(). Each is an Operand: type, shape,
//                   quantisation, address (kernel.h).
//   4  any tensor   Interpreter::AllocatePersistentTensor and AllocateTemporaryTensor describe a tensor by its index
//                   and its subgraph's: in the tail for as long as the arena, or until FreeTemporaryTensor. Who sets
//                   models up without an interpreter finds the same services in ModelAllocator, in any phase.
//
// Every answer is a Status: a code of core/base/status_codes.inc and up to four numbers. Nothing here uses a heap,
// exceptions or RTTI, or keeps a byte outside the arena and the objects that the application holds. An application that
// works is tests/embedding/sine_support.cc.
#pragma once

#include "core/base/status.h"
#include "core/model/validate.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/interpreter/tensor_copy.h"
#include "core/runtime/storage/arena_image.h"
