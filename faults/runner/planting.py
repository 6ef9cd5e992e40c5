"""Patches: whether they apply, and a rehearsal that finds out what they change before anything is measured."""

import os
import pathlib
import re
import subprocess

from .errors import CannotRun, DoesNotApply
from .tree_copy import TreeCopy

BUILDS = "build"  # of a scratch tree: no patch has anything to do there


def apply_patch(tree, patch, name):
    command = ["patch", "-p1", "--force", "--forward", "--fuzz=0", "--no-backup-if-mismatch", "--reject-file=-", "-i",
               os.path.abspath(patch)]
    done = subprocess.run(command, cwd=tree, capture_output=True, env=dict(os.environ, LC_ALL="C"))
    if done.returncode != 0:
        output = (done.stdout + done.stderr).decode(errors="replace")
        raise DoesNotApply(f"the patch of {name} does not apply: {reason_in(output)}")


def reason_in(output):
    """The line with the reason, with the file it is about."""
    file = None
    lines = [line.strip() for line in output.splitlines()]
    for number, line in enumerate(lines):
        if re.match(r"patching (?:file|symbolic link) ", line):
            file = re.sub(r"^patching (?:file|symbolic link) ", "", line)
        if line.startswith("can't find file to patch"):
            named = re.search(r"(?m)^\|(?:\+\+\+|---) (?!/dev/null)(\S+)", output)
            return f"there is no file {named.group(1).partition('/')[2] or named.group(1)} to patch" if named else line
        if line.startswith("The next patch would"):
            return " ".join(lines[number:number + 2])
        if re.search(r"FAILED|malformed|Reversed|garbage|Invalid|Can't|cannot|No such|Not a|refusing|not supported|\*\*\*\*", line):
            return f"{file}: {line}" if file else line
    return lines[-1] if lines else "patch says nothing"


class Rehearsal:
    """A copy of the tree into which every patch is really planted, one after the other: there is no other way to
    learn whether it applies and all that it changes."""

    def __init__(self, folder, files):
        self.copy = TreeCopy(folder)
        self.copy.hold(files)

    @property
    def folder(self):
        return self.copy.folder

    def changed_by(self, fault):
        """The files that differ when the fault is planted; DoesNotApply when it cannot be."""
        try:
            apply_patch(self.folder, fault.patch, fault.name)
        finally:
            changed = self.copy.make_equal()
        if not changed:
            raise DoesNotApply(f"the patch of {fault.name} does not apply: it changes no file")
        if any(pathlib.PurePosixPath(relative).parts[0] == BUILDS for relative in changed):
            raise CannotRun(f"the patch of {fault.name} changes '{BUILDS}', where the builds are")
        return changed
