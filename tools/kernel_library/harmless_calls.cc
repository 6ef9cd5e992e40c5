#include "tools/kernel_library/harmless_calls.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace arenaproof {
namespace {

// Numbers to numbers; with f or l behind them too. What writes through a pointer is not among them: modf, remquo.
constexpr std::string_view kHarmlessMath[] = {
    "acos",   "acosh",     "asin",      "asinh",      "atan", "atan2",     "atanh",  "cbrt",  "ceil",      "copysign",
    "cos",    "cosh",      "erf",       "erfc",       "exp",  "exp10",     "exp2",   "expm1", "fabs",      "fdim",
    "finite", "floor",     "fma",       "fmax",       "fmin", "fmod",      "hypot",  "ilogb", "isinf",     "isnan",
    "ldexp",  "lgamma",    "llrint",    "llround",    "log",  "log10",     "log1p",  "log2",  "logb",      "lrint",
    "lround", "nearbyint", "nextafter", "nexttoward", "pow",  "remainder", "rint",   "round", "roundeven", "scalbln",
    "scalbn", "sin",       "sinh",      "sqrt",       "tan",  "tanh",      "tgamma", "trunc"};

constexpr std::string_view kHarmlessNames[] = {
    // assert.h, errno.h, ctype.h
    "__assert_fail", "__errno_location", "__ctype_b_loc", "tolower", "toupper",
    // signal.h, sched.h, time.h, unistd.h
    "kill", "raise", "sched_yield", "clock", "_exit", "alarm", "close", "fork", "getpagesize", "getpid", "getppid",
    "gettid", "pause", "sleep", "sysconf", "usleep", "vfork",
    // stdlib.h: memory from the heap is no operand
    "_Exit", "abort", "abs", "aligned_alloc", "at_quick_exit", "atexit", "calloc", "div", "exit", "free", "getenv",
    "labs", "llabs", "malloc", "malloc_usable_size", "memalign", "posix_memalign", "quick_exit", "rand", "random",
    "realloc", "secure_getenv", "srand", "srandom",
    // sys/mman.h
    "mmap", "munmap",
    // new, exception, thread, chrono
    "_ZSt9terminatev", "_ZSt15get_new_handlerv", "_ZSt20__get_new_handlerv", "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
    // Of compilers, and of what they link
    "__chk_fail", "__dynamic_cast", "__gcc_personality_v0", "__gmon_start__", "__gxx_personality_v0",
    "__stack_chk_fail", "__tls_get_addr", "__divti3", "__modti3", "__udivti3", "__umodti3", "__extendhfsf2",
    "__truncdfhf2", "__truncsfhf2", "__truncdfbf2", "__truncsfbf2", "__powidf2", "__powisf2", "__isinf", "__isinff",
    "__isnan", "__isnanf"};

constexpr std::string_view kHarmlessBeginnings[] = {
    // Of the instrument
    "__asan_", "__sanitizer_", "__ubsan_", "__wrap_",
    // pthread.h, semaphore.h
    "pthread_", "__pthread_", "sem_",
    // new: operators; thread
    "_Znw", "_Zna", "_Zdl", "_Zda", "_ZNSt6thread",
    // Of compilers
    "_ITM_", "_Unwind_", "__cxa_"};

// Of the C library and of the C++ library, of which functions that are called through them are asked for by name.
constexpr std::string_view kHarmlessData[] = {"stdin",
                                              "stdout",
                                              "stderr",
                                              "environ",
                                              "__environ",
                                              "optarg",
                                              "timezone",
                                              "daylight",
                                              "__stack_chk_guard",
                                              "__dso_handle",
                                              "errno",
                                              "signgam",
                                              "__libc_single_threaded"};
constexpr std::string_view kHarmlessDataBeginnings[] = {"__asan_", "__wrap_", "_ZSt", "_ZNSt"};

// What compilers ask for beside classes, under whatever type of symbol: names of types, virtual functions of the C++
// library.
constexpr std::string_view kHarmlessTables[] = {"_ZTI", "_ZTS", "_ZTT", "_ZTVSt", "_ZTVNSt", "_ZTVN10__cxxabiv1"};

template <std::size_t kCount>
bool BeginsWithOne(std::string_view name, const std::string_view (&beginnings)[kCount]) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view one) { return name.starts_with(one); });
}

bool IsMath(std::string_view name) {
  const auto known = [](std::string_view one) {
    return std::find(std::begin(kHarmlessMath), std::end(kHarmlessMath), one) != std::end(kHarmlessMath);
  };
  const bool other_type = name.ends_with('f') || name.ends_with('l');
  return known(name) || (other_type && known(name.substr(0, name.size() - 1)));
}

// std::__throw_length_error() and the like: digits, which are the name's length, stand before it.
bool Throws(std::string_view name) {
  constexpr std::string_view kStandard = "_ZSt";
  if (!name.starts_with(kStandard)) return false;
  const std::size_t digits_end = name.find_first_not_of("0123456789", kStandard.size());
  return digits_end != std::string_view::npos && name.substr(digits_end).starts_with("__throw_");
}

}  // namespace

bool IsHarmlessCall(std::string_view name) {
  return std::find(std::begin(kHarmlessNames), std::end(kHarmlessNames), name) != std::end(kHarmlessNames) ||
         IsMath(name) || Throws(name) || BeginsWithOne(name, kHarmlessBeginnings) ||
         BeginsWithOne(name, kHarmlessTables);
}

bool IsHarmlessData(std::string_view name) {
  return std::find(std::begin(kHarmlessData), std::end(kHarmlessData), name) != std::end(kHarmlessData) ||
         BeginsWithOne(name, kHarmlessDataBeginnings) || BeginsWithOne(name, kHarmlessTables);
}

}  // namespace arenaproof
