"""`before` of a description: who detected the fault in the tree as it was before the fault was added. That is the
measurement; what detects it now may have been made better because of it."""

import copy
import json
import pathlib
import tempfile

from . import catalogue, session, verdicts
from .errors import ALL_DETECTED, CannotRun
from .scratch import git


def adding_commit(root, fault):
    """Empty when the fault is not committed yet."""
    return git(root, "log", "--diff-filter=A", "--format=%H", "-1", "--", str(fault.patch)).decode().strip()


def commit_before(root, fault):
    """The parent of the commit that added the fault; the last commit when it is not committed yet."""
    added = adding_commit(root, fault)
    return git(root, "rev-parse", f"{added}^" if added else "HEAD").decode().strip()


def as_it_was_added(root, fault, folder):
    """The fault with the words that its patch had then: later changes of the tree may have moved what it patches."""
    added = adding_commit(root, fault)
    if not added:
        return fault
    patch = pathlib.Path(folder) / f"{fault.name}.patch"
    relative = fault.patch.resolve().relative_to(pathlib.Path(root).resolve())
    patch.write_bytes(git(root, "show", f"{added}:{relative}"))
    return catalogue.Fault(fault.name, patch, fault.description)


def write(fault, before):
    description = dict(fault.description, before=before)
    fault.patch.with_name("description.json").write_text(json.dumps(description, indent=2) + "\n")
    fault.description = description


def record(faults, state, options):
    """Into the descriptions, from a run over options.tree."""
    for fault in faults:
        row = verdicts.beside(state["rows"][session.CONTROL], state["rows"][fault.name])
        before = {"commit": state["options"]["tree"], "budget": options.budget, "detected_by": verdicts.detecting(row)}
        first = verdicts.first_detection(row)
        if first:
            before.update(seconds=first[1]["seconds_to_detection"], message=first[1]["message"][:200])
        reason = verdicts.outcome(row)
        if reason not in (verdicts.DETECTED, verdicts.MISSED):
            before["reason"] = reason
        write(fault, before)


def record_each(root, faults, options, progress):
    """Each fault in the tree before it was added; those of one commit together."""
    groups = {}
    for fault in faults:
        if fault.is_own():
            raise CannotRun("--record-before writes into descriptions of corpus/faults/; --patch has none")
        groups.setdefault(commit_before(root, fault), []).append(fault)
    for commit, group in groups.items():
        progress.line(f"in {commit[:12]}: {', '.join(fault.name for fault in group)}")
        there = copy.copy(options)
        there.tree = commit
        with tempfile.TemporaryDirectory() as folder:
            running = session.Session(root, there, progress)
            with running.lock:
                state = running.run([(as_it_was_added(root, fault, folder), None) for fault in group])
        record(group, state, there)
    return ALL_DETECTED
