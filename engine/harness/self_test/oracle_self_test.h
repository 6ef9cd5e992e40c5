// Shows every oracle of the pipeline what it has to refuse, before it checks the first input: kernels that touch what
// is not theirs, leak, leave bytes or fail, plans with one wrong number, events that were changed on their way,
// statuses and sizes of another model. An oracle that lets one of them pass would let everything pass.
#pragma once

namespace arenaproof {

// Ends the process when an oracle does not refuse, or refuses what is right. What has to end a process is shown in
// children.
void RunOracleSelfTest();

}  // namespace arenaproof
