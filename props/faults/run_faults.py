#!/usr/bin/env python3
"""Plants each fault of corpus/faults/ into a scratch copy of the tree and reports which engine catches it, and when.

    props/faults/run_faults.py                       all faults and a clean control
    props/faults/run_faults.py arena_head_over_tail  named ones (shell patterns work: 'arena_*')
    props/faults/run_faults.py --list

A fault is a folder corpus/faults/<name>/ with fault.patch (for `patch -p1`) and description.json:
    summary         what is wrong, in a sentence
    class           arithmetic, sections, state, ...
    invariant       the invariant that exposes it, by its name
    reachable_from  the operations that reach it
    engines         the engines that could see it
    happened_in     (optional) where it happened in public

An engine catches a fault when it ends with a status that is neither 0 nor 2 within its budget. On the clean tree every
engine has to end with 0: anything else is a false alarm.

Exit status: 0 every fault was caught by as many engines as --require asks for (and by the proof where it is among
the fault's engines) and the control is clean; 1 not so; 2 could not run: a patch does not apply, a build fails.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTS = ROOT / "corpus" / "faults"


class Engine:
    """One program of one preset. `{budget}` and `{tree}` in the command are filled in."""

    def __init__(self, name, preset, target, program, arguments=(), environment=None):
        self.name, self.preset, self.target, self.program = name, preset, target, program
        self.arguments, self.environment = arguments, environment or {}


ENGINES = [
    Engine("proof", "release", "arenaproof-prove", "props/proof/arenaproof-prove", ["--quiet"]),
    Engine("small-scope", "release", "arenaproof-small-scope", "props/small_scope/arenaproof-small-scope"),
    Engine("machine", "asan", "arenaproof-arena-machine", "props/arena_machine/arenaproof-arena-machine",
           environment={"RC_PARAMS": "seed=20260821 max_success=3000"}),
    Engine("fuzz_arena_operations", "fuzz", "fuzz_arena_operations", "fuzz/fuzz_arena_operations",
           ["-max_total_time={budget}", "-max_len=384", "-seed=1", "-print_final_stats=1",
            "-artifact_prefix={scratch}/", "{scratch}/grown", "{tree}/corpus/fuzz_arena_operations"]),
]


CONTROL = "(control)"  # the clean tree


class CannotRun(Exception):
    pass


def say(text, end="\n"):
    print(text, end=end, file=sys.stderr, flush=True)


def copy_tree(destination):
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"], check=True,
                            capture_output=True).stdout.decode().split("\0")
    for relative in filter(None, listed):
        source, target = ROOT / relative, destination / relative
        if not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue  # keeps its time stamp: only what changed is built again
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    present = {str(path.relative_to(destination)) for path in destination.rglob("*") if path.is_file()}
    for relative in present - set(listed):
        (destination / relative).unlink()


def patch(tree, file, reverse=False, dry_run=False):
    command = ["patch", "-p1", "--silent", "--force", "--fuzz=0", "--no-backup-if-mismatch", "-i", str(file)]
    command += ["--reverse"] if reverse else ["--forward"]
    command += ["--dry-run"] if dry_run else []
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotRun(f"{file.parent.name}: the patch does not apply: {(done.stdout + done.stderr).strip()}")


def build(scratch, engines):
    """Configures and builds what the engines need; returns the seconds."""
    start = time.monotonic()
    for preset in sorted({engine.preset for engine in engines}):
        folder = scratch / "build" / preset
        if not (folder / "build.ninja").exists():
            run_build(["cmake", "--preset", preset, "-B", str(folder), "-S", str(scratch / "tree")], scratch)
        run_build(["ninja", "-C", str(folder)] + [engine.target for engine in engines if engine.preset == preset], scratch)
    return time.monotonic() - start


def run_build(command, scratch):
    environment = dict(os.environ, CCACHE_NOHASHDIR="1", CCACHE_BASEDIR=str(scratch / "tree"))
    done = subprocess.run(command, cwd=scratch / "tree", env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotRun(f"{' '.join(command[:4])} failed:\n{(done.stdout + done.stderr)[-3000:]}")


# The line of an engine's output that names what is wrong, the most telling first.
TELLING = [r"VIOLATED: +(.*\S)", r"(?m)^\s*(\S.*?\S) {2,}.*-bit VIOLATED", r"(?m)^\S+\(.*\): (.*\S)$",
           r"arena invariant broken by (.*\S)", r"SUMMARY: (.*\S)", r"(runtime error: .*\S)"]


def message_of(output):
    for expression in TELLING:
        found = re.search(expression, output)
        if found:
            return found.group(1)
    return output.strip().splitlines()[-1] if output.strip() else ""


def run_engine(engine, scratch, budget):
    grown = scratch / "grown"
    shutil.rmtree(grown, ignore_errors=True)
    grown.mkdir()
    fill = {"budget": str(budget), "tree": str(scratch / "tree"), "scratch": str(scratch)}
    command = [str(scratch / "build" / engine.preset / engine.program)]
    command += [argument.format(**fill) for argument in engine.arguments]
    start = time.monotonic()
    log = scratch / "output.txt"
    with log.open("w") as output:
        try:
            status = subprocess.run(command, env=dict(os.environ, **engine.environment), stdout=output,
                                    stderr=subprocess.STDOUT, cwd=scratch, timeout=budget * 2 + 30).returncode
        except subprocess.TimeoutExpired:
            status = None
    seconds = time.monotonic() - start
    text = log.read_text(errors="replace")
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    caught = status is not None and status not in (0, 2)
    return {"engine": engine.name, "caught": caught, "status": status, "seconds": round(seconds, 2),
            "executions": int(executions.group(1)) if executions else None,
            "message": message_of(text) if caught else ("" if status == 0 else text[-400:])}


def measure(name, engines, scratch, budget, row):
    """Fills in what is missing of the row."""
    missing = [engine for engine in engines if engine.name not in row["engines"]]
    if missing:
        try:
            row["build_seconds"] = round(row.get("build_seconds", 0) + build(scratch, missing), 1)
        except CannotRun as reason:
            if name == CONTROL:
                raise
            say(f"  {reason}")  # the fault has to be written so that the compiler lets it pass
            return
    for engine in missing:
        result = run_engine(engine, scratch, budget)
        row["engines"][engine.name] = result
        say(f"  {engine.name:24} {verdict_of(result):8} {result['seconds']:7.2f} s  {result['message'][:110]}")


def verdict_of(result):
    return "caught" if result["caught"] else ("clean" if result["status"] == 0 else f"status {result['status']}")


def table(rows, engines):
    lines = ["| fault | " + " | ".join(engine.name for engine in engines) + " |",
             "|---|" + "---|" * len(engines)]
    for row in rows:
        cells = []
        for engine in engines:
            result = row["engines"].get(engine.name)
            if result is None:
                cells.append("not run")
            elif result["caught"]:
                cells.append(f"{result['seconds']:.1f} s: {result['message'][:70]}".replace("|", "/"))
            else:
                cells.append(f"clean ({result['seconds']:.1f} s)" if result["status"] == 0 else f"status {result['status']}")
        lines.append(f"| {row['fault']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"], metavar="NAME", help="faults, as shell patterns")
    parser.add_argument("--list", action="store_true", help="list the faults and end")
    parser.add_argument("--check-patches", action="store_true", help="only test that every patch applies")
    parser.add_argument("--engine", action="append", help="only this engine (may be repeated)")
    parser.add_argument("--budget", type=int, default=20, help="seconds per engine (default 20)")
    parser.add_argument("--require", type=int, default=3, help="engines that have to catch each fault (default 3)")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder to work in and to keep (default: a temporary one)")
    parser.add_argument("--json", type=pathlib.Path, help="keep the results there; what is there already is not run again")
    parser.add_argument("--table", type=pathlib.Path, help="write the table there, as Markdown")
    options = parser.parse_args()

    names = sorted(path.parent.name for path in FAULTS.glob("*/fault.patch"))
    names = [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in options.names)]
    if not names:
        raise CannotRun("no such fault")
    if options.list:
        for name in names:
            print(f"{name:40} {json.loads((FAULTS / name / 'description.json').read_text())['summary']}")
        return 0
    if options.check_patches:
        for name in names:
            patch(ROOT, FAULTS / name / "fault.patch", dry_run=True)
        print(f"{len(names)} patches apply")
        return 0
    engines = [engine for engine in ENGINES if not options.engine or engine.name in options.engine]
    scratch = options.scratch or pathlib.Path(tempfile.mkdtemp(prefix="arenaproof-faults-"))
    try:
        (scratch / "tree").mkdir(parents=True, exist_ok=True)
        copy_tree(scratch / "tree")
        for name in names:
            patch(scratch / "tree", FAULTS / name / "fault.patch", dry_run=True)
        return run_all(names, engines, scratch, options)
    finally:
        if not options.scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def run_all(names, engines, scratch, options):
    results = {}
    if options.json and options.json.exists():
        results = json.loads(options.json.read_text())
    for number, name in enumerate([CONTROL] + names):
        row = results.setdefault(name, {"engines": {}})
        if all(engine.name in row["engines"] for engine in engines):
            continue
        say(f"{name} ({number} of {len(names)})")
        file = FAULTS / name / "fault.patch"
        if name != CONTROL:
            patch(scratch / "tree", file)
        try:
            measure(name, engines, scratch, options.budget, row)
        finally:
            if name != CONTROL:
                patch(scratch / "tree", file, reverse=True)
        if options.json:
            options.json.write_text(json.dumps(results, indent=2) + "\n")
    return report(results, names, engines, options)


def report(results, names, engines, options):
    shown = [engine for engine in ENGINES if any(engine.name in row["engines"] for row in results.values())]
    rows = [dict(results[name], fault=name) for name in names + [CONTROL]]
    text = table(rows, shown)
    print(text)
    if options.table:
        options.table.write_text(text)
    failures = [f"control: false alarm of {name}" for name, result in results[CONTROL]["engines"].items()
                if result["status"] != 0]
    for name in names:
        description = json.loads((FAULTS / name / "description.json").read_text())
        ran = [engine.name for engine in shown if engine.name in description["engines"]]
        caught = [engine for engine in ran if results[name]["engines"].get(engine, {}).get("caught")]
        if len(caught) < min(options.require, len(ran)):
            failures.append(f"{name}: caught only by {', '.join(caught) or 'nobody'}")
        if "proof" in ran and "proof" not in caught:
            failures.append(f"{name}: not caught by the proof")
    for failure in failures:
        say(f"NOT GOOD ENOUGH: {failure}")
    print(f"{len(names)} faults, {len(failures)} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotRun as reason:
        say(f"could not run: {reason}")
        sys.exit(2)
