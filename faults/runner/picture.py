"""The results as a picture: a stripe for each fault, a line for each column that could have noticed it."""

import collections
import re
from xml.sax.saxutils import escape

from . import verdicts
from .comparison import PLAIN_ASAN, PLAIN_VALGRIND, UNIT_TESTS

NOTICED, UNNOTICED, UNTOUCHED = "#1b7f4d", "#f2b8b3", "#e6e6e6"
LEFT, TOP, LINE, BAR, WIDTH, GAP = 144, 62, 34, 24, 570, 6
LETTER = 9.1  # of the widest fonts that stand in for a browser's monospace, at the size of all text here
LEGEND = {NOTICED: "noticed", UNNOTICED: "not noticed", UNTOUCHED: "without the fault, not ended or not measured"}

# Faults are grouped by where they sit: by the first of these that the folder of the patch matches.
ROOMS = [("arena", "core/(arena|base)/"), ("planner", "core/planner/"), ("model", "core/model/"), ("runtime", "core/runtime/"),
         ("kernels", "kernels/"), ("instruments", "sanitizers/"), ("command", "tools/"), ("oracles", "(engine|props|fuzz)/"), ("others", "")]


def room_of(fault):
    paths = re.findall(r"^\+\+\+ b/(\S+)", fault.text(), re.MULTILINE)
    return next(room for room, folder in ROOMS if re.match(folder, paths[0] if paths else ""))


def usual_budget(faults):
    """The budget that most were measured with before they were added; None when none was."""
    budgets = collections.Counter(fault.description["before"]["budget"] for fault in faults if "before" in fault.description)
    return budgets.most_common(1)[0][0] if budgets else None


def before(budget):
    """The column of one budget: measurements of different ones are not to be added up."""
    def colour(fault, _):
        found = fault.description.get("before")
        if not found or found.get("reason") or found["budget"] != budget:
            return UNTOUCHED
        return NOTICED if found["detected_by"] else UNNOTICED
    return colour


def now(_, row):
    return {verdicts.DETECTED: NOTICED, verdicts.MISSED: UNNOTICED}.get(verdicts.outcome(row), UNTOUCHED)


def beside(column):
    def colour(_, row):
        cell = row.get("comparison", {}).get(column, {})
        if cell.get("detected"):
            return NOTICED
        return UNNOTICED if cell.get("applicable") and cell.get("end") in ("", "clean") else UNTOUCHED
    return colour


def lines(faults):
    budget = usual_budget(faults)
    return [("now", now), (f"before ({budget} s)" if budget else "before", before(budget)), ("plain ASan", beside(PLAIN_ASAN)),
            ("plain Valgrind", beside(PLAIN_VALGRIND)), ("unit tests", beside(UNIT_TESTS))]


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y}"{more}>{escape(words)}</text>'


def stripes(y, colours, starts, width):
    """One path for each colour: a bar for each fault would make a large file."""
    for each in LEGEND:
        bars = "".join(f"M{x + width / 2:.1f} {y}v{BAR}" for x, colour in zip(starts, colours) if colour == each)
        if bars:
            yield f'<path stroke="{each}" stroke-width="{width + 0.1:.2f}" d="{bars}"/>'


def names_of_rooms(rooms):
    """A name may be wider than its faults: then the next one stands a line higher."""
    ends = [0] * 4
    for room, x in rooms:
        line = next((i for i, end in enumerate(ends) if end <= x), 0)
        ends[line] = x + LETTER * (len(room) + 1)
        yield text(x, TOP - 8 - 14 * line, room)


def svg(faults, rows):
    order = [room for room, _ in ROOMS]
    measured = sorted((fault for fault in faults if fault.name in rows),
                      key=lambda fault: (order.index(room_of(fault)), fault.name))
    rooms = [room for room in order if any(room_of(fault) == room for fault in measured)]
    width = (WIDTH - GAP * max(0, len(rooms) - 1)) / max(1, len(measured))
    starts = [LEFT + i * width + GAP * rooms.index(room_of(fault)) for i, fault in enumerate(measured)]
    begins = {room_of(fault): x for x, fault in reversed(list(zip(starts, measured)))}
    drawn = list(names_of_rooms([(room, begins[room]) for room in rooms]))
    columns = lines(measured)
    for i, (name, colour_of) in enumerate(columns):
        y = TOP + i * LINE
        colours = [colour_of(fault, rows[fault.name]) for fault in measured]
        share = f"{colours.count(NOTICED)} of {len(colours) - colours.count(UNTOUCHED)}"
        drawn += [text(LEFT - 10, y + 17, name, ' text-anchor="end"'), *stripes(y, colours, starts, width),
                  text(LEFT + WIDTH + 10, y + 17, share)]
    y, x = TOP + len(columns) * LINE + 8, LEFT
    for colour, words in LEGEND.items():
        drawn += [f'<rect x="{x:.1f}" y="{y}" width="12" height="12" fill="{colour}"/>', text(x + 18, y + 11, words)]
        x += 36 + LETTER * len(words)
    height = y + 30
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-family="monospace" font-size="13" '
                      f'role="img" aria-label="{len(measured)} planted faults, and who noticed each">',
                      f'<rect width="860" height="{height}" fill="#ffffff"/>', *drawn, "</svg>", ""])
