// Functions that an instrument sees in part only, in the words of both disassemblers.
#include "tools/kernel_library/unhooked_code.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

std::string Found(std::string_view disassembly) {
  std::string text;
  for (const UnhookedCode& one : UnhookedFunctions(disassembly)) text += one.function + " " + one.why + "\n";
  return text;
}

std::string Function(const std::string& instructions) { return "0000000000001180 <f>:\n" + instructions; }

TEST(UnhookedCode, IsWhatTouchesMemoryAndCallsNoHook) {
  const std::string load = "    1184:      \tmovq\t(%rdi), %rax\n";
  const std::string without = "f is compiled without hooks\n";
  EXPECT_EQ(Found(Function(load)), without);
  EXPECT_EQ(Found(Function("    1184:\tmov    (%rdi,%rcx,4),%eax\n")), without);  // GNU's words
  EXPECT_EQ(Found(Function("    1184:      \tmovups\t%xmm0, -0x10(%rdx)\n")), without);
  EXPECT_EQ(Found(Function(load + "    1187:      \tcallq\t0x1030 <__asan_load8_noabort@plt>\n")), "");
  EXPECT_EQ(Found(Function(load + "    1187:\tcall   1030 <__asan_report_load8_noabort@plt>\n")), "");
  EXPECT_EQ(Found(Function(load + "    1187:      \tcallq\t0x1030 <memcpy@plt>\n")), without);
  // The hook is another function's.
  EXPECT_EQ(Found(Function(load) + "0000000000001200 <g>:\n    1200: \tjmp\t0x1030 <__asan_load8_noabort@plt>\n"),
            without);
}

TEST(UnhookedCode, IsNoCodeThatTouchesNothingButStackAndConstants) {
  for (const char* instruction :
       {"fadd\t%st(1), %st", "leaq\t(,%rdi,4), %rax", "jmpq\t*(,%rax,8)", "pushq\t%rbx",
        "movq\t%rax, 0x10(%rsp,%rcx,8)", "leaq\t(%rdi,%rsi), %rax", "movsd\t0xe38(%rip), %xmm0", "nopw\t(%rax,%rax)",
        "nopw   %cs:0x0(%rax,%rax,1)", "data16 cs nopw 0x0(%rax,%rax,1)", "prefetcht0\t(%rdi)", "callq\t*0x18(%rax)",
        "notrack jmp *(%rax)", "rep ret", "retq"}) {
    EXPECT_EQ(Found(Function(std::string("    1184: \t") + instruction + "\n")), "") << instruction;
  }
  EXPECT_EQ(Found("0000000000001180 <__copy_all>:\n    1184:\tmovb\t(%rax), %al\n"),
            "__copy_all is compiled without hooks\n")
      << "a name of the library's own";
  EXPECT_EQ(Found("0000000000001180 <__asan_check_load_add_1_RAX>:\n    1184:\tmovb\t(%rax), %al\n"), "");
}

TEST(UnhookedCode, IsWhatTheCompilerMayNotHaveHooked) {
  const std::string hook = "    1187: \tcallq\t0x1030 <__asan_load8_noabort@plt>\n";
  const std::pair<const char*, const char*> kInstructions[] = {
      {"vpgatherdd\t%ymm1, (%rdi,%ymm0,4), %ymm2", "vpgatherdd"},
      {"vmaskmovps\t(%rdi), %ymm0, %ymm1", "vmaskmovps"},
      {"vmovdqu8\t(%rdi), %zmm0 {%k1} {z}", "vmovdqu8"},
      {"vpscatterdd\t%zmm1, (%rdi,%zmm0,4) {%k1}", "vpscatterdd"},
      {"rep\tmovsb\t(%rsi), %es:(%rdi)", "movsb"},
      {"rep stos %al,%es:(%rdi)", "stos"},
      {"maskmovdqu\t%xmm1, %xmm0", "maskmovdqu"},
      {"vpgatherqq\t%ymm1, (,%ymm0), %ymm2", "vpgatherqq"},
      {"lddqu\t(%rdi), %xmm0", "lddqu"},
      {"vlddqu (%rdi),%ymm0", "vlddqu"},
      {"lodsb\t(%rsi), %al", "lodsb"},
      {"rep movsb", "movsb"},
      {"xlatb", "xlatb"},
      {"vpmovusdb\t%zmm0, (%rbx)", "vpmovusdb"},
      {"tileloadd\t(%rdi,%rcx), %tmm0", "tileloadd"},
      {"movdiri\t%eax, (%rdi)", "movdiri"}};
  for (const auto& [instruction, name] : kInstructions) {
    EXPECT_EQ(Found(Function(hook + "    1190: \t" + instruction + "\n")),
              std::string("f has the instruction ") + name + ", which the compiler may not have hooked\n");
  }
  EXPECT_EQ(Found(Function(hook + "    1190: \tvmovdqu8\t%zmm1, %zmm0 {%k1} {z}\n")), "") << "no memory";
  EXPECT_EQ(Found(Function(hook + "    1190: \tvpmovsxbw\t(%rdi), %ymm0\n")), "") << "a load that is hooked";
}

TEST(UnhookedCode, IsReachedByAddressesOfEveryForm) {
  const std::string without = "f is compiled without hooks\n";
  for (const char* instruction :
       {"movzbl\t(,%rdi), %eax", "movzbl 0x0(,%rdi,1),%eax", "vpgatherqq\t%ymm1, (,%ymm0), %ymm2",
        "movzbl\t(%rbp), %eax", "xlatb", "xlat   %ds:(%rbx)", "fldt\t(%rdi)", "movzbl\t(%rsi), %eax",
        "movzbl\t(%r8,%rsp), %eax", "movzbl\t(%edi), %eax"}) {
    EXPECT_NE(Found(Function(std::string("    1184: \t") + instruction + "\n")).find(without), std::string::npos)
        << instruction;
  }
}

// Compilers use %rbp for other things where nobody asks for a frame.
TEST(UnhookedCode, IsToldFromTheFrameByWhatMadeTheFrame) {
  const std::string use = "    1190: \tmovq\t-0x8(%rbp), %rax\n";
  for (const char* frame : {"movq\t%rsp, %rbp", "mov    %rsp,%rbp", "leaq\t0x20(%rsp), %rbp"}) {
    const std::string made = std::string("    1184: \t") + frame + "\n";
    EXPECT_EQ(Found(Function(made + use)), "") << frame;
    EXPECT_EQ(Found(Function(made + "    1188: \tpopq\t%rbp\n    1189: \tretq\n" + use)), "") << frame;
    for (const char* other : {"movq\t%rdi, %rbp", "mov    %rdi,%rbp", "leaq\t(%rsp,%rdi), %rbp"}) {
      EXPECT_EQ(Found(Function(made + "    1188: \t" + other + "\n" + use)), "f is compiled without hooks\n") << other;
    }
  }
}

// What one function does says nothing of the next.
TEST(UnhookedCode, IsFoundInEachFunctionForItself) {
  const std::string load = "    1184: \tmovq\t(%rdi), %rax\n";
  const std::string hook = "    1187: \tcallq\t0x1030 <__asan_load8_noabort@plt>\n";
  const std::string gather = "    1190: \tvpgatherdd\t%ymm1, (%rdi,%ymm0,4), %ymm2\n";
  const std::string frame = "    1184: \tmovq\t%rsp, %rbp\n", use = "    1190: \tmovq\t-0x8(%rbp), %rax\n";
  const auto g = [](const std::string& instructions) { return "\n0000000000001200 <g>:\n" + instructions; };
  EXPECT_EQ(Found(Function(hook + load) + g(load)), "g is compiled without hooks\n");
  EXPECT_EQ(Found(Function(load) + g("    1200: \tretq\n")), "f is compiled without hooks\n");
  EXPECT_EQ(Found(Function(hook + gather) + g(hook + load)),
            "f has the instruction vpgatherdd, which the compiler may not have hooked\n");
  EXPECT_EQ(Found(Function(frame + use) + g(use)), "g is compiled without hooks\n");
  EXPECT_EQ(Found(Function(load) + g(load)), "f is compiled without hooks\ng is compiled without hooks\n");
}

TEST(UnhookedCode, IsEveryInstructionThatTheCompilerLeavesAlone) {
  const std::string hook = "    1187: \tcallq\t0x1030 <__asan_load8_noabort@plt>\n";
  const auto whole = [&](const std::string& name, const std::string& operands) {
    return Found(Function(hook + "    1190: \t" + name + "\t" + operands + "\n"));
  };
  for (const char* name : {"vgatherdps",  "vpgatherdq",  "vscatterqpd", "vpscatterdq", "vmaskmovpd", "vpmaskmovd",
                           "vcompressps", "vpcompressd", "vexpandpd",   "vpexpandq",   "vpmovwb",    "vpmovdb",
                           "vpmovdw",     "vpmovqb",     "vpmovqw",     "vpmovqd",     "vpmovswb",   "vpmovsqd",
                           "vpmovuswb",   "vpmovusqw",   "tilestored",  "tileloaddt1", "movdir64b",  "lodsq"}) {
    EXPECT_EQ(whole(name, "%ymm1, (%rdi)"),
              std::string("f has the instruction ") + name + ", which the compiler may not have hooked\n");
  }
  for (const char* name : {"vmovups", "vpmovzxbw", "vpmovsxdq", "vpmovmskb", "movq", "vpmaxsd", "fldt"}) {
    EXPECT_EQ(whole(name, "(%rdi), %ymm1"), "") << name;
  }
  // They need no address that is written out.
  for (const char* name : {"maskmovq", "vmaskmovdqu", "xlat"}) EXPECT_NE(whole(name, "%mm1, %mm0"), "") << name;
  EXPECT_NE(whole("repne", "scasb %es:(%rdi),%al"), "");
  // The first is named.
  EXPECT_EQ(Found(Function(hook + "    1190: \tlddqu\t(%rdi), %xmm0\n    1194: \tlodsb\t(%rsi), %al\n")),
            "f has the instruction lddqu, which the compiler may not have hooked\n");
}

// The text is of a file that may say anything.
TEST(UnhookedCode, TakesAnyText) {
  for (const char* text : {"", "\n\n", "<>:", "0 <>:", "0000 <f>:\n  :\n  1:\n 1: (%\n", "1: rep"}) {
    EXPECT_EQ(Found(text), "") << text;
  }
}

}  // namespace
}  // namespace arenaproof
