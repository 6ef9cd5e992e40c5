#include "tools/command/resource_limits.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>

#include "tools/text/text.h"

namespace arenaproof {
namespace {

struct KnownLimit {
  int resource;
  const char* letter;  // of ulimit
  const char* what;
  std::uint64_t unit;  // of the shell, in the kernel's
  const char* unit_name;
};

constexpr KnownLimit kLimits[] = {
    {RLIMIT_AS, "v", "address space", 1024, " KiB"}, {RLIMIT_DATA, "d", "data", 1024, " KiB"},
    {RLIMIT_STACK, "s", "the stack", 1024, " KiB"},  {RLIMIT_FSIZE, "f", "the size of files", 1024, " KiB"},
    {RLIMIT_NOFILE, "n", "open files", 1, ""},       {RLIMIT_NPROC, "u", "processes", 1, ""},
    {RLIMIT_CPU, "t", "CPU time", 1, " seconds"},
};

const KnownLimit& Known(int resource) {
  return *std::find_if(std::begin(kLimits), std::prev(std::end(kLimits)),
                       [&](const KnownLimit& limit) { return limit.resource == resource; });
}

// The kernel's number for "no limit" is the largest.
rlim_t Limit(int resource) {
  rlimit limit{};
  return getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

}  // namespace

std::string LimitText(int resource) {
  const rlim_t limit = Limit(resource);
  if (limit == RLIM_INFINITY) return {};
  const KnownLimit& known = Known(resource);
  const std::string value = limit == 1 && resource == RLIMIT_CPU ? Counted(1, "second")
                                                                 : std::to_string(limit / known.unit) + known.unit_name;
  return std::string("the limit on ") + known.what + " is " + value + " (ulimit -" + known.letter + ")";
}

std::string LimitTooLow(std::initializer_list<LimitNeed> needs) {
  for (const LimitNeed& need : needs) {
    if (Limit(need.resource) >= need.least) continue;
    const KnownLimit& known = Known(need.resource);
    return LimitText(need.resource) + "; " + std::to_string((need.least + known.unit - 1) / known.unit) +
           known.unit_name + " or 'unlimited' would be right";
  }
  return {};
}

std::string LimitOnStart() {
  return LimitTooLow(
      {{RLIMIT_AS, 256 * kMebibyte}, {RLIMIT_DATA, 64 * kMebibyte}, {RLIMIT_STACK, kMebibyte}, {RLIMIT_NOFILE, 32}});
}

std::string_view NoMemoryLeft(std::span<char> buffer) {
  constexpr const char* kSentence = "arenaproof: no memory is left for the command";
  const int resource = Limit(RLIMIT_DATA) <= Limit(RLIMIT_AS) ? RLIMIT_DATA : RLIMIT_AS;
  const rlim_t limit = Limit(resource);
  const KnownLimit& known = Known(resource);
  const int length =
      limit == RLIM_INFINITY
          ? std::snprintf(buffer.data(), buffer.size(), "%s; a machine with more would be right\n", kSentence)
          : std::snprintf(buffer.data(), buffer.size(),
                          "%s: the limit on %s is %llu KiB (ulimit -%s); more, or 'unlimited', would be right\n",
                          kSentence, known.what, static_cast<unsigned long long>(limit / known.unit), known.letter);
  return {buffer.data(), std::min(buffer.size() - 1, static_cast<std::size_t>(std::max(length, 0)))};
}

std::string StackTooSmall() { return LimitTooLow({{RLIMIT_STACK, kMebibyte / 2}}); }

}  // namespace arenaproof
