// Words behind a number that is 1.
#pragma once

#include <string>
#include <string_view>

namespace arenaproof {

// Appends to `sentence`, which ends with the number 1, what `rest` begins with and the number changes: " bytes are" as
// " byte is"; and takes that off `rest`.
void AppendAfterOne(std::string_view& rest, std::string& sentence);

}  // namespace arenaproof
