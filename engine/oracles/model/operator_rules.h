// Which options belong to which builtin operator: the format's tables, by number.
#pragma once

#include <cstdint>

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {

struct OptionsOfOperator {
  std::int64_t code;
  unsigned union_type;  // 0: none
  bool required;
};

// Null: nothing here reads that operator's options.
inline const OptionsOfOperator* OptionsOf(std::int64_t code) {
  static constexpr OptionsOfOperator kOptions[] = {
      {0, 11, false},     // ADD
      {1, 5, true},       // AVERAGE_POOL_2D
      {2, 10, false},     // CONCATENATION
      {3, 1, true},       // CONV_2D
      {4, 2, true},       // DEPTHWISE_CONV_2D
      {5, 94, true},      // DEPTH_TO_SPACE
      {6, 38, false},     // DEQUANTIZE
      {8, 0, false},      // FLOOR
      {7, 0, false},      // EMBEDDING_LOOKUP
      {9, 8, false},      // FULLY_CONNECTED
      {11, 12, false},    // L2_NORMALIZATION
      {12, 5, true},      // L2_POOL_2D
      {14, 0, false},     // LOGISTIC
      {17, 5, true},      // MAX_POOL_2D
      {18, 21, false},    // MUL
      {19, 0, false},     // RELU
      {21, 0, false},     // RELU6
      {22, 17, false},    // RESHAPE
      {23, 15, false},    // RESIZE_BILINEAR
      {25, 9, true},      // SOFTMAX
      {26, 19, true},     // SPACE_TO_DEPTH
      {27, 6, true},      // SVDF
      {28, 0, false},     // TANH
      {32, 0, false},     // CUSTOM
      {34, 22, false},    // PAD
      {36, 23, false},    // GATHER
      {37, 24, false},    // BATCH_TO_SPACE_ND
      {38, 25, false},    // SPACE_TO_BATCH_ND
      {39, 26, false},    // TRANSPOSE
      {40, 27, false},    // MEAN
      {41, 28, false},    // SUB
      {42, 29, false},    // DIV
      {43, 30, false},    // SQUEEZE
      {44, 71, true},     // UNIDIRECTIONAL_SEQUENCE_LSTM
      {45, 32, false},    // STRIDED_SLICE
      {47, 33, false},    // EXP
      {49, 35, true},     // SPLIT
      {50, 36, false},    // LOG_SOFTMAX
      {53, 37, false},    // CAST
      {54, 0, false},     // PRELU
      {55, 39, false},    // MAXIMUM
      {56, 40, false},    // ARG_MAX
      {57, 39, false},    // MINIMUM
      {58, 41, false},    // LESS
      {59, 42, false},    // NEG
      {60, 43, false},    // PADV2
      {61, 44, false},    // GREATER
      {62, 45, false},    // GREATER_EQUAL
      {63, 46, false},    // LESS_EQUAL
      {65, 48, false},    // SLICE
      {66, 0, false},     // SIN
      {67, 49, true},     // TRANSPOSE_CONV
      {70, 52, false},    // EXPAND_DIMS
      {71, 53, false},    // EQUAL
      {72, 54, false},    // NOT_EQUAL
      {73, 0, false},     // LOG
      {74, 27, false},    // SUM
      {75, 0, false},     // SQRT
      {76, 0, false},     // RSQRT
      {79, 57, false},    // ARG_MIN
      {77, 55, false},    // SHAPE
      {81, 27, false},    // REDUCE_PROD
      {82, 27, false},    // REDUCE_MAX
      {83, 59, true},     // PACK
      {84, 60, false},    // LOGICAL_OR
      {86, 62, false},    // LOGICAL_AND
      {87, 63, false},    // LOGICAL_NOT
      {88, 64, true},     // UNPACK
      {89, 27, false},    // REDUCE_MIN
      {90, 65, false},    // FLOOR_DIV
      {91, 27, false},    // REDUCE_ANY
      {92, 66, false},    // SQUARE
      {95, 72, false},    // FLOOR_MOD
      {97, 74, false},    // RESIZE_NEAREST_NEIGHBOR
      {98, 75, true},     // LEAKY_RELU
      {99, 76, false},    // SQUARED_DIFFERENCE
      {101, 78, false},   // ABS
      {102, 79, true},    // SPLIT_V
      {104, 0, false},    // CEIL
      {106, 82, false},   // ADD_N
      {108, 84, false},   // COS
      {111, 0, false},    // ELU
      {93, 67, false},    // ZEROS_LIKE
      {94, 68, false},    // FILL
      {100, 77, true},    // MIRROR_PAD
      {105, 81, false},   // REVERSE_V2
      {107, 83, false},   // GATHER_ND
      {114, 89, false},   // QUANTIZE
      {116, 0, false},    // ROUND
      {117, 91, false},   // HARD_SWISH
      {118, 92, true},    // IF
      {119, 93, true},    // WHILE
      {123, 98, false},   // SELECT_V2
      {126, 101, false},  // BATCH_MATMUL
      {128, 102, false},  // CUMSUM
      {129, 103, true},   // CALL_ONCE
      {130, 104, false},  // BROADCAST_TO
      {140, 27, false},   // REDUCE_ALL
      {142, 111, true},   // VAR_HANDLE
      {143, 112, false},  // READ_VARIABLE
      {144, 113, false},  // ASSIGN_VARIABLE
      {145, 0, false},    // BROADCAST_ARGS
      {151, 117, false},  // DYNAMIC_UPDATE_SLICE
  };
  for (const OptionsOfOperator& options : kOptions) {
    if (options.code == code) return &options;
  }
  return nullptr;
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
