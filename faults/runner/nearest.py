"""Which engines look first at what a fault changed, as somebody who made that change would: those of the patched room,
and of a kernel's file the cases of its operators."""

import copy
import fnmatch
import pathlib
import re

# Folders, and patterns of files; the longest that the patched file lies in, or matches, counts.
NEAREST = {
    "core/arena": ("small-scope", "machine", "fuzz_arena_operations"),
    "core/model": ("model", "offline_plan", "fuzz_model_bytes"),
    "core/planner": ("planner", "sharing", "fuzz_plan_certifier"),
    "core/planner/host": ("host_planner", "sharing", "fuzz_arena_planner"),
    "core/planner/optimal": ("plans", "fuzz_plan_problem"),
    "core/runtime": ("runtime", "lifecycle", "control_flow"),
    "core/runtime/planning": ("runtime", "sharing", "offline_plan", "fuzz_offline_plan_model"),
    "kernels": ("operators", "kernels"),
    "tools/command": ("reports",),
    "tools/command/plan*": ("plans", "sharing", "reports"),
    "tools/command/verify*": ("plans", "sharing"),
    "tools/model": ("sharing", "reports", "offline_plan", "model"),
    "tools/model/front_writer*": ("plans",),
    "tools/model/plan_embedding*": ("plans",),
    "tools/model/planning_kernels*": ("plans", "reports"),
    "tools/planner": ("plans", "sharing", "fuzz_plan_text"),
    "tools/plans": ("plans", "sharing"),
    "tools/worker": ("reports",),
}
REGISTRATION = r"Reference\(BuiltinOperator::(k\w+),[^)]*\)"
NO_CASES = {"CALL_ONCE", "IF", "WHILE", "ASSIGN_VARIABLE", "READ_VARIABLE", "VAR_HANDLE"}
MOST_OPERATORS = 4  # what more of them share is no longer a kernel's own file
SUCCESSES = 120  # a second or two of processor time


def nearest_engines(patched):
    names = []
    for file in map(str, patched):
        places = [place for place in NEAREST if file.startswith(place + "/") or fnmatch.fnmatch(file, place)]
        if places:
            names += NEAREST[max(places, key=len)]
    return list(dict.fromkeys(names))


def operators_of(tree, patched, patch=""):
    """The operators whose reference kernels name a function that one of the patched files defines, and aligned kernels'
    that their file is named after; none when they are many. Before them those whose registration the patch changes:
    what a kernel claims of itself (that its output may lie in an input's bytes) stands there only."""
    names = dict(re.findall(r"ARENAPROOF_BUILTIN_OPERATOR\((k\w+), (\w+),", read(tree / "core/model/builtin_operators.inc")))
    registered = read(tree / "kernels/reference/reference_kernels.cc")
    found = []
    for file in map(pathlib.PurePosixPath, patched):
        if file.parts[:2] == ("kernels", "aligned"):
            found.append(file.stem.upper())
        elif file.parts[0] == "kernels":
            functions = set(re.findall(r"(?m)^Status ((?:Prepare|Invoke)\w+)\(", read(tree / file)))
            found += [names[each[1]] for each in re.finditer(REGISTRATION, registered)
                      if functions & set(re.findall(r"\w+", each[0]))]
    found = with_cases(found, names)
    changed = with_cases([names[operator] for operator in changed_registrations(patch)], names)[:MOST_OPERATORS]
    return with_cases([*changed, *(found if len(found) <= MOST_OPERATORS else [])], names)


def with_cases(found, names):
    return [name for name in dict.fromkeys(found) if name in names.values() and name not in NO_CASES]


def changed_registrations(patch):
    """Of the patch's text: the operators of registrations of which a line was added."""
    lines = [line for line in patch.splitlines() if line[:1] in ("+", " ") and not line.startswith("+++")]
    text = "\n".join(line[1:] for line in lines)
    found = []
    for each in re.finditer(REGISTRATION, text):
        first, last = text.count("\n", 0, each.start()), text.count("\n", 0, each.end())
        if any(line.startswith("+") for line in lines[first:last + 1]):
            found.append(each[1])
    return found


def read(file):
    return file.read_text() if file.is_file() else ""


def brought_near(engines, tree, patched, patch=""):
    """The engines, of which the nearest are marked, and `operators` begins with the operators of patched kernels.
    `patch`: its text."""
    near = nearest_engines(patched)
    changed = []
    for engine in engines:
        engine = copy.copy(engine)
        engine.nearest = engine.name in near
        if engine.name == "operators":
            engine.steps = [*focused_steps(engine.steps, operators_of(tree, patched, patch)), *engine.steps]
        changed.append(engine)
    return changed


def focused_steps(steps, operators):
    """One for each operator and build of the program."""
    focused = []
    for operator in operators:
        for preset in dict.fromkeys(step.preset for step in steps):
            step = copy.copy(next(step for step in steps if step.preset == preset))
            step.name = f"{operator} ({preset})"
            step.arguments = [*step.arguments, f"--operator={operator}"]
            step.environment = dict(step.environment, RC_PARAMS=f"seed={{seed}} max_success={SUCCESSES}")
            focused.append(step)
    return focused
