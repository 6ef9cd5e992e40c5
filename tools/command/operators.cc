#include "tools/command/operators.h"

#include <iostream>
#include <span>
#include <utility>

#include "core/operators/operator_table.h"
#include "tools/command/operator_words.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

using Cells = std::vector<std::string>;

// One table in text, or in Markdown.
struct FactTable {
  Cells headers;
  std::vector<Cells> rows;
};

// What is said of one operator: sentences by their names, and tables.
struct OperatorFacts {
  std::string name;
  std::vector<std::pair<std::string, std::string>> sentences;
  std::vector<FactTable> tables;
};

FactTable OperandTable(const OperatorRow& row) {
  FactTable table{{"operand", "name", "presence", "source", "ranks", "quantisation"}, {}};
  const auto add = [&](const char* side, std::span<const OperandRow> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const OperandRow& operand = operands[i];
      table.rows.push_back({side + std::to_string(i), operand.name, PresenceWords(row, operand),
                            SourceWords(row, operand), RankWords(operand), QuantizationWords(row, operand)});
    }
  };
  add("input ", row.inputs);
  add("output ", row.outputs);
  return table;
}

FactTable TypeTable(const OperatorRow& row) {
  FactTable table;
  for (const std::size_t column : ColumnsOf(row)) table.headers.push_back("type of " + ColumnName(row, column));
  for (const TypeTuple& tuple : row.types) {
    Cells cells;
    for (const std::size_t column : ColumnsOf(row)) cells.emplace_back(TensorTypeName(tuple[column]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

FactTable OptionTable(const OperatorRow& row) {
  FactTable table{{"option", "values"}, {}};
  for (const OptionRow& option : row.options) table.rows.push_back({option.name, OptionWords(option)});
  return table;
}

std::string Listed(const Cells& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

OperatorFacts FactsOf(const OperatorRow& row) {
  OperatorFacts facts{BuiltinOperatorName(row.code), {}, {}};
  const auto say = [&](const char* of, std::string sentence) {
    if (!sentence.empty()) facts.sentences.emplace_back(of, std::move(sentence));
  };
  say("shapes", ShapeRuleWords(row.shape));
  say("limits", row.limits);
  say("longest", RowLengthWords(row));
  say("deviation", row.deviation);
  say("kernels", Listed(KernelSetsOf(row.code)));
  facts.tables.push_back(OperandTable(row));
  FactTable types = TypeTable(row);
  if (types.headers.size() == 1) {
    Cells names;
    for (const Cells& cells : types.rows) names.push_back(cells[0]);
    say("types", Listed(names));
  } else if (!types.headers.empty()) {
    facts.tables.push_back(std::move(types));
  }
  if (!row.options.empty()) facts.tables.push_back(OptionTable(row));
  return facts;
}

std::string MarkdownRow(const Cells& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + (cell.empty() ? "|" : " |");
  return line + "\n";
}

std::string MarkdownTable(const FactTable& table) {
  std::string text = MarkdownRow(table.headers) + MarkdownRow(Cells(table.headers.size(), "---"));
  for (const Cells& cells : table.rows) text += MarkdownRow(cells);
  return text;
}

// Of Markdown: an underscore in a name is no emphasis there, so nothing has to be escaped.
constexpr const char* kIntroduction =
    R"(<!-- Printed by `arenaproof operators --markdown`; the test OperatorsDocument compares it. -->
# The operators

What each operator takes: one row of the table in `core/operators/`, from which the engines draw valid cases and cases
one step beyond each limit, and which fuzzing is counted by. Types outside the tuples, ranks outside the ranges and
options outside their values are refused in prepare. An operand whose *source* is constant may be computed when it has
no elements, as that of a file always is. *Deviation* is where a kernel here refuses or defines what the public
reference leaves undefined. *Kernels* are the sets that have one of their own; the others use that of `reference`.

An operator is added by three files:

1. a kernel in `kernels/reference/`, declared in `families.h` there, and its line in `reference_kernels.cc`;
2. a row in `core/operators/rows/`: operands, types, options, limits. Where its shapes belong together in a new way, a
   shape rule in `core/operators/shape_rules.inc` with one function in `engine/generators/operators/table/`;
3. a definition in `engine/oracles/operators/definitions/`: what it computes, said on numbers, without the kernel's
   code.

Everything else follows from these: the cases, the types and limits that are tried, this page. The test
`AddedOperator` adds one so, and shows that a mistake in its kernel is noticed.
)";

}  // namespace

std::string OperatorsReportText() {
  std::string text;
  for (const OperatorRow* row : OperatorTable()) {
    const OperatorFacts facts = FactsOf(*row);
    text += (text.empty() ? "" : "\n") + facts.name + "\n";
    for (const auto& [of, sentence] : facts.sentences) text += "  " + of + ": " + sentence + "\n";
    for (const FactTable& table : facts.tables) {
      TextTable aligned(table.headers);
      for (const Cells& cells : table.rows) aligned.AddRow(cells);
      text += aligned.Text(2);
    }
  }
  return text;
}

std::string OperatorsReportMarkdown() {
  std::string text = kIntroduction;
  for (const OperatorRow* row : OperatorTable()) {
    const OperatorFacts facts = FactsOf(*row);
    text += "\n## " + facts.name + "\n\n";
    for (const auto& [of, sentence] : facts.sentences) text += "- *" + of + "*: " + sentence + "\n";
    for (const FactTable& table : facts.tables) text += "\n" + MarkdownTable(table);
  }
  return text;
}

ExitStatus OperatorsCommand(const OperatorsOptions& options) {
  std::cout << (options.json       ? OperatorsReportJson()
                : options.markdown ? OperatorsReportMarkdown()
                                   : OperatorsReportText())
            << std::flush;
  if (std::cout) return ExitStatus::kClean;
  std::cerr << "arenaproof: " << kReportNotTaken << "\n";
  return ExitStatus::kCouldNotRun;
}

}  // namespace arenaproof
