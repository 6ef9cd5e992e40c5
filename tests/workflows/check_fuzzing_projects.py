"""Holds what ClusterFuzzLite and OSS-Fuzz read against what their documentation asks for: project files, images,
build.sh, and beside each fuzz target its options and its dictionary.

  check_fuzzing_projects.py ROOT
"""
import os
import pathlib
import re
import subprocess
import sys

import yaml

SANITIZERS = {"address", "undefined", "memory"}
ENGINES = {"libfuzzer", "afl", "honggfuzz", "centipede"}
KEYS = {"homepage", "main_repo", "primary_contact", "language", "base_os_version", "fuzzing_engines", "sanitizers",
        "auto_ccs", "vendor_ccs", "architectures", "file_github_issue", "help_url", "builds_per_day", "disabled"}
NEEDED = {".clusterfuzzlite": {"language"}, "infra/oss-fuzz": {"homepage", "main_repo", "primary_contact", "language"}}
# Of libFuzzer, and numbers all of them but the last.
OPTIONS = {"max_len", "timeout", "rss_limit_mb", "malloc_limit_mb", "entropic", "reduce_inputs", "len_control", "dict"}
DICTIONARY_LINE = re.compile(r'^(#.*|[\w.-]*(@\d+)?(=\s*)?"([^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})+")?$')
VARIABLES = {"SRC": "src", "WORK": "work", "OUT": "out", "CXX": "false", "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
             "SANITIZER": "address"}


def problems_of_project(text, needed):
    project = yaml.safe_load(text)
    found = [f"it has no {key}" for key in sorted(needed - project.keys())]
    found += [f"nobody reads its {key}" for key in sorted(project.keys() - KEYS)]
    if project.get("language") != "c++":
        found.append("its language is not c++")
    found += [f"there is no sanitizer {name}" for name in set(project.get("sanitizers", [])) - SANITIZERS]
    found += [f"there is no engine {name}" for name in set(project.get("fuzzing_engines", [])) - ENGINES]
    return found


def problems_of_image(text, project):
    found = []
    base = re.search(r"^FROM gcr\.io/oss-fuzz-base/base-builder(?::(\S+))?$", text, re.M)
    if not base:
        found.append("it does not begin with a builder of OSS-Fuzz")
    elif base.group(1) != project.get("base_os_version"):
        found.append(f"it begins with {base.group(1)}, and the targets run on {project.get('base_os_version')}")
    for wanted in (r"^(COPY \. |RUN git clone .*)\$SRC/arenaproof$", r"^COPY \S*build\.sh \$SRC/$",
                   r"^WORKDIR \$SRC/arenaproof$"):
        if not re.search(wanted, text, re.M):
            found.append(f"no line of it is {wanted}")
    return found


def problems_of_options(text, folder):
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = [] if lines[:1] == ["[libfuzzer]"] else ["it does not begin with [libfuzzer]"]
    for line in lines[1:]:
        name, _, value = (part.strip() for part in line.partition("="))
        if name not in OPTIONS:
            found.append(f"libFuzzer has no option '{name}'")
        elif name == "dict" and not (folder / value).is_file():
            found.append(f"there is no dictionary {value}")
        elif name != "dict" and not value.isdigit():
            found.append(f"{name} is '{value}', which is no number")
    return found


def problems_of_dictionary(text):
    return [f"line {number} is no entry of a dictionary: {line}" for number, line in enumerate(text.splitlines(), 1)
            if not DICTIONARY_LINE.match(line.strip())]


def refusals_of_build(root):
    """build.sh says in one sentence what its environment lacks, and builds nothing."""
    script = root / ".clusterfuzzlite/build.sh"
    if not os.access(script, os.X_OK) or not script.read_text().startswith("#!/bin/bash -eu\n"):
        return ["it is no program that ends at the first failure"]
    cases = [({**VARIABLES, name: ""}, name) for name in VARIABLES if name != "SANITIZER"]
    cases.append(({**VARIABLES, "SANITIZER": "memory"}, "memory"))
    found = []
    for variables, name in cases:
        run = subprocess.run([script], env={"PATH": os.environ["PATH"], **variables}, capture_output=True, text=True,
                             check=False)
        if run.returncode != 2 or name not in run.stderr or len(run.stderr.splitlines()) != 1:
            found.append(f"without {name} it ends with {run.returncode} and says: {run.stderr}")
    return found


def problems_of(root):
    found = []
    for folder, needed in NEEDED.items():
        text = (root / folder / "project.yaml").read_text()
        found += [f"{folder}/project.yaml: {problem}" for problem in problems_of_project(text, needed)]
        image = (root / folder / "Dockerfile").read_text()
        found += [f"{folder}/Dockerfile: {problem}" for problem in problems_of_image(image, yaml.safe_load(text))]
        if (root / folder / "build.sh").resolve() != (root / ".clusterfuzzlite/build.sh").resolve():
            found.append(f"{folder}/build.sh is another one than ClusterFuzzLite's")
    found += [f".clusterfuzzlite/build.sh: {problem}" for problem in refusals_of_build(root)]
    for path in sorted((root / "fuzz").glob("*.options")):
        problems = problems_of_options(path.read_text(), path.parent)
        found += [f"{path.relative_to(root)}: {problem}" for problem in problems]
    for path in sorted((root / "fuzz").glob("*.dict")):
        found += [f"{path.relative_to(root)}: {problem}" for problem in problems_of_dictionary(path.read_text())]
    targets = {path.stem for path in (root / "fuzz").glob("fuzz_*.cc")}
    found += [f"{path.relative_to(root)} is of no target" for ending in ("options", "dict")
              for path in (root / "fuzz").glob(f"*.{ending}") if path.stem not in targets]
    found += [f"fuzz/{target}.options is missing" for target in sorted(targets)
              if not (root / "fuzz" / f"{target}.options").is_file()]
    return found


def self_test(root):
    """Wrong files have to be seen."""
    folder = root / "fuzz"
    wrong = [problems_of_project("language: rust\nsanitizer: [address]\n", set()),
             problems_of_image("FROM debian:12\n", {}),
             problems_of_image("FROM gcr.io/oss-fuzz-base/base-builder:a\nRUN git clone x $SRC/arenaproof\n"
                               "WORKDIR $SRC/arenaproof\nCOPY build.sh $SRC/\n", {"base_os_version": "b"}),
             problems_of_image("FROM gcr.io/oss-fuzz-base/base-builder:a\nRUN git clone x $SRC/arenaproof\n"
                               "WORKDIR $SRC/arenaproof\nCOPY build.sh $SRC/\n", {}),
             problems_of_options("max_len = 3\n", folder), problems_of_options("[libfuzzer]\nmax_length = 3\n", folder),
             problems_of_options("[libfuzzer]\nmax_len = many\n", folder),
             problems_of_options("[libfuzzer]\ndict = none.dict\n", folder),
             problems_of_dictionary('"unclosed\n'), problems_of_dictionary('"\\q"\n')]
    return [f"wrong file {i} of the self-test is taken" for i, problems in enumerate(wrong) if not problems]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = self_test(root) + problems_of(root)
    print("\n".join(found) or "what ClusterFuzzLite and OSS-Fuzz read is as they ask for it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
