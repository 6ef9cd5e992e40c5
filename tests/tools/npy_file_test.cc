// Headers of .npy files: those that numpy writes are read, all others are refused by one sentence.
#include "tools/model/npy_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/npy_bytes.h"
#include "tools/text/names.h"

namespace arenaproof {
namespace {

using testing::NpyBytes;
using Shape = std::vector<std::uint64_t>;

constexpr std::size_t kBegin = 10;  // of the dictionary, in version 1.0

// As numpy pads it: so that the data begin on a multiple of 64.
std::string Padded(const std::string& dictionary, int major = 1) {
  const std::size_t begin = major == 1 ? kBegin : kBegin + 2;
  return dictionary + std::string(63 - (begin + dictionary.size()) % 64, ' ') + "\n";
}

std::string ReadNpy(const std::string& file, NpyHeader* header) {
  return ReadNpyHeader(std::as_bytes(std::span(file)), header);
}

std::string ProblemOf(const std::string& dictionary) {
  NpyHeader header;
  return ReadNpy(NpyBytes(Padded(dictionary)), &header);
}

std::string NpyDictionary(const std::string& shape) {
  return "{'descr': '|i1', 'fortran_order': False, 'shape': " + shape + ", }";
}

struct NpyCase {
  std::string dictionary, type;
  bool fortran_order;
  Shape shape;
};

const NpyCase kReadHeaders[] = {
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }", "<f4", false, {1, 20}},
    {"{'descr': '|i1', 'fortran_order': True, 'shape': (20,), }", "|i1", true, {20}},
    {"{'descr': '<c16', 'fortran_order': False, 'shape': (), }", "<c16", false, {}},
    {"{'descr': '>i8', 'fortran_order': False, 'shape': (2, 0, 18446744073709551615)}",
     ">i8",
     false,
     {2, 0, 18446744073709551615u}},
    {"{'descr':'<i4','fortran_order':False,'shape':(3,4,),}", "<i4", false, {3, 4}},
    {"{ 'descr' : '<i4' ,  'fortran_order' : False , 'shape' : ( 3 , 4 , ) , }", "<i4", false, {3, 4}},
    {"{'descr': '<U5', 'fortran_order': False, 'shape': (1,)}", "<U5", false, {1}}};

TEST(NpyHeaders, AsNumpyWritesThemAreReadInEachVersion) {
  for (const NpyCase& expected : kReadHeaders) {
    for (const int major : {1, 2, 3}) {
      const std::string file = NpyBytes(Padded(expected.dictionary, major), major);
      NpyHeader header{.type = "old", .fortran_order = !expected.fortran_order, .shape = {7, 7}};
      EXPECT_EQ(ReadNpy(file + "data", &header), "") << expected.dictionary;
      EXPECT_EQ(header.type, expected.type);
      EXPECT_EQ(header.fortran_order, expected.fortran_order);
      EXPECT_EQ(header.shape, expected.shape);
      EXPECT_EQ(header.data_offset, file.size());
      EXPECT_EQ(file.size() % 64, 0u);
    }
  }
}

TEST(NpyHeaders, HaveTheirKeysInAnyOrder) {
  std::vector<std::string> pairs = {"'descr': '<f4'", "'fortran_order': True", "'shape': (1, 20)"};
  do {
    for (const char* end : {"}", ", }"}) {
      NpyHeader header;
      const std::string dictionary = "{" + pairs[0] + ", " + pairs[1] + ", " + pairs[2] + end;
      EXPECT_EQ(ReadNpy(NpyBytes(dictionary + "\n"), &header), "") << dictionary;
      EXPECT_EQ(header.type, "<f4");
      EXPECT_TRUE(header.fortran_order);
      EXPECT_EQ(header.shape, (Shape{1, 20}));
    }
  } while (std::ranges::next_permutation(pairs).found);
}

TEST(NpyHeaders, OfTheFormatsLongestAreRead) {
  const std::string dictionary = NpyDictionary("(1, 20)");
  NpyHeader header;
  EXPECT_EQ(ReadNpy(NpyBytes(dictionary + std::string(65534 - dictionary.size(), ' ') + "\n"), &header), "");
  EXPECT_EQ(header.data_offset, kBegin + 65535);
  EXPECT_EQ(ReadNpy(NpyBytes(dictionary + std::string(65535 - dictionary.size(), ' ') + "\n", 2), &header),
            "it has a header of 65536 bytes; at most 65535 would be right");
}

struct WrongNpyHeader {
  std::string marked;  // with a '^' in front of what is wrong
  const char *found, *right;
};

void ExpectRefused(const WrongNpyHeader& wrong) {
  std::string header = wrong.marked;
  const std::size_t at = header.find('^');
  ASSERT_NE(at, std::string::npos) << header;
  header.erase(at, 1);
  NpyHeader ignored;
  EXPECT_EQ(ReadNpy(NpyBytes(header), &ignored), std::string("its header has '") + wrong.found + "' at byte " +
                                                     std::to_string(kBegin + at) + "; " + wrong.right +
                                                     " would be right")
      << header;
}

TEST(NpyHeaders, WithOtherShapesAreRefused) {
  const WrongNpyHeader cases[] = {{"(1 ^20)", "20", "a comma or ')'"},
                                  {"(1^;20)", ";", "a comma or ')'"},
                                  {"(1, 20^])", "]", "a comma or ')'"},
                                  {"(1, 20)^)", ")", "a comma or '}'"},
                                  {"(1,^, 20)", ",", "a decimal number"},
                                  {"(^, 1, 20)", ",", "a decimal number"},
                                  {"(^,)", ",", "a decimal number"},
                                  {"(^-1, 20)", "-1", "a decimal number"},
                                  {"(^+1, 20)", "+1", "a decimal number"},
                                  {"(1, ^20.0)", "20.0", "a decimal number"},
                                  {"(1, ^2e1)", "2e1", "a decimal number"},
                                  {"(1, ^2_0)", "2_0", "a decimal number"},
                                  {"(1, ^0x14)", "0x14", "a decimal number"},
                                  {"(^1L, 20L)", "1L", "a decimal number"},
                                  {"(^'1', 20)", "'", "a decimal number"},
                                  {"(^(1, 20))", "(", "a decimal number"},
                                  {"(1, ^*20)", "*", "a decimal number"},
                                  {"(1,^\t20)", "\\x09", "a decimal number"},
                                  {"(1,^\n20)", "\\x0a", "a decimal number"},
                                  {"(1, ^\xd9\xa3)", "\xd9\xa3", "a decimal number"},
                                  {"(1, ^\xff)", "\\xff", "a decimal number"},
                                  {"(1, ^020)", "020", "a number without a zero in front"},
                                  {"(^01, 20)", "01", "a number without a zero in front"},
                                  {"(^00, 20)", "00", "a number without a zero in front"},
                                  {"(1, ^18446744073709551616)", "18446744073709551616", "a number below 2^64"},
                                  {"(1, ^99999999999999999999)", "99999999999999999999", "a number below 2^64"},
                                  {"^[1, 20]", "[", "a shape such as (1, 20)"},
                                  {"^20", "20", "a shape such as (1, 20)"},
                                  {"^None", "None", "a shape such as (1, 20)"},
                                  {"^1, 20", "1", "a shape such as (1, 20)"}};
  for (const WrongNpyHeader& wrong : cases) {
    ExpectRefused({NpyDictionary(wrong.marked), wrong.found, wrong.right});
  }
  ExpectRefused({NpyDictionary("(1, 20").insert(NpyDictionary("(1, 20").find('}'), "^"), "}", "a decimal number"});
}

TEST(NpyHeaders, WhoseShapeIsANumberAreRefused) {
  for (const char* shape : {"(20)", "( 20 )"}) {
    EXPECT_EQ(ProblemOf(NpyDictionary(shape)),
              "its header has '(20)' at byte 60, which is no shape; (20,) would be right");
  }
}

TEST(NpyHeaders, WithMoreExtentsThanNumpyTakesAreRefused) {
  std::string shape = "(1";
  for (int i = 1; i < 64; ++i) shape += ", 1";
  EXPECT_EQ(ProblemOf(NpyDictionary(shape + ")")), "");
  ExpectRefused({NpyDictionary(shape + ", ^7)"), "7", "the end of the shape after 64 numbers"});
}

TEST(NpyHeaders, ThatAreNoDictionaryOfThreeKeysAreRefused) {
  const char* const comma = "a comma or '}'";
  const char* const key = "a key in single quotes";
  const char* const type = "a type in single quotes, such as '<f4',";
  const char* const order = "True or False";
  const char* const end = "spaces and a line end";
  const WrongNpyHeader cases[] = {
      {"^ {'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", " ", "'{'"},
      {"^('descr', '<f4')\n", "(", "'{'"},
      {"^dict(descr='<f4', fortran_order=False, shape=(1, 20))\n", "dict", "'{'"},
      {"{^\"descr\": '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "\"", key},
      {"{^descr: '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "descr", key},
      {"{^u'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "u", key},
      {"{'de^\\x73cr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "\\", key},
      {"{^, 'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", ",", key},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20),^, }\n", ",", key},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), ^**{}}\n", "*", key},
      {"{'descr' ^'<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "'", "':'"},
      {"{'descr'^= '<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "=", "':'"},
      {"{'descr': '<f4'^; 'fortran_order': False, 'shape': (1, 20), }\n", ";", comma},
      {"{'descr': '<f4' ^'fortran_order': False, 'shape': (1, 20), }\n", "'", comma},
      {"{'descr': '<f' ^'4', 'fortran_order': False, 'shape': (1, 20), }\n", "'", comma},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20)^]\n", "]", comma},
      {"{'descr': ^\"<f4\", 'fortran_order': False, 'shape': (1, 20), }\n", "\"", type},
      {"{'descr': ^<f4, 'fortran_order': False, 'shape': (1, 20), }\n", "<", type},
      {"{'descr': ^b'<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "b", type},
      {"{'descr': ^('<f4', (2,)), 'fortran_order': False, 'shape': (1, 20), }\n", "(", type},
      {"{'descr': '^\n<f4', 'fortran_order': False, 'shape': (1, 20), }\n", "\\x0a", type},
      {"{'descr': '<f4', 'fortran_order': ^Falsey, 'shape': (1, 20), }\n", "Falsey", order},
      {"{'descr': '<f4', 'fortran_order': ^false, 'shape': (1, 20), }\n", "false", order},
      {"{'descr': '<f4', 'fortran_order': ^0, 'shape': (1, 20), }\n", "0", order},
      {"{'descr': '<f4', 'fortran_order': ^'False', 'shape': (1, 20), }\n", "'", order},
      {"{'descr': '<f4', 'fortran_order': ^, 'shape': (1, 20), }\n", ",", order},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), } ^x\n", "x", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }^, {}\n", ",", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }^}\n", "}", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }^\t\n", "\\x09", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }^\r\n", "\\x0d", end},
      {std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }^\0\n", 63), "\\x00", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), } ^# x\n", "#", end},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n^ ", " ", "nothing behind the line end"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 20), }\n^\n", "\\x0a", "nothing behind the line end"}};
  for (const WrongNpyHeader& wrong : cases) ExpectRefused(wrong);
}

TEST(NpyHeaders, HaveEachKeyOnce) {
  const std::string right = "; 'descr', 'fortran_order' and 'shape', each once, would be right";
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "no key 'descr'"},
      {"{'fortran_order': False, 'shape': (1, 20)}", "no key 'descr'"},
      {"{'descr': '|i1', 'shape': (1, 20)}", "no key 'fortran_order'"},
      {"{'descr': '|i1', 'fortran_order': False}", "no key 'shape'"},
      {"{'descr': 'shape', 'fortran_order': False, }", "no key 'shape'"},
      {"{'descr': '|i1', 'descr': '|u1', 'fortran_order': False, 'shape': (1, 20)}",
       "the key 'descr' a second time at byte 27"},
      {"{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (1, 20)}",
       "the key 'descr' a second time at byte 27"},
      {"{'fortran_order': True, 'fortran_order': False, 'descr': '|i1', 'shape': (1, 20)}",
       "the key 'fortran_order' a second time at byte 34"},
      {"{'shape': (1, 20), 'descr': '|i1', 'fortran_order': False, 'shape': (1, 20), }",
       "the key 'shape' a second time at byte 69"},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (1, 20), 'more': 1}", "the key 'more' at byte 69"},
      {"{'Descr': '|i1', 'fortran_order': False, 'shape': (1, 20)}", "the key 'Descr' at byte 11"},
      {"{'descr ': '|i1', 'fortran_order': False, 'shape': (1, 20)}", "the key 'descr ' at byte 11"},
      {"{'': '|i1', 'fortran_order': False, 'shape': (1, 20)}", "the key '' at byte 11"}};
  for (const auto& [dictionary, found] : cases) {
    EXPECT_EQ(ProblemOf(dictionary), std::string("its header has ") + found + right) << dictionary;
  }
}

TEST(NpyHeaders, OfStructuresAreRefused) {
  EXPECT_EQ(ProblemOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 20), }"),
            "it has an array of structures; one of numbers would be right");
}

TEST(NpyHeaders, OfOtherVersionsAreRefused) {
  NpyHeader header;
  for (const auto& [major, minor] : {std::pair{0, 0}, {1, 1}, {2, 1}, {3, 255}, {4, 0}, {255, 0}}) {
    EXPECT_EQ(ReadNpy(NpyBytes(Padded(NpyDictionary("(1, 20)")), major, minor), &header),
              "it has version " + std::to_string(major) + "." + std::to_string(minor) +
                  " of the format .npy; 1.0, 2.0 or 3.0 would be right");
  }
}

TEST(NpyHeaders, ThatEndWithTheFileAreRefused) {
  for (const int major : {1, 2, 3}) {
    const std::string file = NpyBytes(Padded(NpyDictionary("(1, 20)")), major);
    for (std::size_t size = 0; size < file.size(); ++size) {
      NpyHeader header;
      const std::string problem = ReadNpy(file.substr(0, size), &header);
      const std::string ends = "it ends at byte " + std::to_string(size) + ", within its header";
      if (size < 6) {
        EXPECT_EQ(problem, "its header is not that of a .npy file");
      } else if (size < (major == 1 ? kBegin : kBegin + 2)) {
        EXPECT_EQ(problem, ends);
      } else {
        EXPECT_EQ(problem, ends + ", which would end at byte " + std::to_string(file.size()));
      }
    }
  }
}

// The header's text is cut while its length is right for what remains.
TEST(NpyHeaders, WhoseTextEndsTooSoonAreRefused) {
  const std::string dictionary = NpyDictionary("(1, 20)");
  for (std::size_t size = 0; size <= dictionary.size(); ++size) {
    NpyHeader header;
    const std::string problem = ReadNpy(NpyBytes(dictionary.substr(0, size)), &header);
    EXPECT_TRUE(problem.starts_with("its header ends at byte " + std::to_string(kBegin + size) + "; ") ||
                problem.starts_with("its header has 'F"))  // a part of False
        << size << ": " << problem;
  }
}

// The pairs in the order of the text, without what may be written in two ways: spaces, and the last comma of a
// dictionary or a tuple of two.
std::string Plain(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '\'');
    if (c == ' ' && !quoted) continue;
    if (plain.ends_with(',') && (c == '}' || (c == ')' && plain.find(',', plain.find('(')) + 1 != plain.size()))) {
      plain.pop_back();
    }
    plain += c;
  }
  return plain;
}

std::string Rewritten(const NpyHeader& header) {
  std::string shape = "(";
  for (std::size_t i = 0; i < header.shape.size(); ++i) shape += (i > 0 ? "," : "") + std::to_string(header.shape[i]);
  if (header.shape.size() == 1) shape += ",";
  return "{'descr':'" + header.type + "','fortran_order':" + (header.fortran_order ? "True" : "False") +
         ",'shape':" + shape + ")}\n";
}

// Every place, with every byte: replaced, put in, and left out. What is taken is the text that numpy would write of it.
TEST(NpyHeaders, ThatAreTakenAfterAChangeSayWhatIsRead) {
  const std::string header = NpyDictionary("(1, 20)") + " \n";
  std::size_t taken = 0, refused = 0;
  const auto read = [&](const std::string& changed) {
    NpyHeader found;
    const std::string problem = ReadNpy(NpyBytes(changed), &found);
    ++(problem.empty() ? taken : refused);
    if (problem.empty()) {
      EXPECT_EQ(Rewritten(found), Plain(changed));
    } else {
      EXPECT_EQ(problem, PrintableSentence(problem));
      EXPECT_LT(problem.size(), 300u);
    }
  };
  for (std::size_t at = 0; at < header.size(); ++at) {
    read(std::string(header).erase(at, 1));
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = header;
      changed[at] = static_cast<char>(byte);
      read(changed);
      read(std::string(header).insert(at, 1, static_cast<char>(byte)));
    }
  }
  EXPECT_GT(taken, header.size());
  EXPECT_GT(refused, 100 * header.size());
}

}  // namespace
}  // namespace arenaproof
