#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tools/command/command_options.h"
#include "tools/command/option_words.h"
#include "tools/command/shared_options.h"
#include "tools/model/chosen_planner.h"

namespace arenaproof {
namespace {

void AddSubject(CLI::App& command, SubjectOptions& options) {
  command
      .add_option(
          "MODEL", options.path,
          "The .tflite file, or a CSV file: id,lower,upper,size and, where wanted, offset, alignment, gaps; -: on "
          "standard input")
      ->required();
  command.add_option("--kernels", options.kernels, kKernelSets)->capture_default_str();
  AddScratch(command, options.scratch);
  command.add_flag("--trust-plan", options.trust_plan, kTrustPlan);
}

std::string UnknownPlannerOfPlans(const std::string& word) {
  if (std::find(std::begin(kPlannerNames), std::end(kPlannerNames), word) != std::end(kPlannerNames)) return {};
  if (!PathOfGivenPlan(word).empty()) return {};
  return "'" + word + "' is no planner; optimal, greedy, linear, arena or precomputed:FILE would be right";
}

// Words that would change nothing are words that were not understood.
void RefuseWhatContradicts(const PlanOptions& options, const CLI::Option* planner,
                           const std::vector<CLI::Option*>& of_search) {
  for (const CLI::Option* option : of_search) {
    if (option->count() == 0) continue;
    if (options.strip) throw CLI::ValidationError(option->get_name(), "with --strip nothing is planned");
    if (options.planner == "optimal") continue;
    throw CLI::ValidationError(option->get_name(), "it is about the search of --planner=optimal, and '" +
                                                       options.planner + "' does not search");
  }
  if (options.strip && planner->count() > 0) {
    throw CLI::ValidationError("--planner", "with --strip nothing is embedded, so that there is nothing to plan");
  }
  if (options.embed == "-") {
    throw CLI::ValidationError("--embed", "a model is written to a file; ./- is the one that is called '-'");
  }
}

}  // namespace

void AddPlan(CLI::App& app, PlanOptions& options) {
  CLI::App* plan = app.add_subcommand("plan", "Plan the memory of a model, or of a problem in CSV");
  AddSubject(*plan, options);
  plan->add_option(
          "--planner", options.planner,
          "optimal; greedy, which is the device's; linear; arena, TensorFlow Lite's, one for each subgraph (of a "
          "CSV file, which has no graph, its order and search alone); precomputed:FILE, a plan as a C source, "
          "one offset for each buffer")
      ->capture_default_str()
      ->check(
          CLI::Validator([](const std::string& word) { return UnknownPlannerOfPlans(word); }, "PLANNER", "planner"));
  plan->add_flag("--no-sharing", options.no_sharing, kNoSharing);
  CLI::Option* const format =
      plan->add_option("--format", options.format, "Of the report: text, json (docs/json.md), csv, svg, html, c")
          ->capture_default_str()
          ->check(CLI::IsMember({"text", "json", "csv", "svg", "html", "c"}));
  plan->add_flag("--json", options.json, "The same as --format=json")->excludes(format);
  plan->add_option("--layout", options.layout,
                   "Of the picture, svg or html: faithful, the plan's own; dilated, with the closed bytes between "
                   "buffers with which a model is checked")
      ->capture_default_str()
      ->check(CLI::IsMember({"faithful", "dilated"}));
  CLI::Option* const time_limit =
      AddTimeLimit(*plan, options.time_limit_seconds, "Seconds that the optimal planner may search");
  plan->add_option(
          "--work-limit", options.work_limit,
          "Steps that it may search instead, about a million in a second: equal files then have equal plans. First "
          "answers, before the search, are not counted")
      ->check(Decimal(0, std::uint64_t{1} << 62))
      ->excludes(time_limit);
  plan->add_option("--threads", options.threads, "Threads that it may use; the plan does not depend on their number")
      ->capture_default_str()
      ->check(Decimal(1, 256));
  plan->add_flag("--strict-plan", options.strict_plan, kStrictPlan);
  plan->add_flag("--ignore-plan", options.ignore_plan,
                 "Plan as if the model had no plan of its own; otherwise what that fixes stays where it is");
  CLI::Option* const embed =
      plan->add_option("--embed", options.embed, "File for the model with this plan in its metadata")
          ->check(NamesAFile());
  plan->add_flag("--strip", options.strip, "With --embed: the model without any plan instead")->needs(embed);
  CLI::Option* const planner = plan->get_option("--planner");
  const std::vector<CLI::Option*> of_search = {time_limit, plan->get_option("--work-limit"),
                                               plan->get_option("--threads")};
  plan->parse_complete_callback([=, &options] { RefuseWhatContradicts(options, planner, of_search); });
  plan->footer(std::string("Examples:\n"
                           "  arenaproof plan model.tflite\n"
                           "  arenaproof plan model.tflite --format=html > plan.html\n"
                           "  arenaproof plan model.tflite --planner=arena --format=c > plan.c\n"
                           "  arenaproof plan model.tflite --embed=planned.tflite\n"
                           "  arenaproof plan problem.csv --work-limit=1000000 --format=csv\n\n") +
               kExitStatuses);
}

void AddVerify(CLI::App& app, VerifyOptions& options) {
  CLI::App* verify = app.add_subcommand("verify", "Certify somebody else's plan, or say what is wrong with it");
  AddSubject(*verify, options);
  verify
      ->add_option("PLAN", options.plan,
                   "A CSV file with id and offset, a report of plan as JSON, or a plan as a C source (FILE.c, FILE.h, "
                   "FILE.cc, FILE.cpp); -: any of them on standard input; without it the model's own plan, or the CSV "
                   "file's offsets")
      ->check(NamesAFile());
  verify->add_flag("--no-sharing", options.no_sharing, "Certifies no plan in which tensors lie in the bytes of others");
  verify->add_flag("--strict-plan", options.strict_plan, kStrictPlan);
  verify->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  verify->footer(
      std::string("Examples:\n"
                  "  arenaproof verify model.tflite\n"
                  "      the plan in its metadata\n"
                  "  arenaproof verify problem.csv plan.csv\n\n"
                  "Exit status: 0 certified; 1 refused by the certifier; 2 could not be read; 3 internal error."));
}

}  // namespace arenaproof
