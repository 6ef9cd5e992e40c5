// Which whole models there are that have to run: the one list that tests of whole models go by. Whether they do run is
// what each test finds out; a model that stops running fails it.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

namespace arenaproof::testing {

// Those of the shared folder's models that run; all others wait for operators (tests/models/waiting_models_test.cc).
inline constexpr std::array<std::string_view, 26> kRunnableSharedModels = {
    "branching_float_a",
    "branching_int8_a",
    "branching_int8_b",
    "branching_int8_b_fixed_plan",
    "control_if",
    "control_while",
    "hello_world_float",
    "hello_world_int8",
    "hello_world_int8_fixed_plan",
    "micro_speech_quantized",
    "micro_speech_quantized_fixed_plan",
    "person_detect",
    "seanet_add0",
    "seanet_conv0",
    "seanet_conv2",
    "seanet_conv20",
    "seanet_conv4",
    "seanet_leaky_relu12",
    "seanet_leaky_relu13",
    "seanet_pad0",
    "seanet_pad18",
    "seanet_quantize0",
    "seanet_strided_slice0",
    "seanet_sub0",
    "seanet_transpose_conv3",
    "simple_add_model",
};

// *.tflite of a folder, sorted.
std::vector<std::filesystem::path> ModelFilesIn(const std::filesystem::path& folder);

// All of corpus/models.
std::vector<std::filesystem::path> SeedModelFiles();

// A path for each of kRunnableSharedModels, whether the file is there or not; none without the shared folder's models.
std::vector<std::filesystem::path> RunnableSharedModelFiles();

// Both.
std::vector<std::filesystem::path> RunnableModelFiles();

}  // namespace arenaproof::testing
