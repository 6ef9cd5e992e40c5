"""The files of the tree."""

import os
import pathlib

NOT_THE_TREE = ("build", ".git")


def files_of(root):
    """The path of each file relative to the root, in order; folders of builds are not entered."""
    for folder, inner, names in os.walk(root):
        relative = pathlib.PurePath(folder).relative_to(root)
        inner[:] = sorted(name for name in inner if relative.parts or name not in NOT_THE_TREE)
        for name in sorted(names):
            yield relative / name
