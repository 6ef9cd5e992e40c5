"""The faults: folders of corpus/faults/, or a patch file of the caller's own."""

import fnmatch
import hashlib
import json
import math
import os
import pathlib
import re

from .errors import CannotRun

REQUIRED = {"summary": str, "class": str, "invariant": str, "reachable_from": str, "engines": list, "names": list}
OPTIONAL = {"happened_in": str, "before": dict, "note": str}
BEFORE = {"commit": str, "budget": int, "detected_by": list}
FORMER_ENGINES = ["control"]  # `before` keeps the names of its time: this one is now `runtime` and `control_flow`
MOST_OVER_BUDGET = 1.5  # an engine is stopped between two of its steps only
BEFORE_OPTIONAL = {"seconds": (int, float), "message": str, "reason": str, "not_heard": list}


# Messages that have nothing in common: an expression that matches two of them names nothing.
UNRELATED = [
    "I1 order: begin <= head_end; AllocateTemporary(size=0, alignment=3) -> granted",
    "I4 tail: the arena's end; AllocatePersistent(size=9, alignment=16) -> granted",
    "the lifetime of tensor 2 is [5,5] and has to be [1,5]; Planning.KeepsEveryValue",
    "RC_ASSERT(InvokeModel(interpreter, inputs) == expected.Invoke(program, inputs)); ControlPrograms.ComputeTheSameAsModels",
    "AddressSanitizer: heap-buffer-overflow on address 0x51d0 at pc 0x5647; in Run(Operand const&) convolution.h:92",
    "runtime error: addition of unsigned offset overflowed; in CountBytes elements.h:12",
    "SOFTMAX (operator 12, kernel reference) reads up to 1 byte after input 32 (9 bytes) in invoke; violation",
    "CONV_2D (operator 3, kernel reference) writes up to 4 bytes before its scratch 2 in invoke; violation",
    "an output is not what the definition says: PAD INT8[4,1,1] -> INT8[7,3,4]",
    "sine reference: an output changed: faithful shadow, sha256 differs from the clean tree's",
    "the instrument is blind: 1-byte read of a freed temporary",
    "the instrument's self-test: the instrument is blind: it missed 1 of 58 planted illegal accesses",
    "the instrument's self-test: the instrument is blind: it missed 0 of 58 and reported 2 legal ones",
    "sine reference: the instrument shadow (faithful) declares itself blind: missed 8-byte write before the own input",
    "events and arena do not fit: the head moved, and no reset of the temporaries was announced before",
    "events and arena do not fit: tail: 113 bytes between announced blocks belong to no announced one",
    "events and arena do not fit: the announced plan has 0 scratch buffers, the interpreter 4",
    "AllocateTensors: operator 0 of subgraph 0 did not free 1 of its temporary allocations in prepare",
    "the certifier differs from the oracle; found P1, expected none; certifier: certified (0, 0)",
    "an offline plan is refused by another rule: offset -64 of buffer 3",
    "invoking: status kRuntimeState instead of kOk; LifecycleMachine.KeepsItsInvariants",
    "L4: the state after a refusal is not the state before it",
    "the arena is too small: 96 bytes; interpreter in the state 'allocated'",
    "control_loop_float host64 head 256",
    "hang: proof has no end after 15.8 s, the clean tree's takes 1.1 s",
]


class Fault:
    def __init__(self, name, patch, description):
        self.name, self.patch, self.description = name, patch, description

    @property
    def names(self):
        """Expressions of which one has to match a message that names the right thing."""
        return self.description.get("names", [])

    def is_own(self):
        """Whether it is a patch of the caller's own, not of the catalogue."""
        return self.patch.name != "fault.patch" or self.name.startswith("own:")

    def digest(self):
        return hashlib.sha256(self.patch.read_bytes()).hexdigest()[:16]

    def text(self):
        """The patch with bytes that are no text kept: file names and sources may hold any."""
        return self.patch.read_bytes().decode(errors="surrogateescape")

    def has_probe(self):
        return "ARENAPROOF_FAULT_REACHED" in self.text()

    def has_trigger(self):
        return "ARENAPROOF_FAULT_TRIGGERED" in self.text()


def wrong_types(description):
    """Fields whose types make the description useless; empty when there are none."""
    if not isinstance(description, dict):
        return ["it is no object"]
    wrong = [f"'{field}' is of another type than {kind.__name__}" for field, kind in {**REQUIRED, **OPTIONAL}.items()
             if field in description and not isinstance(description[field], kind)]
    wrong += [f"'{field}' holds something that is no text" for field in ("names", "engines")
              if isinstance(description.get(field), list) and not all(isinstance(each, str) for each in description[field])]
    before = description.get("before")
    return wrong + (wrong_types_of_before(before) if isinstance(before, dict) else [])


def is_of(kind, value):
    """Whether a value has the type: a flag is no number, and a list is a list of texts."""
    return isinstance(value, kind) and not isinstance(value, bool) and \
        (kind is not list or all(isinstance(each, str) for each in value))


def wrong_types_of_before(before):
    return [f"'before' has no '{field}' of type {kind.__name__}" for field, kind in BEFORE.items()
            if not is_of(kind, before.get(field))] + \
        [f"'{field}' of 'before' is of another type" for field, kind in BEFORE_OPTIONAL.items()
         if field in before and not is_of(kind, before[field])]


def complaints_about_before(before, engine_names):
    """What is wrong with a `before` whose types are right."""
    complaints = [f"'before' has a field '{field}'; there are {', '.join([*BEFORE, *BEFORE_OPTIONAL])}" for field in before
                  if field not in BEFORE and field not in BEFORE_OPTIONAL]
    if not re.fullmatch("[0-9a-f]{40}", before["commit"]):
        complaints.append("'commit' of 'before' is no commit in full")
    if before["budget"] < 1:
        complaints.append("'budget' of 'before' is no number of seconds from 1")
    complaints += [f"'detected_by' of 'before' names '{name}'; there are {', '.join(engine_names)}"
                   for name in before["detected_by"]
                   if engine_names is not None and name not in [*engine_names, *FORMER_ENGINES]]
    detected = before["detected_by"]
    complaints += complaints_about_repetition("'detected_by' of 'before'", detected)
    seconds = before.get("seconds", 0)
    if not (math.isfinite(seconds) and 0 <= seconds <= max(before["budget"], 1) * MOST_OVER_BUDGET):
        complaints.append(f"'seconds' of 'before', {seconds}, is no time that {before['budget']} s of engines can take")
    if not before.get("message", "given").strip() or before.get("not_heard") == []:
        complaints.append("'message' or 'not_heard' of 'before' is empty")
    for field, wanted in (("seconds", bool(detected)), ("message", bool(detected))):
        if (field in before) != wanted:
            complaints.append(f"'before' has {'no' if wanted else 'a'} '{field}' though "
                              f"{'an engine' if wanted else 'no engine'} detected")
    if "reason" in before and (detected or not before["reason"]):
        complaints.append("'before' has a 'reason' why it could not be measured that is empty, or was measured")
    return complaints


def complaints_about_repetition(where, names):
    return [f"{where} names an engine twice"] if len(set(names)) < len(names) else []


def is_empty(value):
    return not value or isinstance(value, str) and not value.strip()


def complaints_about(description, engine_names=None):
    """What is wrong with a description; empty when nothing is."""
    complaints = wrong_types(description)
    if complaints:
        return complaints
    complaints += [f"'{field}' is {'empty' if field in description else 'missing'}" for field in REQUIRED
                   if is_empty(description.get(field))]
    complaints += complaints_about_repetition("'engines'", description.get("engines", []))
    complaints += [f"'{field}' is no field; there are {', '.join([*REQUIRED, *OPTIONAL])}" for field in description
                   if field not in REQUIRED and field not in OPTIONAL]
    for expression in description.get("names", []):
        complaints += complaints_about_name(expression)
    for engine in description.get("engines", []) if engine_names is not None else []:
        if engine not in engine_names:
            complaints.append(f"'engines' names '{engine}'; there are {', '.join(engine_names)}")
    if "before" in description:
        complaints += complaints_about_before(description["before"], engine_names)
    return complaints


def complaints_about_name(expression):
    try:
        matched = [message for message in UNRELATED if re.search(expression, message)]
    except re.error as reason:
        return [f"'names' holds {expression!r}, which is no regular expression: {reason}"]
    if len(matched) < 2:
        return []
    return [f"'names' holds {expression!r}, which names nothing: it matches \"{matched[0]}\" and \"{matched[1]}\" alike"]


def read_description(folder):
    """The description as it is now; CannotRun when it is unusable."""
    file = folder / "description.json"
    if not re.fullmatch("[A-Za-z0-9_]+", folder.name):
        raise CannotRun(f"the fault {folder.name!r} has a name of other characters than letters, digits and _")
    try:
        if not file.is_file():
            raise FileNotFoundError
        description = json.loads(file.read_text())
    except OSError:
        raise CannotRun(f"the fault {folder.name} has no description.json") from None
    except (ValueError, RecursionError) as reason:
        raise CannotRun(f"the description of the fault {folder.name} is no JSON: {reason}") from None
    wrong = wrong_types(description)
    if wrong:
        raise CannotRun(f"the description of the fault {folder.name}: {wrong[0]}")
    return description


def load_fault(folder):
    description = read_description(folder)
    if not (folder / "fault.patch").is_file():
        raise CannotRun(f"the fault {folder.name} has no fault.patch")
    return Fault(folder.name, folder / "fault.patch", description)


def all_faults(root):
    folder = pathlib.Path(root) / "corpus" / "faults"
    return [load_fault(path) for path in sorted(folder.glob("*")) if path.is_dir()]


def select(faults, patterns):
    """The faults that match, in the catalogue's order; every pattern has to match one."""
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(fault.name, pattern) for fault in faults):
            raise CannotRun(f"there is no fault '{pattern}'; --list shows those there are")
    if not patterns:
        return faults
    return [fault for fault in faults if any(fnmatch.fnmatchcase(fault.name, pattern) for pattern in patterns)]


PATCH_LINE = re.compile(r"(?m)^(?:---|\+\+\+|\*\*\*|diff --git) \S")  # a rehearsal finds out what it changes


def own_patch(path):
    path = pathlib.Path(path)
    try:
        if path.exists() and not path.is_file():  # a pipe could be read once only, if ever
            raise CannotRun(f"the patch {path} cannot be read: it is no file")
        text = path.read_bytes().decode(errors="surrogateescape")
    except OSError as reason:
        raise CannotRun(f"the patch {path} cannot be read: {reason.strerror}") from None
    if not PATCH_LINE.search(text):
        raise CannotRun(f"{path} is no patch: no line begins with 'diff --git', '---' or '+++'")
    name = os.fsencode(path.stem).decode(errors="backslashreplace")
    return Fault(f"own:{name}", path.absolute(), {"summary": str(path), "engines": [], "names": []})


def own_patches(paths):
    own = {}
    for path in paths:
        fault = own_patch(path)
        if fault.name in own:
            raise CannotRun(f"{own[fault.name].patch} and {path} would both be called {fault.name}; rename one")
        own[fault.name] = fault
    return list(own.values())


def quick_faults(root, faults):
    """Pairs of a fault and the engines to run, from the lines of corpus/faults/quick.txt."""
    file = pathlib.Path(root) / "corpus" / "faults" / "quick.txt"
    known = {fault.name: fault for fault in faults}
    chosen = []
    try:
        if file.exists() and not file.is_file():
            raise CannotRun("corpus/faults/quick.txt cannot be read: it is no file")
        text = file.read_text()
    except (OSError, ValueError) as reason:
        raise CannotRun(f"corpus/faults/quick.txt cannot be read: {getattr(reason, 'strerror', reason)}") from None
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] not in known:
            raise CannotRun(f"corpus/faults/quick.txt names '{words[0]}', which is no fault")
        if len(words) < 2:
            raise CannotRun(f"corpus/faults/quick.txt names no engine for '{words[0]}'")
        chosen.append((known[words[0]], words[1:]))
    if not chosen:
        raise CannotRun("corpus/faults/quick.txt names no fault")
    return chosen
