"""The outcome of a row of measurements."""

from . import messages


def detecting(row):
    """Engines that detected, in the order they ran."""
    return [name for name, cell in row.get("engines", {}).items() if cell.get("detected")]


def first_detection(row):
    """(engine, cell) with the least time to detection; None when none detected."""
    cells = [(name, cell) for name, cell in row.get("engines", {}).items() if cell.get("detected")]
    return min(cells, key=lambda pair: pair[1]["seconds_to_detection"], default=None)


ALARM = "alarms on the clean tree too"


def alarms(control):
    """The messages of what was found in the clean tree, by engine or comparison."""
    return {name: cell["message"] for name, cell in [*control.get("engines", {}).items(),
                                                     *control.get("comparison", {}).items()] if cell.get("detected")}


def is_alarm(clean_alarms, name, message):
    """An engine that alarms on the clean tree has detected nothing in a faulty one, nor has one with the same message."""
    return name in clean_alarms or messages.essence(message) in map(messages.essence, clean_alarms.values())


def without_alarm(clean_alarms, name, cell):
    """The cell; a detection that is only an alarm is turned into none."""
    if not cell.get("detected") or not is_alarm(clean_alarms, name, cell["message"]):
        return cell
    rest = {field: value for field, value in cell.items() if field not in ("seconds_to_detection", "step")}
    return dict(rest, detected=False, end=ALARM)


def probe_counts(row):
    cells = row.get("engines", {}).values()
    return sum(cell.get("reached", 0) for cell in cells), sum(cell.get("triggered", 0) for cell in cells)


def naming(fault, row):
    """Engines that detected and named the right thing; None when the description does not hold what that is."""
    if not fault.names:
        return None
    return [name for name in detecting(row)
            if messages.names_the_right_thing(fault.names, row["engines"][name]["message"])]


DETECTED, MISSED, UNBUILT = "detected", "missed", "does not build"
BY_COMPILER, ABSENT = "caught by the compiler", "its code did not exist there"
OUTCOMES = [DETECTED, MISSED, UNBUILT, BY_COMPILER, ABSENT]


def outcome(row):
    """The outcome of one fault; unit tests and plain tools do not count."""
    if detecting(row):
        return DETECTED
    for field, what in (("does_not_apply", ABSENT), ("caught_by_compiler", BY_COMPILER), ("does_not_build", UNBUILT)):
        if row.get(field):
            return what
    return MISSED


def false_alarms(control):
    """Engines and comparisons that found something in the clean tree, undefined behaviour too."""
    cells = [*control.get("engines", {}).items(), *control.get("comparison", {}).items()]
    return [f"{name}: {cell['message'] if cell.get('detected') else cell['undefined_behaviour']}" for name, cell in cells
            if cell.get("detected") or cell.get("undefined_behaviour")]


def troubles(row):
    """Programs that could not run."""
    lines = [f"{name}: {step}: {what}" for name, cell in row.get("engines", {}).items()
            for step, what in cell.get("troubles", {}).items()]
    return lines + [f"{name}: {cell['end']}: {cell.get('message', '')}" for name, cell in row.get("comparison", {}).items()
                   if str(cell.get("end", "")).startswith("status")]


def not_heard(row):
    """Engines whose result under a fault is not known."""
    return [f"{name}: {ALARM if cell.get('end') == ALARM else 'could not run'}" for name, cell in row.get("engines", {}).items()
            if not cell.get("detected") and (cell.get("end") == ALARM or cell.get("troubles"))]


def unfinished(row):
    """Engines that end by themselves and did not get to their end: their result is not known."""
    return [f"{name} ({cell['seconds']:.1f} s)" for name, cell in row.get("engines", {}).items()
            if cell.get("end") == "out of time" and not cell.get("random")]
