"""The includes of the tree that the table of rooms does not allow."""

import os
import pathlib
import re

from tree import files_of

INCLUDE = re.compile(r'^(?:\s|/\*.*?\*/)*(?:#|%:)(?:\s|/\*.*?\*/)*(?:include|include_next|import)\b(?:\s|/\*.*?\*/)*(?:"([^"]+)"|<([^>]+)>)',
                     re.MULTILINE)
SOURCES = (".cc", ".h", ".inc")
# They stand in the build folder, and are of core/model.
GENERATED = tuple(pathlib.PurePath("core/model", name) for name in ("schema_generated.h", "schema_bfbs_generated.h"))


def included_file(root, relative, quoted, bracketed):
    """The file of the tree that an include names; None when it names none, as a package's header does."""
    folders = (relative.parent, "") if quoted else ("",)  # the compiler's order
    for folder in folders:
        target = pathlib.PurePath(os.path.normpath(os.path.join(folder, quoted or bracketed)))
        if target in GENERATED or (root / target).is_file():
            return target
    return None


def wrong_includes(root, rooms):
    """A sentence for each include that the table does not allow, and the number of includes that were looked at."""
    problems, count = [], 0
    for relative in files_of(root):
        if relative.suffix not in SOURCES:
            continue
        room = rooms.of(relative)
        if room is None:
            problems.append(f"{relative} lies in no room of the table")
            continue
        for quoted, bracketed in INCLUDE.findall((root / relative).read_text(errors="replace")):
            target = included_file(root, relative, quoted, bracketed)
            if target is None:
                if quoted:
                    problems.append(f"{relative} includes {quoted}, which is not in the tree")
                continue
            count += 1
            included = rooms.of(target)
            if included is None or not rooms.allow(room, included):
                problems.append(f"{relative} ({room}) includes {target} ({included or 'no room'})")
    return problems, count
