"""check_cost.py [--beside=BUILDS] BUILDS MODELS [MODELS]: what `arenaproof check` costs, as Markdown tables.

  BUILDS  a folder with the presets release, asan and shadow; of two of them, the other one --beside, each measurement is
          made in turns, so that other work of the machine falls on both
  MODELS  folders of models

Seconds are on the clock, processor seconds those of the command and all its children. Exit status: 0 measured; 2 could
not run."""

import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

TINY = "hello_world_int8", "sine_regressor_int8"
INVOKED = "micro_speech_quantized", "person_detect"
MORE_MODELS = 20
REPEATED = 11


class CouldNotRun(Exception):
    pass


class Builds:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.command = self.folder / "release/tools/arenaproof"
        if not self.command.exists():
            raise CouldNotRun(f"there is no program {self.command}")

    def check(self, *words):
        """Seconds and processor seconds of one call, and its exit status."""
        return timed([self.command, "check", *words], {"ARENAPROOF_WORKER_DIR": str(self.folder)})

    def worker(self, preset, *words):
        return timed([self.folder / preset / "tools/worker/arenaproof-worker", "check", *words], {})


def timed(words, variables):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run([str(word) for word in words], env=os.environ | variables, capture_output=True, check=False)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode > 2 or run.returncode < 0:
        raise CouldNotRun(f"{words[0]} ended with status {run.returncode}: {run.stderr.decode()}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, processor, run.returncode


def find(name, folders):
    for folder in folders:
        path = pathlib.Path(folder) / f"{name}.tflite"
        if path.exists():
            return path
    return None


def in_turns(measures):
    """Of each the least and the median of the seconds, and the median of the processor seconds."""
    runs = [[] for _ in measures]
    for _ in range(REPEATED):
        for measure, taken in zip(measures, runs):
            taken.append(measure())
    return [(min(run[0] for run in taken), statistics.median(run[0] for run in taken),
             statistics.median(run[1] for run in taken)) for taken in runs]


def milliseconds(seconds):
    return f"{seconds * 1e3:.0f}"


def table(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "| --- |" + " ---: |" * (len(headings) - 1)]
    print("\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n")


def checks(all_builds, tiny, refused):
    """One model, each further one, and one that is refused."""
    more = [tiny] * MORE_MODELS
    measures = []
    for builds in all_builds:
        measures += [lambda builds=builds: builds.check(tiny), lambda builds=builds: builds.check(tiny, *more),
                     lambda builds=builds: builds.check(refused)]
    figures = in_turns(measures)
    rows = []
    for name, at in (("one model", 0), ("each further model", 1), ("a file that is refused", 2)):
        row = [name]
        for first in range(0, len(figures), 3):
            taken = figures[first + at]
            if at == 1:
                taken = [(many - one) / MORE_MODELS for many, one in zip(taken, figures[first])]
            row += [milliseconds(value) for value in taken]
        rows.append(row)
    headings = ["`check`, milliseconds"]
    for i in range(len(all_builds)):
        which = "" if len(all_builds) == 1 else (", before" if i == 0 else ", now")
        headings += ["least" + which, "median" + which, "of processors" + which]
    table(headings, rows)


def invoke_seconds(builds, model, instrument, runs):
    words = [f"--model={model}", "--kernels=reference", "--layout=faithful", f"--instrument={instrument}"]
    return builds.worker("asan", *words, f"--runs={runs}")[1]


def invokes(builds, models):
    """Of the same build: with each operator's operands open alone, and with the whole arena open."""
    rows = []
    for model in models:
        runs = 1 + max(2, int(2.0 / max(1e-4, (invoke_seconds(builds, model, "none", 21) -
                                               invoke_seconds(builds, model, "none", 1)) / 20)))
        taken = {"asan": [], "none": []}
        for _ in range(5):
            for instrument, seconds in taken.items():
                seconds.append((invoke_seconds(builds, model, instrument, runs) -
                                invoke_seconds(builds, model, instrument, 1)) / (runs - 1))
        scoped, whole = (statistics.median(taken[name]) for name in ("asan", "none"))
        rows.append([model.stem, f"{whole * 1e3:.2f}", f"{scoped * 1e3:.2f}", f"{scoped / whole:.2f}"])
    table(["invoke in the build `asan`, milliseconds", "whole arena open", "operands alone", "ratio"], rows)


def main(words):
    beside = [match[1] for match in (re.fullmatch("--beside=(.+)", word) for word in words) if match]
    words = [word for word in words if not word.startswith("--beside=")]
    if len(words) < 2 or any(word.startswith("--") for word in words):
        raise CouldNotRun(__doc__.splitlines()[0])
    builds = Builds(words[0])
    tiny = next((path for path in (find(name, words[1:]) for name in TINY) if path), None)
    if tiny is None:
        raise CouldNotRun(f"none of the folders has {' or '.join(TINY)}")
    with tempfile.TemporaryDirectory() as folder:
        refused = pathlib.Path(folder) / "refused.tflite"
        refused.write_bytes(tiny.read_bytes()[:-64])
        checks([Builds(other) for other in beside] + [builds], tiny, refused)
    invokes(builds, [path for path in (find(name, words[1:]) for name in INVOKED) if path])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except CouldNotRun as problem:
        print(f"check_cost.py: {problem}", file=sys.stderr)
        sys.exit(2)
