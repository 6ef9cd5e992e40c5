// Memory of this process that may not be there, page by page.
#include "tools/kernel_library/own_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace arenaproof {
namespace {

// Three pages with letters, and one behind them that nobody may read.
class ThreePages {
 public:
  ThreePages() {
    for (std::size_t i = 0; i < readable(); ++i) start_[i] = static_cast<char>('a' + i % 23);
    mprotect(start_ + readable(), page_, PROT_NONE);
  }
  ~ThreePages() { munmap(start_, 4 * page_); }
  ThreePages(const ThreePages&) = delete;
  ThreePages& operator=(const ThreePages&) = delete;

  char* at(std::size_t offset) const { return start_ + offset; }
  std::size_t page() const { return page_; }
  std::size_t readable() const { return 3 * page_; }
  std::string Text(std::size_t offset, std::size_t bytes) const { return {start_ + offset, bytes}; }

 private:
  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char* const start_ =
      static_cast<char*>(mmap(nullptr, 4 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
};

TEST(OwnMemory, IsReadAcrossPages) {
  const ThreePages pages;
  const OwnMemory memory;
  for (const auto& [offset, bytes] : {std::pair{std::size_t{0}, std::size_t{1}},
                                      {pages.page() - 1, 2},
                                      {pages.page() - 5, pages.page() + 10},
                                      {0, pages.readable()},
                                      {pages.page(), pages.page()},
                                      {pages.readable(), 0}}) {
    std::vector<char> copy(bytes);
    EXPECT_TRUE(memory.Read(pages.at(offset), copy.data(), bytes)) << offset << ", " << bytes;
    EXPECT_EQ(std::string(copy.data(), bytes), pages.Text(offset, bytes)) << offset << ", " << bytes;
  }
}

// What was refused leaves nothing behind for the next.
TEST(OwnMemory, IsReadAfterARefusalToo) {
  const ThreePages pages;
  const OwnMemory memory;
  std::vector<char> copy(2 * pages.page());
  EXPECT_FALSE(memory.Read(pages.at(pages.readable()), copy.data(), 1));
  EXPECT_FALSE(memory.Read(pages.at(pages.readable() - 1), copy.data(), 2));
  EXPECT_FALSE(memory.Read(pages.at(2 * pages.page() - 4), copy.data(), pages.page() + 5));
  ASSERT_TRUE(memory.Read(pages.at(3), copy.data(), 7));
  EXPECT_EQ(std::string(copy.data(), 7), pages.Text(3, 7));
}

TEST(OwnMemory, HasTextsThatEndInTime) {
  const ThreePages pages;
  const OwnMemory memory;
  std::string text = "of before";
  const auto end_at = [&](std::size_t offset, std::size_t most) {
    return memory.ReadText(pages.at(offset), most, &text);
  };
  const std::size_t edge = pages.page();
  EXPECT_EQ(end_at(0, 8), OwnMemory::TextEnd::kTooLong);
  *pages.at(edge + 3) = '\0';
  EXPECT_EQ(end_at(edge - 4, 8), OwnMemory::TextEnd::kTerminated);
  EXPECT_EQ(text, pages.Text(edge - 4, 7)) << "its two parts";
  EXPECT_EQ(end_at(edge - 4, 7), OwnMemory::TextEnd::kTooLong) << "the zero is the eighth";
  EXPECT_EQ(end_at(edge, 4), OwnMemory::TextEnd::kTerminated);
  EXPECT_EQ(text, pages.Text(edge, 3)) << "nothing is left of the last one";
  EXPECT_EQ(end_at(edge + 3, 1), OwnMemory::TextEnd::kTerminated);
  EXPECT_EQ(text, "");
  EXPECT_EQ(end_at(pages.readable() - 3, 3), OwnMemory::TextEnd::kTooLong);
  EXPECT_EQ(end_at(pages.readable() - 3, 4), OwnMemory::TextEnd::kUnreadable);
}

TEST(OwnMemory, KeepsNoDescriptorOpen) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  for (int i = 0; i < 3; ++i) OwnMemory memory;
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace arenaproof
