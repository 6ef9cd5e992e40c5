"""Holds the workflows and the container against what they call: every `run` is one call of ./dev with a verb and options
that there are, every job runs somewhere, every workflow of other repositories gets what it needs.

  check_workflows.py ROOT
"""
import pathlib
import re
import subprocess
import sys

import yaml

DEV = re.compile(r"^(?:\./|\.arenaproof/|/opt/arenaproof/)dev (\w+)((?: \S+)*)$")
CONTAINER = "infra/container/Dockerfile"


def problems_of_run(line, root):
    """What is wrong with the line of a step, as sentences."""
    match = DEV.match(line.strip())
    if not match:
        return [f"'{line}' is no single call of ./dev"]
    verb, words = match.groups()
    help_text = subprocess.run(["./dev", verb, "--help"], cwd=root, capture_output=True, text=True, check=False)
    if help_text.returncode != 0:
        return [f"'{line}': there is no verb {verb}"]
    options = re.findall(r"--[\w-]+", words)
    if verb == "check":  # its words are those of the command
        known = "".join(path.read_text() for path in (root / "tools/command/check_options.cc", root / "tools/command/shared_options.cc"))
        return [f"'{line}': `arenaproof check` has no option {option}" for option in options
                if not re.search(rf'[",]{option}[",]', known)]
    return [f"'{line}': ./dev {verb} --help does not name {option}" for option in options
            if option not in help_text.stdout]


def problems_of_checkout(name, steps):
    """Before what reads files of a repository; ClusterFuzzLite takes another system's image without project.yaml."""
    has_files = False
    for step in steps:
        uses = step.get("uses", "")
        has_files = has_files or uses.startswith("actions/checkout@")
        if not has_files and ("run" in step or uses.startswith("google/clusterfuzzlite/")):
            return [f"job {name} begins without a checkout"]
    return []


def problems_of(path, root):
    document = yaml.safe_load(path.read_text())
    triggers = document.get("on", document.get(True))  # YAML 1.1 takes the word for a truth value
    if not triggers or not document.get("jobs"):
        return ["it has no trigger or no jobs"]
    found = []
    for name, job in document["jobs"].items():
        if "runs-on" not in job:
            found.append(f"job {name} does not say where it runs")
        found += problems_of_checkout(name, job.get("steps", []))
        for step in job.get("steps", []):
            if ("run" in step) == ("uses" in step):
                found.append(f"a step of job {name} has not exactly one of run and uses")
            if "uses" in step and not re.search(r"@v\d+$", step["uses"]):
                found.append(f"'{step['uses']}' names no version")
            if "run" in step:
                found += problems_of_run(step["run"], root)
    return found


def problems_of_container(text, root):
    """It copies this tree to where it calls ./dev, on the system that ./dev installs packages on."""
    found = [f"no line of it is {line}" for line in ("FROM debian:12", "COPY . /opt/arenaproof") if line not in text.splitlines()]
    calls = re.findall(r"^RUN (.*)$", text, re.M)
    calls += [" ".join(re.findall(r'"([^"]*)"', words)) for words in re.findall(r"^ENTRYPOINT \[(.*)\]$", text, re.M)]
    for call in calls:
        found += problems_of_run(call, root)
        found += [f"'{call}': there is no {path}" for path in re.findall(r" /opt/arenaproof/(\S+)", call)
                  if not (root / path).exists()]
    return found if len(calls) > 1 else found + ["it has no RUN or no ENTRYPOINT"]


def self_test(root):
    """A step that is none has to be seen."""
    if len(problems_of_container("FROM debian:13\nRUN /opt/arenaproof/dev check /opt/arenaproof/none\n", root)) != 4:
        return ["a container that cannot work is taken for one"]
    if not problems_of_checkout("fuzzing", [{"uses": "google/clusterfuzzlite/actions/build_fuzzers@v1"}]):
        return ["a job without the files that it reads is taken for one"]
    wrong = ["make test", "./dev nothing", "./dev test --nothing", "./dev check --nothing=1 m"]
    return [f"'{line}' is taken for a call of ./dev" for line in wrong if not problems_of_run(line, root)]


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / ".github/workflows").glob("*.yml"))
    found = self_test(root)
    for path in files:
        found += [f"{path.relative_to(root)}: {problem}" for problem in problems_of(path, root)]
    found += [f"{CONTAINER}: {problem}" for problem in problems_of_container((root / CONTAINER).read_text(), root)]
    if not files:
        found.append("there are no workflows")
    print("\n".join(found) or f"{len(files)} workflows and a container call what there is")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
