"""The columns beside the engines: plain AddressSanitizer, plain Valgrind, unit tests. See comparison.py."""

from . import comparison, messages
from .engine_turn import SEED

NOTHING = {"applicable": False, "detected": False, "seconds": 0.0, "message": ""}


def plain_cell(measurement, column, step, hashes):
    """What a tool reports about the process; UndefinedBehaviorSanitizer stops it at an input, and the rest goes on."""
    cell = dict(NOTHING, applicable=measurement.is_changed(None, step, hashes))
    if not cell["applicable"]:
        return cell
    command = [measurement.scratch.program(step.preset, step.program), *step.arguments]
    command = (comparison.VALGRIND if column == comparison.PLAIN_VALGRIND else []) + command
    skipped, cell["end"] = 0, "undefined behaviour, not finished"
    for _ in range(comparison.MOST_UBSAN_STOPS):
        left = comparison.LIMIT_SECONDS[column] - cell["seconds"]
        if left <= 0:
            cell["end"] = "out of time"
            break
        ended = measurement.execute(column, [*command, f"--skip={skipped}"], step.environment, left)
        cell["seconds"] = round(cell["seconds"] + ended.seconds, 2)
        if step.detects(ended) and not ended.cut:
            cell.update(detected=True, message=messages.message_for(ended), end="detected")
            break
        if ended.cut or ended.status == 0:
            cell["end"] = "out of time" if ended.cut else "clean"
            break
        if not messages.stopped_by_ubsan(ended):
            cell.update(end=f"status {ended.status}", message=messages.message_for(ended))
            break
        cell["undefined_behaviour"] = messages.message_for(ended)  # reported, not counted
        skipped = comparison.inputs_replayed(ended.output) or skipped + 1
    return cell


def unit_tests_cell(measurement, steps, hashes):
    cell, failed = dict(NOTHING), []
    for step in steps:
        if not measurement.is_changed(None, step, hashes):
            continue
        cell["applicable"] = True
        left = comparison.LIMIT_SECONDS[comparison.UNIT_TESTS] - cell["seconds"]
        if left <= 0:
            cell["end"] = "out of time"
            break
        ended = measurement.execute(step.name, [measurement.scratch.program(step.preset, step.program), *step.arguments],
                                    {"RC_PARAMS": f"seed={SEED}"}, left)
        cell["seconds"] = round(cell["seconds"] + ended.seconds, 2)
        if ended.cut:
            cell["end"] = "out of time"
        elif ended.status != 0:
            failed += comparison.failed_tests(ended.output) or [f"{step.name} ended with {ended.status}"]
    if failed:
        cell.update(detected=True, message=", ".join(failed)[:600], end="detected")
    cell.setdefault("end", "clean")
    return cell
