"""The table says what was measured."""

import unittest

from runner import session, table
from runner.catalogue import Fault


class FakePatch:
    name = "fault.patch"

    def __init__(self, text):
        self.text = text

    def read_text(self):
        return self.text


PROBED = "+  ARENAPROOF_FAULT_REACHED();\n+  ARENAPROOF_FAULT_TRIGGERED(a);\n"


def fault(name, patch=PROBED, **description):
    return Fault(name, FakePatch(patch), {"names": ["I1"], **description})


def cell(detected=False, seconds=1.0, message="I1 order", **more):
    filled = {"applicable": True, "detected": detected, "seconds": seconds, "message": message if detected else "",
              "reached": 2, "triggered": 1, "end": "detected" if detected else "clean", **more}
    if detected:
        filled.update(seconds_to_detection=seconds, executions=more.get("executions"))
    return filled


def plain(detected=False, **more):
    return {"applicable": True, "detected": detected, "seconds": 1, "message": "", "end": "clean", **more}


CONTROL = {"engines": {"proof": cell()}, "engine_seconds": 1.0, "comparison": {}}


class Row(unittest.TestCase):
    def cells(self, the_fault, row):
        return dict(zip(table.HEADINGS, table.cells_of(the_fault, row)))

    def test_names_the_fastest_engine_and_counts_those_that_detected(self):
        row = {"engines": {"slow": cell(True, 9.0), "fast": cell(True, 0.25, "I9 other", executions=12345),
                           "none": cell(), "other": {"applicable": False}}}
        cells = self.cells(fault("f"), row)
        self.assertEqual(("yes", "fast", "0.25", "12k", "2 of 3"),
                         tuple(cells[name] for name in ("now", "first by", "s", "executions", "engines")))
        self.assertEqual("1 of 2", cells["named"])
        self.assertEqual(("6", "3"), (cells["reached"], cells["triggered"]))

    def test_says_no_probe_when_the_patch_has_none(self):
        cells = self.cells(fault("f", patch="+ x;"), {"engines": {"proof": cell()}})
        self.assertEqual(("no probe", "no probe", "NO"), (cells["reached"], cells["triggered"], cells["now"]))

    def test_keeps_the_measurement_before_apart_from_now(self):
        row = {"engines": {"proof": cell(True)}}
        self.assertEqual("not measured", self.cells(fault("f"), row)["before"])
        before = {"commit": "abc", "budget": 60, "detected_by": []}
        self.assertEqual("NO", self.cells(fault("f", before=before), row)["before"])
        self.assertEqual("yes", self.cells(fault("f", before={**before, "detected_by": ["x"]}), row)["before"])

    def test_tells_comparisons_apart(self):
        row = {"engines": {"proof": cell()}, "comparison": {
            "plain ASan": plain(undefined_behaviour="shift"), "plain Valgrind": plain(True),
            "unit tests": {"applicable": False, "detected": False}}}
        cells = self.cells(fault("f"), row)
        self.assertEqual(("no (UB)", "yes", "untouched"),
                         tuple(cells[name] for name in ("plain ASan", "plain Valgrind", "unit tests")))

    def test_says_when_a_fault_does_not_build(self):
        cells = self.cells(fault("f"), {"engines": {}, "does_not_build": "error"})
        self.assertEqual("DOES NOT BUILD", cells["now"])


class Tables(unittest.TestCase):
    def test_have_a_line_for_each_fault(self):
        faults = [fault("one"), fault("two")]
        rows = {"one": {"engines": {"proof": cell(True)}}, "two": {"engines": {"proof": cell()}}}
        self.assertEqual(3, len(table.text_table(faults, rows).splitlines()))
        self.assertEqual(4, len(table.markdown_table(faults, rows).splitlines()))
        self.assertIn("| one | 1.00 s |", table.markdown_engines(faults, rows))
        self.assertIn("| two | clean |", table.markdown_engines(faults, rows))


class Verdict(unittest.TestCase):
    def verdict(self, row, control=None):
        return session.verdict([fault("f")], {"f": row, session.CONTROL: control or CONTROL})

    def test_is_0_when_all_is_detected_and_the_control_clean(self):
        self.assertEqual(0, self.verdict({"engines": {"proof": cell(True)}})[0])

    def test_is_1_for_a_fault_that_nobody_detected_whatever_unit_tests_and_plain_tools_say(self):
        status, sentence = self.verdict({"engines": {"proof": cell()}, "comparison": {"unit tests": plain(True),
                                                                                      "plain ASan": plain(True)}})
        self.assertEqual(1, status)
        self.assertIn("NOT detected: f", sentence)

    def test_is_1_for_a_false_alarm(self):
        alarm = {"engines": {"proof": cell(True)}, "comparison": {}}
        self.assertEqual(1, self.verdict({"engines": {"proof": cell(True)}}, alarm)[0])
        self.assertIn("FALSE", table.control_text(alarm))
        alarm = {"engines": {}, "comparison": {"plain Valgrind": plain(True)}}
        self.assertEqual(1, self.verdict({"engines": {"proof": cell(True)}}, alarm)[0])

    def test_is_2_when_something_could_not_be_measured(self):
        self.assertEqual(2, self.verdict({"engines": {}, "does_not_build": "error"})[0])
        broken = {"engines": {"proof": cell(end="could not run: status 1")}, "comparison": {}}
        self.assertEqual(2, self.verdict({"engines": {"proof": cell(True)}}, broken)[0])


if __name__ == "__main__":
    unittest.main()
