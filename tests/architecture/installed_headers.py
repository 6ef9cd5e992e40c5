"""The includes of installed headers that a user's compiler would not find."""

from includes import INCLUDE, SOURCES, included_file
from tree import files_of

# Compiled with headers of TensorFlow Lite Micro, which whoever compiles it has.
WITH_HEADERS_OF_OTHERS = "kernels/bridge_tflm"


def missing_includes(folder):
    """A sentence for each include that names no header of the installed folder and none of the language or the system,
    which stand in no folder, and the number of includes that were looked at."""
    problems, count = [], 0
    for relative in files_of(folder):
        if relative.suffix not in SOURCES:
            continue
        for quoted, bracketed in INCLUDE.findall((folder / relative).read_text(errors="replace")):
            count += 1
            target = included_file(folder, relative, quoted, bracketed)
            if target is not None and (folder / target).is_file():
                continue
            if quoted:
                problems.append(f"{relative} includes {quoted}, which is not installed")
            elif "/" in bracketed and str(relative.parent) != WITH_HEADERS_OF_OTHERS:
                problems.append(f"{relative} includes <{bracketed}>, of a package that its users need not have")
    return problems, count
