"""The results as text, as Markdown and as JSON."""

from . import messages, verdicts
from .comparison import PLAIN_ASAN, PLAIN_VALGRIND, UNIT_TESTS

COMPARISONS = [PLAIN_ASAN, PLAIN_VALGRIND, UNIT_TESTS]
HEADINGS = ["fault", "reached", "triggered", "before", "now", "first by", "s", "executions", "named",
            "plain ASan", "plain Valgrind", "unit tests", "engines"]


def count(number):
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= 10 * size:
            return f"{number // size}{unit}"
    return str(number)


def before_text(fault):
    before = fault.description.get("before")
    if not before:
        return "not measured"
    if before.get("reason"):
        return "not measurable"
    return f"{'yes' if before['detected_by'] else 'NO'} ({before['budget']} s)"


def comparison_text(row, column):
    cell = row.get("comparison", {}).get(column)
    if cell is None:
        return "-"
    if not cell["applicable"]:
        return "untouched"
    if cell["detected"]:
        return "yes"
    end = str(cell.get("end", ""))
    if end.startswith("status") or end == verdicts.ALARM:
        return end
    mark = " (UB)" if cell.get("undefined_behaviour") else ""
    return ("no" if end in ("", "clean") else "out of time" if end == "out of time" else "not finished") + mark


def probe_text(fault, row):
    reached, triggered = verdicts.probe_counts(row)
    return (count(reached) if fault.has_probe() else "no probe",
            count(triggered) if fault.has_trigger() else "no probe")


def cells_of(fault, row):
    """One line of the table."""
    outcome = verdicts.outcome(row)
    if outcome not in (verdicts.DETECTED, verdicts.MISSED):
        return [fault.name] + ["-"] * 2 + [before_text(fault), WITHOUT_ENGINES[outcome]] + ["-"] * 8
    first = verdicts.first_detection(row)
    naming = verdicts.naming(fault, row)
    detecting = verdicts.detecting(row)
    applicable = [name for name, cell in row["engines"].items() if cell.get("applicable")]
    named = "-" if naming is None or not detecting else f"{len(naming)} of {len(detecting)}"
    unrun = sum(bool(cell.get("troubles")) for cell in row["engines"].values())
    return [fault.name, *probe_text(fault, row), before_text(fault), "yes" if detecting else "NO",
            first[0] if first else "-", f"{first[1]['seconds_to_detection']:.2f}" if first else "-",
            count(first[1]["executions"]) if first and first[1].get("executions") is not None else "-", named,
            *[comparison_text(row, column) for column in COMPARISONS], f"{len(detecting)} of {len(applicable)}" + (f", {unrun} could not run" if unrun else "")]


WITHOUT_ENGINES = {verdicts.UNBUILT: "DOES NOT BUILD", verdicts.BY_COMPILER: "by the compiler", verdicts.ABSENT: "no code"}


def lines_of(faults, rows):
    return [cells_of(fault, rows[fault.name]) for fault in faults if fault.name in rows]


def text_table(faults, rows):
    lines = [HEADINGS, *lines_of(faults, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def markdown_table(faults, rows):
    lines = [HEADINGS, ["---"] * len(HEADINGS), *lines_of(faults, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def engine_cell(cell):
    if not cell.get("applicable"):
        return "untouched"
    if cell["detected"]:
        return f"{cell['seconds_to_detection']:.2f} s"
    return cell["end"]


def markdown_engines(faults, rows):
    """Which engine detected what, and when."""
    names = list(dict.fromkeys(name for fault in faults for name in rows.get(fault.name, {}).get("engines", {})))
    lines = [["fault", *names], ["---"] * (len(names) + 1)]
    for fault in faults:
        cells = rows.get(fault.name, {}).get("engines", {})
        lines.append([fault.name, *[engine_cell(cells[name]) if name in cells else "-" for name in names]])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


DETAILS = ["fault", "engine", "reached", "triggered", "detected", "s", "executions", "named"]


def detail_of(fault, name, cell):
    """Seconds and executions are those to detection, or all that the engine had."""
    detected = cell.get("detected")
    executions = cell.get("executions")
    seconds = cell.get("seconds_to_detection") if detected else cell.get("seconds", 0)
    right = messages.names_the_right_thing(fault.names, cell.get("message", "")) if detected else None
    return [fault.name, name, count(cell.get("reached", 0)) if fault.has_probe() else "no probe",
            count(cell.get("triggered", 0)) if fault.has_trigger() else "no probe",
            "yes" if detected else cell.get("end", "-"), f"{seconds:.2f}", "-" if executions is None else count(executions),
            {None: "-", True: "yes", False: "no"}[right]]


def markdown_details(faults, rows):
    """A line for each fault and each engine whose program the fault changed."""
    lines = [DETAILS, ["---"] * len(DETAILS)]
    for fault in faults:
        lines += [detail_of(fault, name, cell) for name, cell in rows.get(fault.name, {}).get("engines", {}).items()
                  if cell.get("applicable")]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def messages_text(faults, rows):
    """The message of the fastest engine for each fault, for readers who want to assess the messages themselves."""
    lines = []
    for fault in faults:
        first = verdicts.first_detection(rows.get(fault.name, {}))
        if first:
            lines.append(f"- {fault.name}, {first[0]}: {first[1]['message']}")
    return "\n".join(lines)


def control_text(control):
    alarms = verdicts.false_alarms(control)
    spent = control.get("engine_seconds", 0)
    if alarms:
        return f"control: {len(alarms)} FALSE ALARMS in {spent:.0f} s of engine time\n  " + "\n  ".join(alarms)
    unfinished = verdicts.unfinished(control)
    return f"control: no false alarm in {spent:.0f} s of engine time" + \
        (f"; not finished in their share: {', '.join(unfinished)}" if unfinished else "")


KEPT_FOR_A_RESUME = ("clean", "progress", "digest", "done")


def result_row(row):
    return {field: value for field, value in row.items() if field not in KEPT_FOR_A_RESUME}


def result_json(faults, state):
    """docs/faults.md has the fields."""
    rows = state["rows"]
    control = result_row(rows.get("(control)", {}))
    return {"options": state["options"], "control": control, "false_alarms": verdicts.false_alarms(control),
            "faults": {fault.name: dict(result_row(rows[fault.name]), description=fault.description,
                                        detected=bool(verdicts.detecting(rows[fault.name])),
                                        named_by=verdicts.naming(fault, rows[fault.name]))
                       for fault in faults if fault.name in rows}}
