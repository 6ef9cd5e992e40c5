"""The picture shows what the table holds."""

import pathlib
import re
import unittest
import xml.etree.ElementTree as xml

from runner import picture

from .rows import cell, fault, plain

SVG = "{http://www.w3.org/2000/svg}"
BEFORE = {"commit": "abc", "budget": 60, "detected_by": []}


def patch(path):
    return f"--- a/{path}\n+++ b/{path}\n"


def drawn(faults, rows):
    return xml.fromstring(picture.svg(faults, rows))


def words(image):
    return [text.text for text in image.iter(SVG + "text")]


def bars(image):
    """(line, x, colour) of each stripe."""
    return [(int(y), float(x), path.get("stroke")) for path in image.iter(SVG + "path")
            for x, y in re.findall(r"M([\d.]+) (\d+)v", path.get("d"))]


def stripes(image, line):
    """Colours of one line, from left to right."""
    top = picture.TOP + line * picture.LINE
    return [colour for y, _, colour in sorted(bars(image)) if y == top]


FAULTS = [fault("late", patch("kernels/k.cc"), before=BEFORE),
          fault("early", patch("core/arena/a.h"), before={**BEFORE, "detected_by": ["proof"]}),
          fault("elsewhere", "", before={**BEFORE, "reason": "no such code"})]
ROWS = {"late": {"engines": {"proof": cell()}, "comparison": {"plain ASan": plain(True), "unit tests": plain()}},
        "early": {"engines": {"proof": cell(True)}, "comparison": {"plain ASan": plain(end="out of time")}},
        "elsewhere": {"engines": {}, "does_not_build": "error"}}


class Picture(unittest.TestCase):
    def test_has_a_stripe_for_each_fault_in_the_order_of_rooms(self):
        image = drawn(FAULTS, ROWS)
        self.assertEqual([picture.NOTICED, picture.UNNOTICED, picture.UNTOUCHED], stripes(image, 0))
        self.assertEqual([picture.NOTICED, picture.UNNOTICED, picture.UNTOUCHED], stripes(image, 1))
        self.assertEqual([picture.UNTOUCHED, picture.NOTICED, picture.UNTOUCHED], stripes(image, 2))
        self.assertEqual([picture.UNTOUCHED, picture.UNNOTICED, picture.UNTOUCHED], stripes(image, 4))
        self.assertEqual(["arena", "kernels", "others"], words(image)[:3])

    def test_counts_only_those_that_could_be_noticed(self):
        texts = words(drawn(FAULTS, ROWS))
        for name, share in (("now", "1 of 2"), ("plain ASan", "1 of 1"), ("plain Valgrind", "0 of 0"), ("unit tests", "0 of 1")):
            self.assertEqual(share, texts[texts.index(name) + 1])

    def test_adds_up_no_measurements_of_different_budgets(self):
        shorter = fault("shorter", patch("tools/t.cc"), before={**BEFORE, "budget": 10, "detected_by": ["proof"]})
        texts = words(drawn([*FAULTS, shorter], {**ROWS, "shorter": ROWS["early"]}))
        self.assertEqual("1 of 2", texts[texts.index("before (60 s)") + 1])

    def test_leaves_out_what_has_not_been_measured_yet(self):
        self.assertEqual([picture.UNNOTICED], stripes(drawn(FAULTS, {"late": ROWS["late"]}), 0))
        self.assertEqual([], stripes(drawn(FAULTS, {}), 0))

    def test_keeps_inside_its_frame(self):
        many = [fault(f"f{i}", patch(path)) for i, path in enumerate(["kernels/k.cc", "core/arena/a.h", "tools/t.cc"] * 200)]
        image = drawn(many, {each.name: {"engines": {"proof": cell(True)}} for each in many})
        self.assertEqual(600 * len(picture.lines(many)), len(bars(image)))
        self.assertLess(picture.LEFT, min(x for _, x, _ in bars(image)))
        self.assertGreater(picture.LEFT + picture.WIDTH, max(x for _, x, _ in bars(image)))

    def test_keeps_its_words_inside_its_frame_where_the_font_is_wide(self):
        docs = pathlib.Path(__file__).parents[2] / "docs"
        for image in (drawn(FAULTS, ROWS), xml.parse(docs / "faults.svg").getroot(), xml.parse(docs / "underread.svg").getroot()):
            frame = float(image.get("viewBox").split()[2])
            for text in image.iter(SVG + "text"):
                width, x = 0.7 * float(text.get("font-size", image.get("font-size"))) * len(text.text), float(text.get("x"))
                left, right = (x - width, x) if text.get("text-anchor") == "end" else (x, x + width)
                self.assertTrue(0 <= left and right <= frame, f"{text.text}: {left} to {right}")


if __name__ == "__main__":
    unittest.main()
