"""What is measured beside the engines and never counts as detection: plain AddressSanitizer and plain Valgrind on the
same inputs and models (the program arenaproof-plain, see plain/main.cc), and the unit tests of the rooms."""

import pathlib
import re

from . import messages
from .engines import Step, fuzz_targets

PLAIN_ASAN = "plain ASan"
PLAIN_VALGRIND = "plain Valgrind"
UNIT_TESTS = "unit tests"
LIMIT_SECONDS = {PLAIN_ASAN: 60, PLAIN_VALGRIND: 120, UNIT_TESTS: 120}
MOST_UBSAN_STOPS = 20


PLAIN_FOLDERS = ("faults/plain", "props/faults/plain")  # the second in old trees


def plain_folder(tree):
    """Where arenaproof-plain stands, below the tree as below a build; None in a tree that has none."""
    return next((folder for folder in PLAIN_FOLDERS if (tree / folder / "CMakeLists.txt").exists()), None)


def plain_arguments(tree, found_folders):
    arguments = [str(tree / "corpus" / "models")]
    for target in fuzz_targets(tree):
        for folder in (tree / "corpus" / target, tree / "corpus" / "regressions" / target):
            if folder.is_dir():
                arguments.append(f"{target}={folder}")
    return arguments + [f"{target}={folder}" for target, folder in found_folders]


def plain_steps(tree, found_folders):
    """`found_folders`: (fuzz target, folder with what it found for this fault): the same inputs for all."""
    folder = plain_folder(tree)
    if folder is None:
        return {}
    program = ("arenaproof-plain", f"{folder}/arenaproof-plain")
    arguments = plain_arguments(tree, found_folders)
    return {PLAIN_ASAN: Step(PLAIN_ASAN, "asan", *program, arguments, {"ASAN_OPTIONS": "detect_leaks=0"},
                             messages.found_by_plain_asan),
            PLAIN_VALGRIND: Step(PLAIN_VALGRIND, "valgrind", *program, arguments, {}, messages.found_by_valgrind)}


VALGRIND = ["valgrind", "--quiet", f"--error-exitcode={messages.VALGRIND_EXIT}", "--exit-on-first-error=yes",
            "--leak-check=no"]


# They run workers that lie beside them in other presets: they are the business of ctest.
LEFT_OUT = ("command", "models")


def unit_test_folders(tree):
    """Rooms with tests that run by themselves."""
    return sorted(folder.name for folder in (tree / "tests").iterdir()
                  if list(folder.glob("*_test.cc")) and folder.name not in LEFT_OUT)


def rooms_of(tree, patched):
    """The rooms with tests that stand beside the patched files; all when none does, as for what the engines share."""
    rooms = unit_test_folders(tree)
    named = {part for file in patched if not file.startswith("engine/") for part in pathlib.PurePosixPath(file).parts[:-1]}
    return [room for room in rooms if room in named] or rooms


def unit_test_steps(tree, patched=()):
    return [Step(f"{room}_tests", "asan", f"{room}_tests", f"tests/{room}_tests", ["--gtest_brief=1"])
            for room in rooms_of(tree, patched)]


def failed_tests(output):
    return sorted(set(re.findall(messages.FAILED_TEST, output)))


def inputs_replayed(output):
    """How many inputs arenaproof-plain has begun; None when it has not reported any."""
    found = re.findall(r"(?m)^input (\d+)", output)
    return int(found[-1]) if found else None
