// What canary cannot see, on a host and on a device, in the words of its reports.
#pragma once

namespace arenaproof {

inline constexpr const char* kReadsLeaveNothing =
    "reads: it compares bytes before and after, so only writes leave something behind";
inline constexpr const char* kSameByteLeavesNothing =
    "a write of the byte that lies there already, as when a byte is read and written back";
inline constexpr const char* kAdjoiningBytesAreOne =
    "single accesses: adjoining bytes that changed while an operator ran are one, whatever wrote them";

}  // namespace arenaproof
