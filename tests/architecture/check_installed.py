"""check_installed.py BUILD: whether what is installed for readers and for compilers is whole: each include of a header
and each link of a page leads to what is installed too, and what others look for has its name. Only these two parts of
BUILD are installed, into a temporary folder; they need nothing to be built. Exit status: 0 yes, 1 no, 2 could not
run."""

import os
import pathlib
import subprocess
import sys
import tempfile

from document_links import dead_links
from installed_headers import missing_includes

LEAST_INCLUDES, LEAST_LINKS = 500, 40  # less is not what is installed
# Under the names that others look for: a shell loads the completion of a command by the command's.
KNOWN_NAMES = ["share/bash-completion/completions/arenaproof", "share/doc/arenaproof/README.md",
               "share/doc/arenaproof/CHANGELOG.md", "share/doc/arenaproof/docs/report.schema.json",
               "include/arenaproof/kernels/vendor/kernel_abi.h"]


def install(build, component, prefix):
    environment = {name: value for name, value in os.environ.items() if name != "DESTDIR"}
    done = subprocess.run(["cmake", "--install", build, "--component", component, "--prefix", prefix], env=environment,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"the part '{component}' cannot be installed:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder)
        if not all([install(build, component, prefix) for component in ("headers", "documents")]):
            return 2
        include_problems, include_count = missing_includes(prefix / "include" / "arenaproof")
        link_problems, link_count = dead_links(prefix / "share" / "doc" / "arenaproof")
        missing = [f"there is no {name}" for name in KNOWN_NAMES if not (prefix / name).is_file()]
    problems = include_problems + link_problems + missing
    for problem in problems:
        print(problem)
    print(f"{include_count} includes, {link_count} links and {len(KNOWN_NAMES)} names, {len(problems)} problems")
    if include_count < LEAST_INCLUDES or link_count < LEAST_LINKS:
        print("that are too few: this is not what is installed")
        return 2
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: check_installed.py BUILD")
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
