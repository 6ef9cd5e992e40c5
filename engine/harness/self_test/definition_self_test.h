// Shows the definition's oracle wrong results before it checks the first operator.
#pragma once

namespace arenaproof::props {

// Ends the process when a result that is plainly wrong of a random operator would pass for right.
void RunDefinitionSelfTest();

}  // namespace arenaproof::props
