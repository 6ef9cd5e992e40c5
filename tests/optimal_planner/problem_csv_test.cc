#include "tools/planner/problem_csv.h"

#include <gtest/gtest.h>

#include <string>

namespace arenaproof {
namespace {

TEST(ProblemCsv, TakesWhatPeopleWrite) {
  const ProblemCsv csv = ReadProblemCsv(
      "\xef\xbb\xbfsize, id ,upper,lower,offset,alignment,gaps\r\n"
      "16,first,5,-2,,,\r\n"
      "\r\n"
      " 32 , second , 9 , 1 , -1 , 8 , 2-3 5-7\r\n"
      "8,third,2,1,64,,");
  ASSERT_EQ(csv.refusal, "");
  ASSERT_EQ(csv.ids, (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_EQ(csv.buffers[0].lifetime.lower, -2);
  EXPECT_EQ(csv.buffers[0].lifetime.upper, 5);
  EXPECT_EQ(csv.buffers[0].bytes, 16);
  EXPECT_EQ(csv.buffers[0].alignment, 1);
  EXPECT_FALSE(csv.buffers[0].offset);
  EXPECT_FALSE(csv.buffers[1].offset);
  EXPECT_EQ(csv.buffers[1].alignment, 8);
  ASSERT_EQ(csv.buffers[1].gaps.size(), 2u);
  EXPECT_EQ(csv.buffers[1].gaps[1].lower, 5);
  EXPECT_EQ(csv.buffers[2].offset, 64);
}

TEST(ProblemCsv, OfAPlanAloneHasGroups) {
  const ProblemCsv csv = ReadProblemCsv("group,id,offset\na,a,0\na,b,0\n,c,4\n", kMostCsvBuffers, CsvKind::kPlan);
  ASSERT_EQ(csv.refusal, "");
  EXPECT_EQ(csv.groups, (std::vector<std::string>{"a", "a", ""}));
  EXPECT_EQ(ReadProblemCsv("id,offset\na,0\n", kMostCsvBuffers, CsvKind::kPlan).groups, std::vector<std::string>());
}

TEST(ProblemCsv, TakesCapitalsInTheHeaderAndPlusSigns) {
  const ProblemCsv csv = ReadProblemCsv("ID,Lower,END,Size,OFFSET,gaps\na,+1,+9,+5,+8,+2-+3 4-+5\n");
  ASSERT_EQ(csv.refusal, "");
  EXPECT_EQ(csv.buffers[0].lifetime.lower, 1);
  EXPECT_EQ(csv.buffers[0].lifetime.upper, 9);
  EXPECT_EQ(csv.buffers[0].bytes, 5);
  EXPECT_EQ(csv.buffers[0].offset, 8);
  EXPECT_EQ(csv.buffers[0].gaps[1].upper, 5);
}

TEST(ProblemCsv, TakesAHeaderAlone) { EXPECT_TRUE(ReadProblemCsv("id,lower,upper,size\n").ok()); }

TEST(ProblemCsv, RefusesEachBadInputWithOneSentence) {
  const std::string header = "id,lower,upper,size,offset,alignment,gaps\n";
  struct Case {
    std::string text;
    std::string sentence;
  };
  for (const Case& bad : {
           Case{"", "The file has no header line."},
           Case{"id,lower,size\n", "Line 1 has no column 'upper'."},
           Case{"id,lower,upper,size,colour\n",
                "Line 1 names a column that is not known: 'colour'; known are id, lower, upper, size, offset, "
                "alignment, gaps and group."},
           Case{
               "id,lower,upper,size,group\n",
               "Line 1 has a column 'group': only a model says whether buffers may lie in each other's bytes, and this "
               "file is read without one."},
           Case{"id,lower,upper,size,Colour\n",
                "Line 1 names a column that is not known: 'Colour'; known are id, lower, upper, size, offset, "
                "alignment, gaps and group."},
           Case{"id,lower,upper,size,END\n", "Line 1 names the column 'upper' twice."},
           Case{"id,lower,upper,size,upper\n", "Line 1 names the column 'upper' twice."},
           Case{header + "1,0,1\n", "Line 2 has 3 fields where the header has 7."},
           Case{header + ",0,1,4,,,\n", "Line 2 has no id."},
           Case{header + std::string("a\0b,0,1,4,,,\n", 14),
                "Line 2 has a control character in its id: 'a?b'; any other character is right."},
           Case{header + "\x1b[31mred,0,1,4,,,\n",
                "Line 2 has a control character in its id: '?[31mred'; any other character is right."},
           Case{header + "1,0,1,4,,,\n\n1,0,1,4,,,\n", "Line 4 has the id '1' of line 2."},
           Case{header + "1,0,x,4,,,\n", "Line 2 has no whole number as its upper: 'x'."},
           Case{header + "1,0,+,4,,,\n", "Line 2 has no whole number as its upper: '+'."},
           Case{header + "1,0,+-1,4,,,\n", "Line 2 has no whole number as its upper: '+-1'."},
           Case{header + "1,0,++1,4,,,\n", "Line 2 has no whole number as its upper: '++1'."},
           Case{header + "1,0,1,4.5,,,\n", "Line 2 has no whole number as its size: '4.5'."},
           Case{header + "1,0,1,9223372036854775808,,,\n",
                "Line 2 has a number that 64 bits do not hold as its size: '9223372036854775808'."},
           Case{header + "1,2,1,4,,,\n", "Buffer '1' ends before it begins."},
           Case{header + "1,0,1,-4,,,\n", "Buffer '1' has a negative size."},
           Case{header + "1,0,1,4,-2,,\n", "Buffer '1' has a negative offset that is not -1."},
           Case{header + "1,0,1,4,,0,\n", "Buffer '1' has an alignment that is not positive."},
           Case{header + "1,0,1,4,6,4,\n", "Buffer '1' has a fixed offset that is no multiple of its alignment."},
           Case{header + "1,0,4,4,,,2\n", "Line 2 has a gap that is not LOWER-UPPER: '2'."},
           Case{header + "1,0,4,4,,,2-5\n",
                "Buffer '1' has a gap that is not inside its lifetime after the gap before it."},
           Case{header + "1,0,1,4611686018427387904,,,\n2,0,1,4,,,\n",
                "With buffer '1' the sizes, alignments and fixed offsets add up to more than 2^62 bytes."},
           Case{header + "1,0,2,8,0,,\n2,1,3,8,4,,\n",
                "Buffer '1' and buffer '2' are alive together, and their fixed offsets make them share bytes."},
       }) {
    const ProblemCsv csv = ReadProblemCsv(bad.text);
    EXPECT_EQ(csv.refusal, bad.sentence);
    EXPECT_EQ(csv.buffers.empty(), !csv.fixed_overlap);
    EXPECT_EQ(csv.fixed_overlap, bad.sentence.ends_with("make them share bytes."));
  }
  EXPECT_EQ(ReadProblemCsv(header + "1,0,1,4,,,\n2,0,1,4,,,\n", 1).refusal, "The file has more than 1 buffers.");
}

}  // namespace
}  // namespace arenaproof
