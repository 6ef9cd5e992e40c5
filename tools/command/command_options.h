// Each command with its options and help, added to the program's words.
#pragma once

#include <CLI/CLI.hpp>

#include "tools/command/check.h"
#include "tools/command/describe.h"
#include "tools/command/plan.h"
#include "tools/command/run.h"
#include "tools/command/size.h"
#include "tools/command/verify.h"

namespace arenaproof {

void AddCheck(CLI::App& app, CheckCall& call);
void AddRun(CLI::App& app, RunOptions& options);
void AddDescribe(CLI::App& app, DescribeOptions& options);
void AddSize(CLI::App& app, SizeOptions& options);
void AddPlan(CLI::App& app, PlanOptions& options);
void AddVerify(CLI::App& app, VerifyOptions& options);

}  // namespace arenaproof
