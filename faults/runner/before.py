"""`before` of a description: which engines detected the fault in the tree as it was before the fault was added. That is
the measurement; what detects it now may have been made better because of it."""

import copy
import json
import os
import pathlib
import tempfile

from . import catalogue, session, verdicts
from .errors import ALL_DETECTED, CannotRun
from .tree_files import git


def adding_commit(root, fault):
    """Empty when the fault is not committed yet."""
    return git(root, "log", "--diff-filter=A", "--format=%H", "-1", "--", str(fault.patch)).decode().strip()


def commit_before(root, fault):
    """The parent of the commit that added the fault; the last commit when it is not committed yet."""
    added = adding_commit(root, fault)
    return git(root, "rev-parse", f"{added}^" if added else "HEAD").decode().strip()


def as_it_was_added(root, fault, folder):
    """The fault with its patch as it was then: later changes of the tree may have moved what it patches."""
    added = adding_commit(root, fault)
    if not added:
        return fault
    patch = pathlib.Path(folder) / f"{fault.name}.patch"
    relative = fault.patch.resolve().relative_to(pathlib.Path(root).resolve())
    patch.write_bytes(git(root, "show", f"{added}:{relative}"))
    return catalogue.Fault(fault.name, patch, fault.description)


def write(fault, before):
    """Writes into the description as it is by now: it may have been edited during the hours of the run."""
    if fault.is_own():
        raise CannotRun("--record-before writes into descriptions of corpus/faults/; a patch of your own has none")
    description = dict(catalogue.read_description(fault.patch.parent), before=before)
    file, fresh = fault.patch.with_name("description.json"), fault.patch.with_name("description.new")
    try:
        fresh.write_text(json.dumps(description, indent=2) + "\n")
        os.replace(fresh, file)
    except OSError as reason:
        raise CannotRun(f"{file} cannot be written: {reason.strerror}") from None
    fault.description = description


def before_of(row, commit, budget):
    before = {"commit": commit, "budget": budget, "detected_by": verdicts.detecting(row)}
    first = verdicts.first_detection(row)
    if first:
        before.update(seconds=first[1]["seconds_to_detection"], message=first[1]["message"][:200])
    reason = verdicts.outcome(row)
    if reason not in (verdicts.DETECTED, verdicts.MISSED):
        before["reason"] = reason
    not_heard = verdicts.not_heard(row)
    if not_heard:
        before["not_heard"] = not_heard
    return before


def record(faults, state, options):
    """Writes the results of a run over options.tree into the descriptions."""
    for fault in faults:
        write(fault, before_of(state["rows"][fault.name], state["options"]["tree"], options.budget))


def require_sense(options):
    """`before` is the result of all engines of a tree: those that did not run have not missed the fault."""
    left_out = [f"--engine={name}" for name in options.engine] + \
        [f"--without={name}" for name in options.without if name not in session.BESIDE]
    for words, why in ((["--patch"] if options.patch else [], "writes into descriptions of corpus/faults/; a patch of "
                        "your own has none"),
                       (left_out, "records the results of all engines"), (["--quick"] if options.quick else [],
                                                                          "records the results of all engines"),
                       (["--control-only"] if options.control_only else [], "writes of faults")):
        if words:
            raise CannotRun(f"--record-before {why}; leave {words[0]} out")
    for words, given in (("--json", options.json), ("--markdown", options.markdown),
                         ("--picture", options.picture), ("--resume", options.resume)):
        if given and not options.tree:
            raise CannotRun(f"--record-before measures in a commit for each fault, each with its own control; {words} needs "
                            "one: --tree=COMMIT")


def record_each(root, faults, options, progress):
    """Measures each fault in the tree before it was added, those of one commit together. Returns the worst status of all,
    and the closing sentence of each commit's run."""
    groups, status, sentences = {}, ALL_DETECTED, []
    for fault in faults:
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
        its_status, sentence = session.verdict(group, state["rows"])
        status = max(status, its_status)
        sentences.append(f"{sentence} (tree: {commit})")
    return status, sentences
