#include <algorithm>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class Access : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, Access, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(Access, WithinTheOperandsIsSilent) {
  Run({Input(arena(64), 20), Output(arena(256), 64), Scratch(arena(512), 16), Constant(model(128), 32)}, [&] {
    for (std::size_t i = 0; i < 20; ++i) Load<std::uint8_t>(arena(64 + i));
    Load<std::uint64_t>(arena(67));
    Load<Vector16>(arena(68));
    Store<Vector16>(arena(256));
    Store<Vector16>(arena(256 + 48));
    Load<std::uint32_t>(arena(512));
    Store<std::uint32_t>(arena(512));
    Load<Vector16>(model(144));
  });
  EXPECT_EQ(instrument_->log().access_count(), 0U);
}

TEST_P(Access, OutsideOfOperatorsIsTheRuntimesBusiness) {
  Store<std::uint64_t>(arena(0));
  Load<std::uint64_t>(model(0));
  EXPECT_EQ(instrument_->log().access_count(), 0U);
}

TEST_P(Access, OfTwelveBytesBeforeAnInputIsMeasured) {
  Run({Input(arena(128), 20), Output(arena(512), 64)}, [&] { Load<Vector16>(arena(128 - 12)); });
  ASSERT_EQ(groups().size(), 1U);
  const Violation& violation = groups()[0];
  EXPECT_EQ(violation.side, ViolationSide::kBefore);
  EXPECT_EQ(violation.distance_bytes, 12U);
  EXPECT_EQ(violation.operand.kind, OperandKind::kInput);
  EXPECT_EQ(violation.operand.data, arena(128));
  EXPECT_FALSE(violation.write);
  EXPECT_EQ(violation.lowest_touched, -12);
  EXPECT_EQ(violation.highest_touched, -1);
  EXPECT_EQ(violation.max_width_bytes, 16U);
  EXPECT_EQ(violation.state_kind, ByteState::kGap);
  EXPECT_EQ(violation.op.name, "MOCK");
}

TEST_P(Access, OfTwelveBytesAfterAnInputIsMeasured) {
  Run({Input(arena(128), 20), Output(arena(512), 64)}, [&] { Load<Vector16>(arena(128 + 16)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].distance_bytes, 12U);
  EXPECT_EQ(groups()[0].lowest_touched, 20);
  EXPECT_EQ(groups()[0].highest_touched, 31);
}

// The first byte of the first access is closed; 15 bytes in front of it is an operand, too, and so is its last byte.
// That says nothing about which byte the code's test is of, which the second access would suffer from.
TEST_P(Access, BetweenTwoOperandsTeachesNothingAboutOthers) {
  Run({Input(arena(96), 20), Input(arena(128), 20, 1), Input(arena(1024), 20, 2)}, [&] {
    for (const std::size_t at : {std::size_t{116}, std::size_t{1024 - 12}}) Load<Vector16>(arena(at));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_GE(groups()[0].operand.data + groups()[0].lowest_touched, arena(116));
  EXPECT_LE(groups()[0].operand.data + groups()[0].highest_touched, arena(127));
  EXPECT_EQ(groups()[1].operand.data, arena(1024));
  EXPECT_EQ(groups()[1].lowest_touched, -12);
}

TEST_P(Access, OfEveryDistanceAndUnalignedWidthIsMeasured) {
  const std::size_t bytes = 40;
  for (std::size_t distance = 1; distance <= 16; ++distance) {
    Run(
        {Scratch(arena(1024), bytes)}, [&] { Load<Vector16>(arena(1024 - distance)); },
        static_cast<std::int32_t>(distance));
    ASSERT_EQ(groups().size(), 2 * distance - 1);
    EXPECT_EQ(groups().back().distance_bytes, distance);
    EXPECT_EQ(groups().back().side, ViolationSide::kBefore);
    Run(
        {Scratch(arena(1024), bytes)}, [&] { Load<Vector16>(arena(1024 + bytes + distance - 16)); },
        static_cast<std::int32_t>(distance));
    ASSERT_EQ(groups().size(), 2 * distance);
    EXPECT_EQ(groups().back().distance_bytes, distance);
    EXPECT_EQ(groups().back().side, ViolationSide::kAfter);
  }
}

TEST_P(Access, WhoseLastByteLiesOnAMultipleOfItsWidthIsMeasured) {
  Run({Scratch(arena(1024), 40)}, [&] { Load<Vector16>(arena(1057)); });
  Run({Scratch(arena(1024), 40)}, [&] { Load<std::uint64_t>(arena(1065)); }, 1);
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].distance_bytes, 9U);
  EXPECT_EQ(groups()[1].distance_bytes, 9U);
}

TEST_P(Access, ByAlignedTypesIsMeasured) {
  // No memcpy: the compiler relies on the alignment and makes one test.
  Run({Scratch(arena(1024), 16)}, [&] {
    access_sink = *reinterpret_cast<const volatile std::uint32_t*>(arena(1040));
    access_sink = *reinterpret_cast<const volatile std::uint64_t*>(arena(1024 - 8));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].distance_bytes, 4U);
  EXPECT_EQ(groups()[1].distance_bytes, 8U);
}

TEST_P(Access, OfEachOfSixtyFourClosedBytesOnBothSidesIsMeasured) {
  const std::size_t bytes = 21;  // no multiple of anything
  Run({Scratch(arena(1024), bytes)}, [&] {
    for (std::size_t i = 0; i < bytes; ++i) {
      Load<std::uint8_t>(arena(1024 + i));
      Store<std::uint8_t>(arena(1024 + i));
    }
  });
  ASSERT_EQ(instrument_->log().access_count(), 0U);
  for (std::size_t distance = 1; distance <= 64; ++distance) {
    Run(
        {Scratch(arena(1024), bytes)},
        [&] {
          Load<std::uint8_t>(arena(1024 - distance));
          Store<std::uint8_t>(arena(1024 - distance));
          Load<std::uint8_t>(arena(1024 + bytes - 1 + distance));
          Store<std::uint8_t>(arena(1024 + bytes - 1 + distance));
        },
        static_cast<std::int32_t>(distance));
    ASSERT_EQ(groups().size(), 4 * distance);
    for (std::size_t i = 4 * distance - 4; i < 4 * distance; ++i) {
      EXPECT_EQ(groups()[i].distance_bytes, distance);
      EXPECT_NE(groups()[i].side, ViolationSide::kFar);
    }
  }
}

TEST_P(Access, ThatWritesIsDistinguishedFromOneThatReads) {
  Run({Scratch(arena(128), 16)}, [&] {
    Store<std::uint32_t>(arena(144));
    Load<std::uint32_t>(arena(144));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_TRUE(groups()[0].write);
  EXPECT_FALSE(groups()[1].write);
  EXPECT_EQ(groups()[0].distance_bytes, 4U);
}

TEST_P(Access, IsGroupedByOperatorOperandSideAndRight) {
  Run({Input(arena(128), 16)}, [&] {
    for (std::size_t i = 1; i <= 10; ++i) Load<std::uint8_t>(arena(128 - i));
    Load<std::uint32_t>(arena(144));
  });
  Run({Input(arena(128), 16)}, [&] { Load<std::uint8_t>(arena(127)); }, 1);
  ASSERT_EQ(groups().size(), 3U);
  EXPECT_EQ(groups()[0].count, 10U);
  EXPECT_EQ(groups()[0].distance_bytes, 10U);
  EXPECT_EQ(groups()[0].min_width_bytes, 1U);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[2].op.index, 1);
  EXPECT_EQ(instrument_->log().access_count(), 12U);
}

TEST_P(Access, BetweenTwoOperandsIsChargedToTheNearer) {
  // 128 closed bytes between the two, as in the dilated layout.
  Run({Input(arena(128), 64, 5), Output(arena(320), 64, 6)}, [&] {
    Load<std::uint8_t>(arena(192 + 63));
    Load<std::uint8_t>(arena(320 - 1));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].operand.index, 5);
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].distance_bytes, 64U);
  EXPECT_EQ(groups()[1].operand.index, 6);
  EXPECT_EQ(groups()[1].side, ViolationSide::kBefore);
}

TEST_P(Access, FarFromEveryOperandIsCalledFar) {
  Run({Input(arena(128), 16)}, [&] { Load<std::uint8_t>(arena(2048)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kFar);
  EXPECT_EQ(groups()[0].distance_bytes, 2048U - 144);
}

TEST_P(Access, OfTheCheckersGuardsAroundArenaAndModelIsSeen) {
  Run({Input(arena(0), 16), Constant(model(1024 - 32), 32)}, [&] {
    Load<std::uint8_t>(arena(0) - 64);
    Load<std::uint64_t>(model(1024));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 64U);
  EXPECT_EQ(groups()[0].state_kind, ByteState::kGuard);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[1].distance_bytes, 8U);
}

TEST_P(Access, OfAnotherConstantOfTheModelIsSeen) {
  Run({Constant(model(512), 64, 7)}, [] {});
  Run({Constant(model(256), 64, 3)}, [&] { Load<std::uint32_t>(model(512)); }, 1);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].state_kind, ByteState::kConstant);
  EXPECT_NE(groups()[0].state.find("tensor 7"), std::string::npos);
}

TEST_P(Access, ByLibraryCallsIsMeasured) {
  Run({Input(arena(128), 20), Output(arena(512), 20)}, [&] {
    unsigned char local[64] = {};
    volatile std::size_t bytes = 24;
    std::memcpy(local, arena(128), bytes);
    std::memcpy(arena(512), local, bytes);
    access_sink = static_cast<std::uint64_t>(std::memcmp(arena(128), local, bytes));
    access_sink = local[5];
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].count, 2U);  // memcpy and memcmp
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].distance_bytes, 4U);
  EXPECT_TRUE(groups()[1].write);
  EXPECT_EQ(groups()[1].distance_bytes, 4U);
}

TEST_P(Access, OfOwnPersistentAndTemporaryMemoryIsLegalUntilItIsGivenBack) {
  OperatorScope scope;
  scope.phase = OperatorPhase::kPrepare;
  instrument_->OnOperatorBegins(scope);
  instrument_->OnRuntimeEnters();
  Store<std::uint64_t>(arena(2000));  // the runtime's own bookkeeping
  instrument_->OnTailAllocated({arena(1024), 64});
  instrument_->OnTemporaryAllocated({arena(512), 32});
  instrument_->OnRuntimeLeaves();
  Store<Vector16>(arena(1024 + 48));
  Store<Vector16>(arena(512));
  EXPECT_EQ(instrument_->log().access_count(), 0U);
  instrument_->OnRuntimeEnters();
  instrument_->OnTemporaryFreed(arena(512));
  instrument_->OnRuntimeLeaves();
  Store<std::uint8_t>(arena(512));
  Store<std::uint8_t>(arena(1024 + 64));
  instrument_->OnOperatorEnds();
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kFar);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[1].operand.kind, OperandKind::kPersistent);
}

TEST_P(Access, OfDeadAndLiveTensorsIsNamed) {
  const std::vector<PlanEntry> plan = {
      {.tensor = 10, .offset = 0, .bytes = 64, .first = 0, .last = 1},
      {.tensor = 11, .offset = 64, .bytes = 64, .first = 1, .last = 2},
      {.tensor = 12, .offset = 192, .bytes = 64, .first = 2, .last = 3},
      {.tensor = 13, .offset = 256, .bytes = 64, .first = 0, .last = 5},
  };
  instrument_->OnPlanCommitted(arena(0), plan);
  instrument_->registry().NameTensor(0, 13, "skip");
  Run(
      {Input(arena(64), 64, 11), Output(arena(192), 64, 12)},
      [&] {
        Load<std::uint8_t>(arena(63));
        Load<std::uint8_t>(arena(256));
      },
      1);
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].state_kind, ByteState::kDeadTensor);
  EXPECT_NE(groups()[0].state.find("dead tensor 10"), std::string::npos) << groups()[0].state;
  EXPECT_EQ(groups()[1].state_kind, ByteState::kLiveTensor);
  EXPECT_NE(groups()[1].state.find("live tensor 13 'skip'"), std::string::npos) << groups()[1].state;
}

TEST_P(Access, MapShowsOperandAndTouchedBytesInAFewLines) {
  Run({Input(arena(128), 20), Output(arena(512), 64)}, [&] { Load<Vector16>(arena(128 - 12)); });
  ASSERT_EQ(groups().size(), 1U);
  const std::vector<std::string>& map = groups()[0].map;
  ASSERT_GE(map.size(), 2U);
  EXPECT_LE(map.size(), 8U);
  EXPECT_NE(map[0].find("arena+0x"), std::string::npos) << map[0];
  EXPECT_NE(map[0].find(".. OOO"), std::string::npos) << map[0];
  ASSERT_NE(map[1].find("!!"), std::string::npos) << map[1];
  EXPECT_EQ(map[1].find("!!") + 3, map[0].find("OOO")) << map[0] << "\n" << map[1];
  EXPECT_NE(map.back().find("! below: touched without right"), std::string::npos);
}

// The first byte after 20 of an operand shares its granule with the operand's last four.
TEST_P(Access, MapShowsTheOperandWhoseGranuleIsTouched) {
  Run({Input(arena(128), 20), Output(arena(512), 64)}, [&] { Load<std::uint8_t>(arena(128 + 20)); });
  ASSERT_EQ(groups().size(), 1U);
  const std::vector<std::string>& map = groups()[0].map;
  ASSERT_GE(map.size(), 3U);
  const std::size_t last_letter = map[0].find("OOO") + 2;
  EXPECT_EQ(map[0].substr(last_letter - 2, 4), "OOO.") << map[0];
  EXPECT_EQ(map[1].find('!'), last_letter) << map[0] << "\n" << map[1];
  EXPECT_EQ(map[1].size(), last_letter + 1) << map[1];
}

// What only the byte shadow sees.
class ExactAccess : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, ExactAccess, ::testing::Values("shadow"),
                         [](const auto& instance) { return instance.param; });

TEST_P(ExactAccess, WritingToAnInputOrConstantLacksTheRight) {
  Run({Input(arena(128), 16), Constant(model(64), 16), Output(arena(256), 16)}, [&] {
    Store<std::uint8_t>(arena(130));
    Store<std::uint8_t>(model(64));
    Load<std::uint8_t>(arena(256));
  });
  ASSERT_EQ(groups().size(), 3U);
  for (const Violation& violation : groups()) {
    EXPECT_EQ(violation.side, ViolationSide::kInside);
    EXPECT_EQ(violation.distance_bytes, 0U);
  }
  EXPECT_TRUE(groups()[0].write);
  EXPECT_EQ(groups()[0].lowest_touched, 2);
  EXPECT_EQ(groups()[1].operand.kind, OperandKind::kConstant);
  EXPECT_FALSE(groups()[2].write);
}

TEST_P(ExactAccess, ThatReadsWhatWasOverwrittenInPlaceIsSeen) {
  const std::vector<OperandRange> shared{{arena(128), 16, AccessRight::kReadInPlace, OperandKind::kInput, 1},
                                         {arena(128), 16, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 2}};
  // Element by element, from the first to the last and back: clean.
  Run(shared, [&] {
    for (const std::size_t i : {0U, 4U, 8U, 12U}) {
      Load<std::uint32_t>(arena(128 + i));
      Store<std::uint32_t>(arena(128 + i));
    }
  });
  EXPECT_TRUE(groups().empty());
  Run(
      shared,
      [&] {
        Load<std::uint64_t>(arena(136));  // what an earlier operator overwrote is open again
        Store<std::uint64_t>(arena(136));
        Load<std::uint64_t>(arena(128));
        Store<std::uint64_t>(arena(136));  // written once more
      },
      1);
  EXPECT_TRUE(groups().empty());
  // A window that reads one element behind the one that it writes.
  Run(
      shared,
      [&] {
        Store<std::uint32_t>(arena(128));
        Load<std::uint32_t>(arena(132));
        Load<std::uint32_t>(arena(128));
      },
      2);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kOverwritten);
  EXPECT_FALSE(groups()[0].write);
  EXPECT_EQ(groups()[0].operand.kind, OperandKind::kInput);
  EXPECT_EQ(groups()[0].operand.index, 1);
  EXPECT_EQ(groups()[0].lowest_touched, 0);
  EXPECT_EQ(groups()[0].highest_touched, 3);
  // An operator's output that shares nothing may be read back.
  Run(
      {Input(arena(128), 16), Scratch(arena(256), 16)},
      [&] {
        Store<std::uint32_t>(arena(256));
        Load<std::uint32_t>(arena(256));
      },
      3);
  EXPECT_EQ(groups().size(), 1U);
}

TEST_P(ExactAccess, ThatSpansAClosedHoleBetweenTwoOperandsIsSeen) {
  // [128,132) and [140,144) open, the 16-byte access begins and ends inside.
  Run({Input(arena(128), 4, 1), Input(arena(140), 4, 2)}, [&] { Load<Vector16>(arena(128)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].operand.index, 1);  // touched, holds the lowest byte
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].distance_bytes, 8U);
}

TEST_P(ExactAccess, BesideAConstantThatStartsOnAnOddByteIsMeasured) {
  Run({Constant(model(67), 20)}, [&] { Load<std::uint8_t>(model(66)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].distance_bytes, 1U);
  EXPECT_EQ(instrument_->BlindBytesBefore(Constant(model(67), 20), {}), 0U);
}

TEST_P(ExactAccess, LeavesTheExtentOfEachOperand) {
  Run({Input(arena(128), 64, 4), Output(arena(256), 64, 5)}, [&] {
    Load<std::uint32_t>(arena(128 + 10));
    Load<std::uint8_t>(arena(128 + 40));
    Store<Vector16>(arena(256 + 16));
  });
  const auto& extents = instrument_->extents();
  const Extent& input = extents.at({0, 0, OperatorPhase::kInvoke, OperandKind::kInput, 4});
  EXPECT_EQ(input.lowest_read, 10);
  EXPECT_EQ(input.highest_read, 40);
  EXPECT_FALSE(input.written);
  const Extent& output = extents.at({0, 0, OperatorPhase::kInvoke, OperandKind::kOutput, 5});
  EXPECT_EQ(output.lowest_written, 16);
  EXPECT_EQ(output.highest_written, 31);
}

TEST_P(ExactAccess, AcrossOneOperandThatEndsBothSidesMakesTwoRuns) {
  Run({Input(arena(132), 4)}, [&] { Load<Vector16>(arena(128)); });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 4U);
  EXPECT_EQ(groups()[1].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[1].distance_bytes, 8U);
}

TEST_P(ExactAccess, ByCallsWithoutAHookIsSeen) {
  std::memset(arena(128), 'x', 24);
  std::memset(arena(152), 0, 8);
  Run({Input(arena(128), 20)}, [&] {
    access_sink = std::strlen(reinterpret_cast<const char*>(arena(128)));
    access_sink = std::memchr(arena(128), 0, 64) != nullptr;
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].count, 2U);
  EXPECT_EQ(groups()[0].distance_bytes, 5U);  // up to the zero at 24
}

// What AddressSanitizer's granules leave open, and that it is said.
class GranuleAccess : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, GranuleAccess, ::testing::Values("asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(GranuleAccess, InFrontOfAnUnalignedConstantIsNotSeenAndAnnounced) {
  const OperandRange constant = Constant(model(68), 20);
  Run({constant}, [&] {
    Load<std::uint8_t>(model(66));
    Load<std::uint8_t>(model(63));
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].distance_bytes, 5U);
  EXPECT_EQ(instrument_->BlindBytesBefore(constant, {}), 4U);
}

// Each is tested by its first and its last byte. Of the first access the last alone is closed, and the second begins
// with it, in the next operator and in the same one.
TEST_P(GranuleAccess, FromTheLastByteOfTheOneBeforeIsNoPartOfIt) {
  const std::vector<OperandRange> operands = {Input(arena(128), 16)};
  Run(operands, [&] { Load<std::uint16_t>(arena(143)); });
  Run(operands, [&] { Load<std::int16_t>(arena(144)); }, 1);
  Run(
      operands,
      [&] {
        Load<std::uint16_t>(arena(143));
        Load<std::int16_t>(arena(144));
      },
      2);
  ASSERT_EQ(groups().size(), 3U);
  EXPECT_EQ(groups()[0].distance_bytes, 1U);
  EXPECT_EQ(groups()[1].distance_bytes, 2U);
  EXPECT_EQ(groups()[2].distance_bytes, 2U);
  EXPECT_EQ(groups()[2].count, 2U);
}

TEST_P(GranuleAccess, ByAFloodIsCappedSaidSoAndTheNextOperatorIsChecked) {
  Run({Scratch(arena(128), 16)}, [&] {
    for (int i = 0; i < 5000; ++i) Load<std::uint8_t>(arena(144));
  });
  EXPECT_TRUE(instrument_->log().capped());
  EXPECT_LT(instrument_->log().access_count(), 5000U);
  Run({Scratch(arena(128), 16)}, [&] { Load<std::uint8_t>(arena(127)); }, 1);
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[1].op.index, 1);
}

}  // namespace
}  // namespace arenaproof::testing
