"""`before` of a description: who detected the fault in the tree as it was before the fault was added. That is the
measurement; what detects it now may have been made better because of it."""

import copy
import json

from . import session, verdicts
from .errors import ALL_DETECTED, CannotRun
from .scratch import git


def commit_before(root, fault):
    """The parent of the commit that added the fault; the last commit when it is not committed yet."""
    added = git(root, "log", "--diff-filter=A", "--format=%H", "-1", "--", str(fault.patch)).decode().strip()
    return git(root, "rev-parse", f"{added}^" if added else "HEAD").decode().strip()


def write(fault, before):
    description = dict(fault.description, before=before)
    fault.patch.with_name("description.json").write_text(json.dumps(description, indent=2) + "\n")
    fault.description = description


def record(faults, state, options):
    """Into the descriptions, from a run over options.tree."""
    for fault in faults:
        row = state["rows"][fault.name]
        before = {"commit": state["options"]["tree"], "budget": options.budget, "detected_by": verdicts.detecting(row)}
        first = verdicts.first_detection(row)
        if first:
            before.update(seconds=first[1]["seconds_to_detection"], message=first[1]["message"][:200])
        if row.get("does_not_build"):
            before["reason"] = "does not build there"
        write(fault, before)


def record_each(root, faults, options, progress):
    """Each fault in the tree before it was added; those of one commit together."""
    groups = {}
    for fault in faults:
        if fault.patch.name != "fault.patch":
            raise CannotRun("--record-before writes into descriptions of corpus/faults/; --patch has none")
        groups.setdefault(commit_before(root, fault), []).append(fault)
    for commit, group in groups.items():
        progress.line(f"in {commit[:12]}: {', '.join(fault.name for fault in group)}")
        there = copy.copy(options)
        there.tree = commit
        state = session.Session(root, there, progress).run([(fault, None) for fault in group])
        record(group, state, there)
    return ALL_DETECTED
