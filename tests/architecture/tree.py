"""The files of the tree."""

import os
import pathlib

NOT_THE_TREE = ("build", ".git")
# Sources end in .cc, .h or .inc; one with another of C's and C++'s endings would be compiled and not read.
OTHER_SOURCES = (".c", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".def", ".S")


def files_of(root):
    """The path of each file relative to the root, in order; folders of builds are not entered."""
    for folder, inner, names in os.walk(root):
        relative = pathlib.PurePath(folder).relative_to(root)
        inner[:] = sorted(name for name in inner if relative.parts or name not in NOT_THE_TREE)
        for name in sorted(names):
            yield relative / name


def unread_sources(root):
    return [f"{path} is a source whose includes are not read; sources end in .cc, .h or .inc" for path in files_of(root)
            if path.suffix in OTHER_SOURCES]
