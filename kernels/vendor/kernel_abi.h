/* Kernels from outside: what a shared library offers so that `arenaproof --kernels=FILE` runs and checks its kernels.
 * Plain C, as C99 and as C++; it includes nothing of this project. docs/vendor_kernels.md has the way from a source
 * file to a report, kernels/vendor/example a whole library.
 *
 * A library defines one function, arenaproof_kernel_library(), that gives its table of kernels. Everything in the
 * table stays in place, unchanged, while the library is loaded. The table is not trusted: each rule below is checked
 * before the first kernel is called, in a child process.
 *
 * Units. Sizes end in _bytes, counts in _count. Shapes are extents, outermost first.
 *
 * Errors. A function of a kernel returns 0 for success. Every other value is a failure that is reported with the
 * number, save two that end an invoke quietly: ARENAPROOF_KERNEL_CANCELLED and ARENAPROOF_KERNEL_ABORTED. Services
 * return 0 or ARENAPROOF_KERNEL_ERROR; a refused request fails the phase whatever the kernel returns, with the sentence
 * of the refusal ("the arena is too small: ...").
 *
 * Order of calls, for each operator that a kernel serves:
 *
 *     serves*  init  prepare  [ reset  invoke* ]*  free
 *
 * init runs for all operators of the model before the first prepare, prepare for all before the first invoke. After a
 * failed init or prepare none of the three follows in that set-up. free is called once for each operator whose init was
 * called (or would have been, where it is null), however far the set-up came, in the order of the operators; op_data is
 * null when none was set. A model is set up several times, also while an earlier set-up still lives: keep nothing
 * outside op_data.
 *
 * Threads. All calls come from one thread, one after the other, and never from inside a service. A kernel may use
 * threads of its own while it is called, and none of them may touch anything it was given after it has returned.
 *
 * Lifetime of pointers. Contexts, operands and what their pointers lead to are valid until the function returns, with
 * three exceptions: persistent memory stays until free, op_data too, and a constant's data stays where it is.
 *
 *                                  serves   init     prepare   invoke   reset, free
 *   data of constants              yes      yes      yes       yes      no
 *   data of other operands         null     null     null      yes      no
 *   scales, zero points            no       yes      yes       no       no
 *   option_bytes                   -        yes      yes       -        -
 *   persistent memory              -        request  request   yes      yes
 *   scratch buffers                -        -        request   yes      -
 *   temporary memory               -        -        request   -        -
 *
 * "no": the bytes must not be touched, "-": there is no such field. While init, prepare and invoke run an instrument
 * closes everything that they do not list; serves, reset and free are not watched.
 *
 * Control flow and resource variables (IF, WHILE, CALL_ONCE, VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE) are the
 * runtime's own: a table with one of them is refused. */
#ifndef ARENAPROOF_KERNELS_VENDOR_KERNEL_ABI_H
#define ARENAPROOF_KERNELS_VENDOR_KERNEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when the meaning of a field changes. A structure that only grows keeps it: then its size differs. */
#define ARENAPROOF_KERNEL_ABI_VERSION 1

/* Values that a kernel's function returns. */
#define ARENAPROOF_KERNEL_OK 0
#define ARENAPROOF_KERNEL_ERROR 1
#define ARENAPROOF_KERNEL_CANCELLED 8 /* of invoke */
#define ARENAPROOF_KERNEL_ABORTED 15  /* of invoke */

/* Limits that the table and its names have to keep. */
#define ARENAPROOF_MAX_KERNELS 128
#define ARENAPROOF_MAX_NAME_BYTES 64 /* with the zero at the end */
#define ARENAPROOF_MAX_READ_ALLOWANCES 32
#define ARENAPROOF_MAX_ALLOWED_BYTES 64 /* on each side of an operand */

#define ARENAPROOF_MAX_RANK 6
#define ARENAPROOF_BUILTIN_CUSTOM 32

/* Element types: the values of the model format that kernels meet most; others may come. */
#define ARENAPROOF_TYPE_FLOAT32 0
#define ARENAPROOF_TYPE_INT32 2
#define ARENAPROOF_TYPE_UINT8 3
#define ARENAPROOF_TYPE_INT64 4
#define ARENAPROOF_TYPE_BOOL 6
#define ARENAPROOF_TYPE_INT16 7
#define ARENAPROOF_TYPE_INT8 9
#define ARENAPROOF_TYPE_INT4 17 /* packed, two in a byte, in constants */

/* Affine quantisation: real = scale * (stored - zero point). Both counts are 0 when there is none. */
typedef struct ArenaproofQuantization {
  const float* scales;
  size_t scale_count;                    /* 1, or the extent of `dimension` */
  const unsigned char* zero_point_bytes; /* a little-endian int64 each, at any address: copy, do not cast */
  size_t zero_point_count;
  int32_t dimension; /* of scales that are more than one */
} ArenaproofQuantization;

typedef struct ArenaproofOperand {
  void* data;   /* null when absent, empty or not placed yet (the table above); never write a constant or an input */
  size_t bytes; /* that the operand owns from `data` on: no other byte may be touched, but for allowances */
  int32_t type; /* ARENAPROOF_TYPE_..., or another value of the model format */
  int32_t rank; /* 0 to ARENAPROOF_MAX_RANK; 0: a scalar */
  int32_t dims[ARENAPROOF_MAX_RANK];
  uint8_t absent;   /* an optional input that the model leaves out: nothing else of it counts */
  uint8_t constant; /* its bytes never change */
  uint8_t variable; /* an input that keeps its bytes between invokes, and may be written */
  uint8_t reserved;
  ArenaproofQuantization quantization;
} ArenaproofOperand;

/* An option of a builtin operator, as the model has it. Options that an operator lacks are not in the list. */
typedef struct ArenaproofOption {
  int32_t key;     /* ARENAPROOF_OPTION_... */
  int32_t integer; /* flags: 0 or 1 */
  float real;      /* of ALPHA, BETA and clips; else the integer */
} ArenaproofOption;

/* Keys; values are those of the model format. */
enum {
  ARENAPROOF_OPTION_ACTIVATION = 1, /* 0 none, 1 RELU, 2 RELU_N1_TO_1, 3 RELU6, 4 TANH, 5 SIGN_BIT */
  ARENAPROOF_OPTION_PADDING,        /* 0 SAME, 1 VALID */
  ARENAPROOF_OPTION_STRIDE_WIDTH,
  ARENAPROOF_OPTION_STRIDE_HEIGHT,
  ARENAPROOF_OPTION_DILATION_WIDTH,
  ARENAPROOF_OPTION_DILATION_HEIGHT,
  ARENAPROOF_OPTION_FILTER_WIDTH,
  ARENAPROOF_OPTION_FILTER_HEIGHT,
  ARENAPROOF_OPTION_DEPTH_MULTIPLIER,
  ARENAPROOF_OPTION_WEIGHTS_FORMAT,
  ARENAPROOF_OPTION_KEEP_DIMS,
  ARENAPROOF_OPTION_AXIS,
  ARENAPROOF_OPTION_BATCH_DIMS,
  ARENAPROOF_OPTION_COUNT, /* of SPLIT, PACK and UNPACK */
  ARENAPROOF_OPTION_BLOCK_SIZE,
  ARENAPROOF_OPTION_ALIGN_CORNERS,
  ARENAPROOF_OPTION_HALF_PIXEL_CENTERS,
  ARENAPROOF_OPTION_MIRROR_MODE, /* 0 REFLECT, 1 SYMMETRIC */
  ARENAPROOF_OPTION_ALPHA,
  ARENAPROOF_OPTION_BETA,
  ARENAPROOF_OPTION_EXCLUSIVE,
  ARENAPROOF_OPTION_REVERSE,
  ARENAPROOF_OPTION_BEGIN_MASK,
  ARENAPROOF_OPTION_END_MASK,
  ARENAPROOF_OPTION_ELLIPSIS_MASK,
  ARENAPROOF_OPTION_NEW_AXIS_MASK,
  ARENAPROOF_OPTION_SHRINK_AXIS_MASK,
  ARENAPROOF_OPTION_OFFSET,
  ARENAPROOF_OPTION_RANK, /* of SVDF */
  ARENAPROOF_OPTION_ADJOINT_X,
  ARENAPROOF_OPTION_ADJOINT_Y,
  ARENAPROOF_OPTION_CELL_CLIP,
  ARENAPROOF_OPTION_PROJECTION_CLIP,
  ARENAPROOF_OPTION_TIME_MAJOR,
  ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE /* ARENAPROOF_TYPE_...; FLOAT32 when the model does not say */
};

/* Memory from the arena. `host` is that of the context. Every address is a multiple of 16, of temporary memory of the
 * alignment that is asked for. */
typedef struct ArenaproofServices {
  /* Of the operator until free. In init and prepare together 64 blocks at most. */
  int32_t (*allocate_persistent)(void* host, size_t bytes, void** block);
  /* A buffer of the invoke only, that may share bytes with what is not used then. *index: of
   * ArenaproofInvoke::scratch. In prepare. */
  int32_t (*request_scratch)(void* host, size_t bytes, size_t* index);
  /* Until the end of prepare, by when every block has to be given back, in any order. In prepare. */
  int32_t (*allocate_temporary)(void* host, size_t bytes, size_t alignment, void** block);
  int32_t (*free_temporary)(void* host, void* block);
} ArenaproofServices;

/* Of init and prepare. */
typedef struct ArenaproofSetUp {
  const ArenaproofOperand* inputs;
  size_t input_count;
  const ArenaproofOperand* outputs;
  size_t output_count;
  const ArenaproofOption* options; /* of a builtin operator */
  size_t option_count;
  const void* option_bytes; /* of a custom operator: where the model has them, at any address; null when it has none */
  size_t option_bytes_count;
  const ArenaproofServices* services;
  void* host;    /* for the services */
  void* op_data; /* in and out: handed to prepare, invoke, reset and free */
} ArenaproofSetUp;

typedef struct ArenaproofInvoke {
  const ArenaproofOperand* inputs;
  size_t input_count;
  const ArenaproofOperand* outputs;
  size_t output_count;
  void* const* scratch; /* in the order of the requests */
  size_t scratch_count;
  void* op_data;
} ArenaproofInvoke;

/* How far invoke reads on purpose around an operand, beyond what is used: the rest of a vector that is loaded whole.
 * `check` lets it read so far, and lists it. What lies there may be anything and must not influence a result, and there
 * has to be room: the bytes are part of the arena, of what is reserved in front of it, or of the model file, or `check`
 * refuses. An operator that lacks the operand lacks the allowance. */
typedef struct ArenaproofReadAllowance {
  uint32_t operand; /* inputs from 0, outputs from 1000 */
  uint32_t before_bytes;
  uint32_t after_bytes;
} ArenaproofReadAllowance;

typedef struct ArenaproofKernel {
  int32_t builtin_code;    /* of the model format, such as 9 for FULLY_CONNECTED; ARENAPROOF_BUILTIN_CUSTOM */
  const char* custom_name; /* of a custom operator; null with every other code */
  /* 1: serves such operands, 0: does not, and the next kernel of that code is asked. Null: serves all. Of several
   * kernels of one code only the last may have none. */
  int32_t (*serves)(const ArenaproofOperand* inputs, size_t input_count, const ArenaproofOperand* outputs,
                    size_t output_count);
  int32_t (*init)(ArenaproofSetUp* context);          /* may be null */
  int32_t (*prepare)(ArenaproofSetUp* context);       /* may be null */
  int32_t (*invoke)(const ArenaproofInvoke* context); /* never null */
  void (*reset)(void* op_data);                       /* back to the state after prepare; may be null */
  void (*free)(void* op_data);                        /* may be null */
  const ArenaproofReadAllowance* read_allowances;     /* one for an operand; null when there are none */
  uint32_t read_allowance_count;
} ArenaproofKernel;

/* The sizes are those of the header that the library was compiled with. They tell older and newer ones apart. */
typedef struct ArenaproofKernelLibrary {
  uint32_t version; /* ARENAPROOF_KERNEL_ABI_VERSION; first in every version, with the size that follows */
  uint32_t library_bytes;
  uint32_t kernel_bytes;
  uint32_t operand_bytes;
  uint32_t option_bytes;
  uint32_t services_bytes;
  uint32_t set_up_bytes;
  uint32_t invoke_bytes;
  uint32_t read_allowance_bytes;
  uint32_t kernel_count; /* 1 to ARENAPROOF_MAX_KERNELS */
  const char* name;      /* of the set of kernels, for reports */
  const ArenaproofKernel* kernels;
} ArenaproofKernelLibrary;

/* The first fields of a library's table. */
#define ARENAPROOF_KERNEL_ABI_SIZES                                                                                  \
  ARENAPROOF_KERNEL_ABI_VERSION, (uint32_t)sizeof(ArenaproofKernelLibrary), (uint32_t)sizeof(ArenaproofKernel),      \
      (uint32_t)sizeof(ArenaproofOperand), (uint32_t)sizeof(ArenaproofOption), (uint32_t)sizeof(ArenaproofServices), \
      (uint32_t)sizeof(ArenaproofSetUp), (uint32_t)sizeof(ArenaproofInvoke), (uint32_t)sizeof(ArenaproofReadAllowance)

#define ARENAPROOF_KERNEL_LIBRARY_FUNCTION "arenaproof_kernel_library"

#if defined(__GNUC__)
#define ARENAPROOF_KERNEL_EXPORT __attribute__((visibility("default")))
#else
#define ARENAPROOF_KERNEL_EXPORT
#endif

/* The library's one entry. It may look which processor it runs on; it is called once. */
ARENAPROOF_KERNEL_EXPORT const ArenaproofKernelLibrary* arenaproof_kernel_library(void);

#ifdef __cplusplus
}
#endif

#endif
