"""planner_peaks.py ARENAPROOF FOLDER...: the head of every model of the folders, by each planner, as a Markdown table.
planner_peaks.py --check=FILE ARENAPROOF FOLDER...: whether the tables of the Markdown file say so; shows what differs.

  lower bound   the most bytes that are alive together, each buffer by itself; no plan that shares nothing is below
  apart, arena  the arena planner, one for each subgraph, without and with outputs in the bytes of inputs
  bound, shared the most bytes that are alive together when such bytes count once
  in place      how many outputs lie in the bytes of an input

Exit status: 0 measured, and as the file says; 1 it says otherwise; 2 could not run."""

import json
import pathlib
import subprocess
import sys

HEADINGS = ("model", "lower bound", "greedy", "linear", "apart", "bound, shared", "arena", "in place")


class CouldNotRun(Exception):
    pass


def size(program, model, *words):
    """The report of `arenaproof size`; None where the model's own plan fixes tensors, which the planner does not take."""
    run = subprocess.run([program, "size", "--json", *words, model], capture_output=True, text=True, check=False)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        raise CouldNotRun(f"{program} size {model}: {run.stderr.strip()}") from None
    if run.returncode == 0:
        return report["faithful"]
    if report.get("refused", {}).get("code") == "offline_plan_planner":
        return None
    raise CouldNotRun(f"{model} {' '.join(words)}: {report.get('refusal', run.stderr.strip())}")


def head(report):
    return "fixed" if report is None else str(report["head_bytes"])


def bound(report):
    return "fixed" if report is None else str(max((step["live_bytes"] for step in report["steps"]), default=0))


def row(program, model):
    greedy = size(program, model)
    linear = size(program, model, "--planner=linear")
    apart = size(program, model, "--planner=arena", "--no-sharing")
    arena = size(program, model, "--planner=arena")
    in_place = "fixed" if arena is None else str(len(arena.get("sharing", [])))
    return (model.stem, bound(greedy), head(greedy), head(linear), head(apart), bound(arena), head(arena), in_place)


def documented(file):
    """The rows of all tables with these headings, by model."""
    rows, inside = {}, False
    for line in file.read_text().splitlines():
        cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        if cells == HEADINGS:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not cells[0].startswith("-"):
            rows[cells[0]] = cells
    return rows


def main(words):
    file = None
    if words and words[0].startswith("--check="):
        file = pathlib.Path(words.pop(0).removeprefix("--check="))
    if len(words) < 2:
        print(__doc__)
        return 2
    models = sorted((m for folder in words[1:] for m in pathlib.Path(folder).glob("*.tflite")), key=lambda m: m.stem)
    try:
        if not models:
            raise CouldNotRun(f"there is no model in {' '.join(words[1:])}")
        rows = [row(words[0], model) for model in models]
        expected = documented(file) if file else None
    except (CouldNotRun, OSError) as problem:
        print(f"peaks cannot be measured: {problem}")
        return 2
    if expected is None:
        print("| " + " | ".join(HEADINGS) + " |\n| --- |" + " ---: |" * (len(HEADINGS) - 1))
        for cells in rows:
            print("| " + " | ".join(cells) + " |")
        return 0
    differing = [cells for cells in rows if expected.get(cells[0]) != cells]
    for cells in differing:
        print(f"{file} says {' | '.join(expected.get(cells[0], ('nothing of it',)))}; measured {' | '.join(cells)}")
    print(f"{len(rows)} models, {len(differing)} not as {file} says")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
