// Resource variables: a table in the tail, keys, values that outlive an invoke, and every refusal.
#include <gtest/gtest.h>

#include <cstring>

#include "control_run_support.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

using enum BuiltinOperator;

struct ResourceVariablesRun : ControlRun {
  explicit ResourceVariablesRun(ControlModel& model, std::size_t variable_count = 4, std::size_t arena_bytes = 16384)
      : ControlRun(model, ReferenceKernels(), {.resource_variable_count = variable_count}, arena_bytes) {}
};

// total = READ; sum = total + x; ASSIGN sum.
void BuildAccumulator(ControlModel& model) {
  model.Subgraph();
  const auto x = model.Value(2), total = model.Value(2), sum = model.Value(2), handle = model.Handle("total");
  model.Apply(kReadVariable, {handle}, {total})
      .Apply(kAdd, {total, x}, {sum}, AddOptions{})
      .Apply(kAssignVariable, {handle, sum}, {})
      .Bounds({x}, {sum});
}

TEST(ResourceVariables, OutliveAnInvokeUntilTheyAreReset) {
  ControlModel model;
  BuildAccumulator(model);
  ResourceVariablesRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  EXPECT_EQ(run.interpreter->resource_variable_count(), 1u);
  for (int i = 1; i <= 3; ++i) {
    run.SetInput(0, {1, 10});
    ASSERT_TRUE(run.interpreter->Invoke().ok());
    EXPECT_EQ(run.Output(), (std::vector<float>{1.0f * static_cast<float>(i), 10.0f * static_cast<float>(i)}));
  }
  ASSERT_TRUE(run.interpreter->Reset().ok());
  run.SetInput(0, {1, 10});
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(), (std::vector<float>{1, 10}));
}

TEST(ResourceVariables, StartAnewWhenTheModelIsAllocatedAnew) {
  ControlModel model;
  BuildAccumulator(model);
  ResourceVariablesRun run(model, 1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run.interpreter->AllocateTensors().ok()) << "the table of one is emptied each time";
    run.SetInput(0, {1, 10});
    ASSERT_TRUE(run.interpreter->Invoke().ok());
    EXPECT_EQ(run.Output(), (std::vector<float>{1, 10}));
  }
}

TEST(ResourceVariables, HaveHandlesOutsideThePlan) {
  ControlModel model;
  BuildAccumulator(model);
  ResourceVariablesRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  std::size_t offset = 0;
  EXPECT_EQ(run.interpreter->TensorOffset(3, &offset), Failure(StatusCode::kTensorNotPlanned, 3));
  std::span<std::byte> handle;
  ASSERT_TRUE(run.interpreter->TensorBytes(3, &handle).ok());
  ASSERT_EQ(handle.size(), 4u);
  std::int32_t id = -1;
  std::memcpy(&id, handle.data(), sizeof id);
  EXPECT_EQ(id, 0);
}

TEST(ResourceVariables, AreOneForEqualKeysAndTwoForOthers) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(2);
  const auto a = model.Handle("v", "c"), same = model.Handle("v", "c"), other_container = model.Handle("v", "d"),
             other_name = model.Handle("w", "c");
  std::vector<std::int32_t> read;
  model.Apply(kAssignVariable, {a, x}, {});
  for (const auto handle : {other_container, other_name}) {
    const auto doubled = model.Value(2);
    model.Apply(kAdd, {x, x}, {doubled}, AddOptions{}).Apply(kAssignVariable, {handle, doubled}, {});
  }
  for (const auto handle : {a, same, other_container, other_name}) {
    read.push_back(model.Value(2));
    model.Apply(kReadVariable, {handle}, {read.back()});
  }
  model.Bounds({x}, read);
  ResourceVariablesRun run(model, 3);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  EXPECT_EQ(run.interpreter->resource_variable_count(), 3u);
  run.SetInput(0, {1, 2});
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(0), (std::vector<float>{1, 2}));
  EXPECT_EQ(run.Output(1), (std::vector<float>{1, 2}));
  EXPECT_EQ(run.Output(2), (std::vector<float>{2, 4}));
  EXPECT_EQ(run.Output(3), (std::vector<float>{2, 4}));
  ResourceVariablesRun full(model, 2);
  EXPECT_EQ(full.interpreter->AllocateTensors(), Failure(StatusCode::kResourceTableFull, 2));
  ResourceVariablesRun without(model, 0);
  EXPECT_EQ(without.interpreter->AllocateTensors(), Failure(StatusCode::kResourceTableMissing));
}

TEST(ResourceVariables, StartAtTheZeroPointOfWhatIsAssigned) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(4);
  const TensorSpec small{.type = TensorType::kInt8, .shape = {{4}}, .quantization = Scale(0.5f, -7)};
  const auto quantized = model.Add(small), read = model.Add(small), handle = model.Handle("v");
  model.Apply(kReadVariable, {handle}, {read})
      .Apply(kQuantize, {x}, {quantized}, QuantizeOptions{})
      .Apply(kAssignVariable, {handle, quantized}, {})
      .Bounds({x}, {read});
  ResourceVariablesRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  for (int i = 0; i < 2; ++i) {
    run.SetInput(0, {1, 2, 3, 4});
    ASSERT_TRUE(run.interpreter->Invoke().ok());
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(run.interpreter->outputs()[0].data[j], std::byte{0xF9});
    run.interpreter->outputs()[0].data[0] = std::byte{0};
    ASSERT_TRUE(run.interpreter->Invoke().ok());
    EXPECT_EQ(run.interpreter->outputs()[0].data[0], std::byte{static_cast<unsigned char>(-5)});
    ASSERT_TRUE(run.interpreter->Reset().ok());
  }
}

TEST(ResourceVariables, HandleComesIntoASubgraphFromOutside) {
  // The callee knows the variable when it runs only; the caller has given it memory.
  for (const bool assigned : {true, false}) {
    ControlModel model;
    model.Subgraph();
    const auto condition = model.Bool(), x = model.Value(2), handle = model.Handle("v"), y = model.Value(2);
    if (assigned) model.Apply(kAssignVariable, {handle, x}, {});
    model.Apply(kIf, {condition, handle, x}, {y}, IfOptions{1, 1}).Bounds({condition, x}, {y});
    model.Subgraph();
    const auto inner_handle = model.Add({.type = TensorType::kResource});
    const auto v = model.Value(2), twice = model.Value(2), read = model.Value(2);
    model.Apply(kAdd, {v, v}, {twice}, AddOptions{})
        .Apply(kAssignVariable, {inner_handle, twice}, {})
        .Apply(kReadVariable, {inner_handle}, {read})
        .Bounds({inner_handle, v}, {read});
    ResourceVariablesRun run(model);
    ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
    const float values[] = {3, 4};
    std::memcpy(run.interpreter->inputs()[1].data, values, sizeof values);
    run.interpreter->inputs()[0].data[0] = std::byte{1};
    const Status status = run.interpreter->Invoke();
    if (assigned) {
      ASSERT_TRUE(status.ok());
      EXPECT_EQ(run.Output(), (std::vector<float>{6, 8}));
    } else {
      EXPECT_EQ(status, Failure(StatusCode::kResourceEmpty, 0));
      EXPECT_EQ(run.interpreter->failed_operator().subgraph, 1);
      EXPECT_EQ(run.interpreter->failed_operator().operator_index, 1);
    }
  }
}

TEST(ResourceVariables, RefuseValuesOfOtherSizes) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(2), y = model.Value(3), handle = model.Handle("v");
  model.Apply(kAssignVariable, {handle, x}, {}).Apply(kAssignVariable, {handle, y}, {}).Bounds({x, y}, {});
  ResourceVariablesRun run(model);
  EXPECT_EQ(run.interpreter->AllocateTensors(), Failure(StatusCode::kResourceBytes, 0, 12, 8));

  ControlModel narrow;
  narrow.Subgraph();
  const auto wide = narrow.Value(3), less = narrow.Value(2), of_narrow = narrow.Handle("v");
  narrow.Apply(kAssignVariable, {of_narrow, wide}, {})
      .Apply(kAssignVariable, {of_narrow, less}, {})
      .Bounds({wide, less}, {});
  ResourceVariablesRun less_run(narrow);
  EXPECT_EQ(less_run.interpreter->AllocateTensors(), Failure(StatusCode::kResourceBytes, 0, 8, 12));

  ControlModel reader;
  reader.Subgraph();
  const auto a = reader.Value(2), b = reader.Value(3), of_reader = reader.Handle("v");
  reader.Apply(kAssignVariable, {of_reader, a}, {}).Apply(kReadVariable, {of_reader}, {b}).Bounds({a}, {b});
  ResourceVariablesRun wrong(reader);
  ASSERT_TRUE(wrong.interpreter->AllocateTensors().ok());
  EXPECT_EQ(wrong.interpreter->Invoke(), Failure(StatusCode::kResourceBytes, 0, 12, 8));
}

TEST(ResourceVariables, RefuseIdsThatNameNone) {
  ControlModel model;
  model.Subgraph();
  const auto handle = model.Add({.type = TensorType::kResource});  // from the application
  const auto y = model.Value(2);
  model.Handle("v");
  model.Apply(kReadVariable, {handle}, {y}).Bounds({handle}, {y});
  ResourceVariablesRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  for (const std::int32_t id : {-1, 1, INT32_MAX, INT32_MIN}) {
    std::memcpy(run.interpreter->inputs()[0].data, &id, sizeof id);
    EXPECT_EQ(run.interpreter->Invoke(), Failure(StatusCode::kResourceIndex, std::int64_t{id}, 1));
  }
}

TEST(ResourceVariables, RefuseKeysThatLackAPart) {
  for (const int part : {0, 1}) {
    ControlModel model;
    model.Subgraph();
    model.Handle(part == 1 ? nullptr : "v", part == 0 ? nullptr : "c");
    model.Bounds({}, {});
    ResourceVariablesRun run(model);
    EXPECT_EQ(run.interpreter->AllocateTensors(), Failure(StatusCode::kResourceKeyMissing, part));
  }
}

TEST(ResourceVariables, TableThatDoesNotFitTheArenaIsReported) {
  ControlModel model;
  BuildAccumulator(model);
  ResourceVariablesRun run(model, 1000, 4096);
  EXPECT_EQ(run.interpreter->AllocateTensors().code, StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_EQ(run.interpreter->AllocateTensors().code, StatusCode::kArenaPersistentDoesNotFit);
}

}  // namespace
}  // namespace arenaproof::testing
