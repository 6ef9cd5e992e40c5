"""The faults: folders of corpus/faults/, or a patch file of somebody's own."""

import fnmatch
import hashlib
import json
import pathlib
import re

from .errors import CannotRun

REQUIRED = {"summary": str, "class": str, "invariant": str, "reachable_from": str, "engines": list, "names": list}
OPTIONAL = {"happened_in": str, "before": dict, "note": str}
BEFORE = {"commit": str, "budget": int, "detected_by": list}


class Fault:
    def __init__(self, name, patch, description):
        self.name, self.patch, self.description = name, patch, description

    @property
    def names(self):
        """Expressions of which one has to match a message that names the right thing."""
        return self.description.get("names", [])

    def digest(self):
        return hashlib.sha256(self.patch.read_bytes()).hexdigest()[:16]

    def has_probe(self):
        return "ARENAPROOF_FAULT_REACHED" in self.patch.read_text()

    def has_trigger(self):
        return "ARENAPROOF_FAULT_TRIGGERED" in self.patch.read_text()

    def files(self):
        return patched_files(self.patch.read_text())


def patched_files(patch_text):
    """Changed, made or deleted, in the patch's order."""
    return list(dict.fromkeys(re.findall(r"(?m)^(?:---|\+\+\+) [ab]/(\S+)", patch_text)))


def complaints_about(description, engine_names=None):
    """What is wrong with a description; empty when nothing is."""
    complaints = []
    if not isinstance(description, dict):
        return ["it is not an object"]
    for field, kind in REQUIRED.items():
        if field not in description:
            complaints.append(f"'{field}' is missing")
        elif not isinstance(description[field], kind) or not description[field]:
            complaints.append(f"'{field}' is empty or of another type than {kind.__name__}")
    for field, value in description.items():
        if field not in REQUIRED and field not in OPTIONAL:
            complaints.append(f"'{field}' is no field; there are {', '.join([*REQUIRED, *OPTIONAL])}")
        elif field in OPTIONAL and not isinstance(value, OPTIONAL[field]):
            complaints.append(f"'{field}' is of another type than {OPTIONAL[field].__name__}")
    for expression in description.get("names", []):
        try:
            re.compile(expression)
        except (re.error, TypeError) as reason:
            complaints.append(f"'names' holds {expression!r}, which is no regular expression: {reason}")
    for engine in description.get("engines", []) if engine_names is not None else []:
        if engine not in engine_names:
            complaints.append(f"'engines' names '{engine}'; there are {', '.join(engine_names)}")
    before = description.get("before", {})
    for field, kind in BEFORE.items() if before else []:
        if not isinstance(before.get(field), kind):
            complaints.append(f"'before' has no '{field}' of type {kind.__name__}")
    return complaints


def load_fault(folder):
    file = folder / "description.json"
    try:
        description = json.loads(file.read_text())
    except OSError:
        raise CannotRun(f"the fault {folder.name} has no description.json") from None
    except ValueError as reason:
        raise CannotRun(f"the description of the fault {folder.name} is no JSON: {reason}") from None
    return Fault(folder.name, folder / "fault.patch", description)


def all_faults(root):
    folder = pathlib.Path(root) / "corpus" / "faults"
    return [load_fault(path.parent) for path in sorted(folder.glob("*/fault.patch"))]


def select(faults, patterns):
    """In the catalogue's order; every pattern has to match one."""
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(fault.name, pattern) for fault in faults):
            raise CannotRun(f"there is no fault '{pattern}'; --list shows those there are")
    if not patterns:
        return faults
    return [fault for fault in faults if any(fnmatch.fnmatchcase(fault.name, pattern) for pattern in patterns)]


def own_patch(path):
    path = pathlib.Path(path)
    try:
        text = path.read_text(errors="replace")
    except OSError as reason:
        raise CannotRun(f"the patch {path} cannot be read: {reason.strerror}") from None
    if not patched_files(text):
        raise CannotRun(f"{path} is no patch: no line begins with '--- a/' or '+++ b/'")
    return Fault(f"own:{path.stem}", path.resolve(), {"summary": str(path), "engines": [], "names": []})


def quick_faults(root, faults):
    """corpus/faults/quick.txt: a fault and the engines to run, one a line. Gives pairs."""
    file = pathlib.Path(root) / "corpus" / "faults" / "quick.txt"
    known = {fault.name: fault for fault in faults}
    chosen = []
    for line in file.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] not in known:
            raise CannotRun(f"corpus/faults/quick.txt names '{words[0]}', which is no fault")
        if len(words) < 2:
            raise CannotRun(f"corpus/faults/quick.txt names no engine for '{words[0]}'")
        chosen.append((known[words[0]], words[1:]))
    return chosen
