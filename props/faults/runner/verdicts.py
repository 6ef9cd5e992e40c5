"""What a row of measurements comes to."""

from . import messages


def detecting(row):
    """Engines that detected, in the order they ran."""
    return [name for name, cell in row.get("engines", {}).items() if cell.get("detected")]


def first_detection(row):
    """(engine, cell) with the least time to detection; None when nobody detected."""
    cells = [(name, cell) for name, cell in row.get("engines", {}).items() if cell.get("detected")]
    return min(cells, key=lambda pair: pair[1]["seconds_to_detection"], default=None)


def probe_counts(row):
    cells = row.get("engines", {}).values()
    return sum(cell.get("reached", 0) for cell in cells), sum(cell.get("triggered", 0) for cell in cells)


def naming(fault, row):
    """Engines that detected and named the right thing; None when the description does not say what that is."""
    if not fault.names:
        return None
    return [name for name in detecting(row)
            if messages.names_the_right_thing(fault.names, row["engines"][name]["message"])]


def false_alarms(control):
    """Engines and comparisons that found something in the clean tree."""
    alarms = [f"{name}: {cell['message']}" for name, cell in control.get("engines", {}).items() if cell.get("detected")]
    alarms += [f"{name}: {cell['message']}" for name, cell in control.get("comparison", {}).items()
               if cell.get("detected")]
    return alarms


def troubles(row):
    """Engines that could not run."""
    cells = list(row.get("engines", {}).items()) + list(row.get("comparison", {}).items())
    return [f"{name}: {cell['end']}: {cell.get('message', '')}" for name, cell in cells
            if str(cell.get("end", "")).startswith(("could not run", "status"))]
