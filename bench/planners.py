"""planners.py ARENAPROOF FOLDER [DSA]: every planner on hard problems, as a Markdown table, and as a plot in
FOLDER/planners.svg.

Problems: rectangles of a head of 1 MiB and of time, cut again and again, so that the head is known to be the optimum and
no byte of it is free at any time (tight), or with a part of the pieces that are not alive at one moment left out
(loose); and the CSV files of DSA and of DSA/nets, whose lower bound is the busiest moment. For each planner: how far its
peak is above the lower bound, and its seconds. The optimal planner has 10 s for each. arena: of a problem without a
graph, the arena planner's order and search.

Exit status: 0 measured; 1 a planner's peak is below a known optimum; 2 could not run."""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

PLANNERS = ("greedy", "arena", "linear", "optimal")
MARKS = {"greedy": "square", "arena": "triangle", "linear": "cross", "optimal": "circle"}
BESIDE = {"greedy": -10, "arena": 0, "linear": 0, "optimal": 10}
HEAD, UNIT = 1 << 20, 1024
CUTS = [(count, loose, seed) for count in (50, 100, 200, 400) for loose in (0, 30) for seed in (1, 2)]
SECONDS = 10


class CouldNotRun(Exception):
    pass


def cut_rectangle(seed, count, loose):
    """Half-open rectangles (from, before, bytes) as tests/optimal_planner/planned_problems_support.h has them."""
    draw = random.Random(f"{seed} {count} {loose}")
    parts = [(0, 4 * count, HEAD // UNIT)]

    def area(index):
        lower, upper, units = parts[index]
        return (upper - lower) * units

    while len(parts) < count:
        chosen = max((draw.randrange(len(parts)) for _ in range(4)), key=area)
        lower, upper, units = parts[chosen]
        if draw.random() < 0.5:
            if upper - lower < 2:
                continue
            middle = lower + draw.randrange(1, upper - lower)
            parts[chosen] = (lower, middle, units)
            parts.append((middle, upper, units))
        elif units >= 2:
            below = draw.randrange(1, units)
            parts[chosen] = (lower, upper, below)
            parts.append((lower, upper, units - below))
    full = draw.randrange(4 * count)
    parts = [part for part in parts if part[0] <= full < part[1] or draw.randrange(100) >= loose]
    draw.shuffle(parts)
    return [(lower, upper, units * UNIT) for lower, upper, units in parts]


def problems(folder, dsa):
    """(name, kind, path, known optimum or None)."""
    for count, loose, seed in CUTS:
        kind = "loose" if loose else "tight"
        path = folder / f"{kind}_{count}_{seed}.csv"
        rows = cut_rectangle(seed, count, loose)
        lines = [f"{i},{lower},{upper},{size}\n" for i, (lower, upper, size) in enumerate(rows)]
        path.write_text("id,lower,upper,size\n" + "".join(lines))
        yield path.stem, kind, path, HEAD
    for sub, kind in ((dsa, "dsa"), (dsa and dsa / "nets", "net")):
        for path in sorted(sub.glob("*.csv")) if sub else ():
            yield path.name.split(".")[0], kind, path, None


def plan(program, planner, path):
    words = [program, "plan", str(path), f"--planner={planner}", "--format=json"]
    if planner == "optimal":
        words.append(f"--time-limit={SECONDS}")
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise CouldNotRun(f"{' '.join(words)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def seconds_text(seconds):
    return f"{seconds * 1e3:.2g} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def above(report):
    bound = report["lower_bound_bytes"]
    return 100 * (report["peak_bytes"] - bound) / bound if bound else 0.0


def table(rows):
    lines = ["| problem | buffers | lower bound | " + " | ".join(f"{p}: above, time" for p in PLANNERS) + " | proven |",
             "| --- | ---: | ---: | " + "---: | " * len(PLANNERS) + "--- |"]
    for name, _, reports in rows:
        best = reports["optimal"]
        cells = [f"{above(reports[p]):.2f} %, {seconds_text(reports[p]['seconds'])}" for p in PLANNERS]
        lines.append(f"| {name} | {len(best['buffers'])} | {best['lower_bound_bytes']} | " + " | ".join(cells) +
                     f" | {'yes' if best['proven_optimal'] else 'no'} |")
    return "\n".join(lines)


def mark(kind, x, y):
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#000"/>'
    if kind == "square":
        return f'<path d="M{x - 4:.1f} {y - 4:.1f}h8v8h-8z" fill="#fff" stroke="#1f5fa8" stroke-width="1.5"/>'
    if kind == "triangle":
        return f'<path d="M{x:.1f} {y - 5:.1f}l4.5 8.5h-9z" fill="#fff" stroke="#2a7d3f" stroke-width="1.5"/>'
    return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" fill="none" stroke="#b3541e" stroke-width="1.5"/>'


def plot(rows):
    """A column for each problem, in it the planners side by side; how far above the lower bound on a scale of logarithms
    that begins at 0."""
    left, top, high, step, letter = 70, 58, 340, 32, 7.3
    wide = step * len(rows)
    names = letter * max(len(name) for name, _, _ in rows)
    width, height = left + wide + 20, round(top + high + names + 24)
    most = max(above(report) for _, _, reports in rows for report in reports.values()) or 1.0

    def level(percent):
        return top + high - high * math.log1p(percent) / math.log1p(most)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="monospace" font-size="12" role="img" aria-label="How far each planner\'s peak is above the '
           'lower bound, for each problem">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           '<text x="8" y="18">peak above the lower bound, in percent (0 is optimal)</text>']
    for index, planner in enumerate(PLANNERS):
        svg.append(mark(MARKS[planner], left + 8 + 110 * index, 34) +
                   f'<text x="{left + 18 + 110 * index}" y="38">{planner}</text>')
    for index in range(0, len(rows), 2):
        svg.append(f'<rect x="{left + step * index}" y="{top - 6}" width="{step}" height="{high + 14}" fill="#f3f3f3"/>')
    for percent in [p for p in (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if p <= most]:
        svg.append(f'<path d="M{left} {level(percent):.1f}h{wide}" stroke="#ccc"/>'
                   f'<text x="{left - 6}" y="{level(percent) + 4:.1f}" text-anchor="end">{percent} %</text>')
    for index, (name, _, reports) in enumerate(rows):
        x = left + step * (index + 0.5)
        svg += [mark(MARKS[p], x + BESIDE[p], level(above(reports[p]))) for p in PLANNERS]
        y = top + high + 14
        svg.append(f'<text x="{x + 4:.1f}" y="{y}" text-anchor="end" transform="rotate(-90 {x + 4:.1f} {y})">{name}</text>')
    return "\n".join(svg + ["</svg>", ""])


def main(arguments):
    if len(arguments) not in (2, 3):
        raise CouldNotRun(__doc__)
    dsa = pathlib.Path(arguments[2]) if len(arguments) == 3 else None
    rows, status = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, path, optimum in problems(pathlib.Path(folder), dsa):
            reports = {planner: plan(arguments[0], planner, path) for planner in PLANNERS}
            for planner, report in reports.items():
                if optimum and not report["lower_bound_bytes"] <= optimum <= report["peak_bytes"]:
                    print(f"{name}: {planner} has {report['peak_bytes']} bytes, and the optimum is {optimum}")
                    status = 1
            rows.append((name, kind, reports))
    print(table(rows))
    pathlib.Path(arguments[1], "planners.svg").write_text(plot(rows), encoding="utf-8")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CouldNotRun as problem:
        print(f"planners.py: {problem}", file=sys.stderr)
        sys.exit(2)
