#!/usr/bin/env python3
"""Each name among the long tests of tests/CMakeLists.txt is that of a test, or of a suite with `.*` behind it; one of
parameterized tests stands between `*/` and `/*`.

A name that nothing has would leave its test where it was, and nobody would notice.
"""
import re
import sys
from pathlib import Path


def long_names(cmake_text):
    """(folder, name) of each entry of the variables <folder>_tests_LONG."""
    for folder, names in re.findall(r"set\((\w+)_tests_LONG\s([^)]*)\)", cmake_text):
        for name in names.split():
            yield folder, name


def test_names(folder):
    """What selects each test in the folder's sources."""
    pattern = re.compile(r"\bTEST(_F|_P)?\(\s*(\w+),\s*(\w+)\)")
    found = [test for source in folder.glob("*_test.cc") for test in pattern.findall(source.read_text())]
    return {f"*/{suite}.{name}/*" if kind == "_P" else f"{suite}.{name}" for kind, suite, name in found}


def unknown_names(tests):
    complaints, count = [], 0
    for folder, name in long_names((tests / "CMakeLists.txt").read_text()):
        count += 1
        known = test_names(tests / folder)
        suites = {test.split(".")[0] + ".*" for test in known}
        if name not in known | suites:
            complaints.append(f"tests/CMakeLists.txt: {folder}_tests_LONG names {name}, which no test of tests/{folder} is")
    return complaints if count else ["tests/CMakeLists.txt: no long test was found"]


if __name__ == "__main__":
    problems = unknown_names(Path(sys.argv[1]) / "tests")
    print("\n".join(problems) or "each long test is one that there is")
    sys.exit(1 if problems else 0)
