"""Tables of what clang's counters say: coverage.py ROOT CORPORA.json [EVERYTHING.json]

Prints lines and branches reached, by room and sub-room, and how many places of core/ the first report does not reach;
not_reached.txt beside it lists them, each with its reason out of corpus/not_reached.csv (path, text of the line, reason).
Places of a file with the same text are one. Exit status 1 when one has no reason, or when a reason stands there for what is
reached; 2 when the report has nothing of core/.
"""
import csv
import json
import pathlib
import sys


def files_of(report, root):
    content = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
    files = {}
    for one in content["data"][0]["files"]:
        path = pathlib.Path(one["filename"])
        if path.is_relative_to(root):
            files[str(path.relative_to(root))] = one
    return files


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def sums_by_room(files):
    sums = {}
    for path, one in files.items():
        for room in {path.split("/")[0], room_of(path)}:
            row = sums.setdefault(room, [0, 0, 0, 0])
            for place, kind in ((0, "lines"), (2, "branches")):
                row[place] += one["summary"][kind]["covered"]
                row[place + 1] += one["summary"][kind]["count"]
    return sums


def share(covered, count):
    return f"{100 * covered / count:5.1f} %" if count else "      -"


def print_rooms(reports):
    names = ["by the corpora", "by everything"][: len(reports)]
    print("\n" + f"{'room':<28}" + "".join(f"{name + ': lines':>24}{'branches':>10}" for name in names))
    for room in sorted(set().union(*reports)):
        line = f"{room:<28}"
        for report in reports:
            row = report.get(room, [0, 0, 0, 0])
            line += f"{share(row[0], row[1]):>24}{share(row[2], row[3]):>10}"
        print(line)


def lines_not_reached(one):
    """First lines of the pieces without a hit: segments are [line, column, count, has_count, is_entry, is_gap]."""
    found, open_since = [], None
    for line, _, count, has_count, is_entry, is_gap in one["segments"]:
        missed = has_count and count == 0 and not is_gap
        if missed and open_since is None:
            open_since = line
        if not missed and open_since is not None:
            found.append((open_since, line))
            open_since = None
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    reports = [files_of(report, root) for report in sys.argv[2:]]
    if not any(path.startswith("core/") for path in reports[0]):
        print(f"{sys.argv[2]} names no file of {root}/core, so it is of other sources, or of none", file=sys.stderr)
        return 2
    print_rooms([sums_by_room(files) for files in reports])
    with open(root / "corpus/not_reached.csv", encoding="utf-8") as table:
        reasons = {(row["path"], row["line"]): row["reason"] for row in csv.DictReader(table)}
    places = {}
    for path in sorted(path for path in reports[0] if path.startswith("core/")):
        text = (root / path).read_text(encoding="utf-8").splitlines()
        for first, _ in lines_not_reached(reports[0][path]):
            places.setdefault((path, text[first - 1].strip()), first)
    without = [key for key in places if key not in reasons]
    idle = sorted(set(reasons) - set(places))
    listed = pathlib.Path(sys.argv[2]).resolve().with_name("not_reached.txt")
    listed.write_text("".join(f"{path}:{first}: {line}\n    {reasons.get((path, line), 'NO REASON IS KNOWN')}\n"
                              for (path, line), first in places.items()), encoding="utf-8")
    print("\nof core/, places that no corpus reaches, and those of them without a reason:")
    for file in sorted({path for path, _ in places}):
        here = [key for key in places if key[0] == file]
        print(f"  {file:<60}{len(here):>5}{sum(key in without for key in here):>5}")
    for path, line in idle:
        print(f"  corpus/not_reached.csv gives a reason for what is reached, or is not there: {path}: {line}")
    print(f"{len(places)} places, {len(without)} of them without a reason: {listed.relative_to(root)}")
    return 1 if without or idle else 0


if __name__ == "__main__":
    sys.exit(main())
