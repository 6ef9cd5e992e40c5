// What a planted fault reports to the fault runner: that its place was reached, and that its condition held.
//
// For patches of corpus/faults only: nothing of the tree includes this. A patch writes
//
//   ARENAPROOF_FAULT_REACHED();                // where the sound code would have stood
//   ARENAPROOF_FAULT_TRIGGERED(wrong != right);  // true when the faulty code now does something else than the sound
//
// The counters lie in a file of one page, named by the environment variable ARENAPROOF_FAULT_PROBE and mapped shared,
// so that they outlive the process and worker children count into the same page. Without the variable, or when the file
// cannot be mapped, nothing happens and the condition is not evaluated. No heap, no exceptions, no type information;
// may stand in constexpr functions and in templates over symbolic words (a condition of a class type, such as a
// symbolic comparison, is ignored). The counting itself is never instrumented, so no sanitizer reports it; the
// condition belongs to the caller and should look at local values only.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#if defined(__clang__)
#define ARENAPROOF_FAULT_UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation, no_sanitize("coverage")))
#else
#define ARENAPROOF_FAULT_UNSEEN __attribute__((noinline, no_sanitize("address", "undefined")))
#endif

namespace arenaproof::fault_probe {

// The start of the page, as faults/runner/probe_page.py reads it.
struct Page {
  std::uint64_t reached_count;
  std::uint64_t triggered_count;
};

inline constexpr std::size_t kPageBytes = 4096;
inline Page absent_page{};           // its address stands for "looked, and there is none"
inline Page* mapped_page = nullptr;  // builtins, not std::atomic: its members would be instrumented

// Two threads may both map the page: both mappings are of the same file.
ARENAPROOF_FAULT_UNSEEN inline Page* MapPage() {
  Page* page = &absent_page;
  const char* path = std::getenv("ARENAPROOF_FAULT_PROBE");
  const int file = path == nullptr ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0) {
    void* mapping = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapping != MAP_FAILED) page = static_cast<Page*>(mapping);
  }
  __atomic_store_n(&mapped_page, page, __ATOMIC_RELEASE);
  return page;
}

// Null when nobody asks.
ARENAPROOF_FAULT_UNSEEN inline Page* Watched() {
  Page* page = __atomic_load_n(&mapped_page, __ATOMIC_ACQUIRE);
  if (page == nullptr) page = MapPage();
  return page == &absent_page ? nullptr : page;
}

ARENAPROOF_FAULT_UNSEEN inline void CountReached() {
  if (Page* page = Watched()) __atomic_fetch_add(&page->reached_count, 1, __ATOMIC_RELAXED);
}

ARENAPROOF_FAULT_UNSEEN inline void CountTriggered() {
  if (Page* page = Watched()) __atomic_fetch_add(&page->triggered_count, 1, __ATOMIC_RELAXED);
}

constexpr void Reached() {
  if (!std::is_constant_evaluated()) CountReached();
}

// Takes the condition unevaluated, as a function.
template <typename Condition>
constexpr void Triggered(const Condition& condition) {
  if constexpr (!std::is_class_v<std::remove_cvref_t<decltype(condition())>>) {
    if (!std::is_constant_evaluated() && Watched() != nullptr && static_cast<bool>(condition())) CountTriggered();
  }
}

}  // namespace arenaproof::fault_probe

#define ARENAPROOF_FAULT_REACHED() ::arenaproof::fault_probe::Reached()
#define ARENAPROOF_FAULT_TRIGGERED(condition) \
  ::arenaproof::fault_probe::Triggered([&]() -> decltype(auto) { return (condition); })
