"""The folder where runs work. What lies there is overwritten and removed, so it has to be the runner's own."""

import os
import pathlib

from .errors import CannotRun

MARK = "workplace-of-dev-faults"


def choose(root, wanted):
    """The folder to work in; nothing is made. CannotRun where files of other origin would be overwritten."""
    usual = pathlib.Path(os.path.realpath(root)) / "build" / "faults"
    folder = pathlib.Path(os.path.realpath(wanted)) if wanted else usual
    if folder != usual:
        require_outside(pathlib.Path(os.path.realpath(root)), folder)
        require_ours(folder)
    return folder


def require_outside(root, folder):
    """A copy of the tree within the tree would be copied with it the next time."""
    if folder == root or root in folder.parents and root / "build" not in folder.parents:
        raise CannotRun(f"--scratch={folder} lies in the tree that is measured; give a folder outside of it, or below "
                        f"{root / 'build'}")


def require_ours(folder):
    try:
        is_foreign = os.path.isdir(folder) and os.listdir(folder) and not os.path.isfile(folder / MARK)
    except OSError as reason:
        raise CannotRun(f"nothing can be written in {folder}: {reason.strerror}") from None
    if is_foreign:
        raise CannotRun(f"--scratch={folder} holds files that no run of ours has made, and they would be lost; give an "
                        "empty folder or one that is not there yet")


def claim(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
