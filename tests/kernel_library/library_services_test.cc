// What the functions of a library ask of the arena while they set an operator up, and what they are told.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "tests/kernel_library/made_up_services.h"
#include "tools/kernel_library/library_kernels.h"

namespace arenaproof {
namespace {

using testing::MadeUpServices;

std::function<std::int32_t(const ArenaproofServices& services, void* host)> asks;

std::int32_t PrepareAsAsked(ArenaproofSetUp* context) { return asks(*context->services, context->host); }
std::int32_t InvokeWithoutEffect(const ArenaproofInvoke*) { return 0; }

// Of a kernel whose prepare asks so.
Status Prepared(MadeUpServices& services, decltype(asks) ask) {
  asks = std::move(ask);
  CheckedTable table;
  table.kernels = {{0, nullptr, nullptr, nullptr, PrepareAsAsked, InvokeWithoutEffect, nullptr, nullptr, nullptr, 0}};
  const LibraryKernels library(table, nullptr);
  const Kernel& kernel = library.set().kernels[0];
  const OperatorOptions options;
  PrepareContext context{.inputs = {}, .outputs = {}, .options = &options, .services = &services};
  const Status of_init = kernel.init(context);
  EXPECT_TRUE(of_init.ok());
  const Status status = kernel.prepare(context);
  kernel.free(context.op_data);
  return status;
}

TEST(LibraryServices, PassEachRequestOn) {
  MadeUpServices services;
  const Status status = Prepared(services, [&](const ArenaproofServices& own, void* host) {
    void *persistent = nullptr, *temporary = nullptr;
    EXPECT_EQ(own.allocate_persistent(host, 20, &persistent), 0);
    EXPECT_EQ(own.allocate_temporary(host, 30, 64, &temporary), 0);
    EXPECT_EQ(own.free_temporary(host, temporary), 0);
    std::size_t index = 99;
    EXPECT_EQ(own.request_scratch(host, 0, &index), 0);
    EXPECT_EQ(own.request_scratch(host, 17, &index), 0);
    EXPECT_EQ(persistent, services.memory.data() + 1);
    EXPECT_EQ(temporary, services.memory.data() + 2);
    return 0;
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(services.asked, "persistent 20; temporary 30 at 64; back 2; scratch 0; scratch 17; ");
}

TEST(LibraryServices, NumberScratchBuffersThatWereGranted) {
  MadeUpServices services;
  const Status status = Prepared(services, [&](const ArenaproofServices& own, void* host) {
    std::size_t index = 99;
    EXPECT_EQ(own.request_scratch(host, 4, &index), 0);
    EXPECT_EQ(index, 0u);
    EXPECT_EQ(own.request_scratch(host, 8, &index), 0);
    EXPECT_EQ(index, 1u);
    services.refusal = Failure(StatusCode::kKernelFailed);
    EXPECT_NE(own.request_scratch(host, 12, &index), 0);
    services.refusal = Ok();
    EXPECT_EQ(own.request_scratch(host, 16, &index), 0);
    EXPECT_EQ(index, 2u) << "what was refused has no number";
    return 0;
  });
  EXPECT_FALSE(status.ok()) << "one was refused";
  EXPECT_EQ(services.asked, "scratch 4; scratch 8; scratch 12; scratch 16; ");
}

// The numbers of one operator begin at 0, whatever the one before has asked for.
TEST(LibraryServices, NumberScratchBuffersOfEachOperator) {
  for (int i = 0; i < 2; ++i) {
    MadeUpServices services;
    const Status status = Prepared(services, [](const ArenaproofServices& own, void* host) {
      std::size_t index = 99;
      EXPECT_EQ(own.request_scratch(host, 4, &index), 0);
      EXPECT_EQ(index, 0u);
      return 0;
    });
    EXPECT_TRUE(status.ok());
  }
}

// Rounded up to a multiple of 16 no word holds it: nobody is asked.
TEST(LibraryServices, RefuseScratchThatNoSizeHolds) {
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 14}) {
    MadeUpServices services;
    const Status status = Prepared(services, [&](const ArenaproofServices& own, void* host) {
      std::size_t index = 99;
      EXPECT_NE(own.request_scratch(host, bytes, &index), 0);
      return 0;
    });
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(services.asked, "") << bytes;
  }
  MadeUpServices services;
  const Status status = Prepared(services, [&](const ArenaproofServices& own, void* host) {
    std::size_t index = 99;
    return own.request_scratch(host, SIZE_MAX - 15, &index);
  });
  EXPECT_TRUE(status.ok()) << "it is the runtime's to refuse";
}

// Whatever a kernel makes of a refusal: the first is the reason, and what was refused is not there.
TEST(LibraryServices, FailAPhaseWithTheirFirstRefusal) {
  using Request = std::int32_t (*)(const ArenaproofServices&, void*);
  for (const Request request :
       {Request([](const ArenaproofServices& own, void* host) {
          void* block = host;
          const std::int32_t answer = own.allocate_persistent(host, 1, &block);
          EXPECT_EQ(block, nullptr);
          return answer;
        }),
        Request([](const ArenaproofServices& own, void* host) {
          void* block = host;
          const std::int32_t answer = own.allocate_temporary(host, 1, 1, &block);
          EXPECT_EQ(block, nullptr);
          return answer;
        }),
        Request([](const ArenaproofServices& own, void* host) {
          std::size_t index = 0;
          return own.request_scratch(host, 1, &index);
        }),
        Request([](const ArenaproofServices& own, void* host) { return own.free_temporary(host, nullptr); })}) {
    for (const std::int32_t value : {0, 77}) {
      MadeUpServices services;
      services.refusal = Failure(StatusCode::kLayoutMemory);
      const Status status = Prepared(services, [&](const ArenaproofServices& own, void* host) {
        EXPECT_EQ(request(own, host), ARENAPROOF_KERNEL_ERROR);
        EXPECT_EQ(request(own, host), ARENAPROOF_KERNEL_ERROR);
        return value;
      });
      EXPECT_EQ(status.code, StatusCode::kLayoutMemory);
      EXPECT_EQ(status.detail[0], 1u) << "the first";
    }
  }
}

}  // namespace
}  // namespace arenaproof
