"""The table shows what was measured."""

import unittest

from runner import session, table

from .rows import cell, fault, plain

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

    def test_shows_no_probe_when_the_patch_has_none(self):
        cells = self.cells(fault("f", patch="+ x;"), {"engines": {"proof": cell()}})
        self.assertEqual(("no probe", "no probe", "NO"), (cells["reached"], cells["triggered"], cells["now"]))

    def test_keeps_the_measurement_before_apart_from_now(self):
        row = {"engines": {"proof": cell(True)}}
        self.assertEqual("not measured", self.cells(fault("f"), row)["before"])
        before = {"commit": "abc", "budget": 60, "detected_by": []}
        self.assertEqual("NO (60 s)", self.cells(fault("f", before=before), row)["before"])
        self.assertEqual("not measurable", self.cells(fault("f", before={**before, "reason": "no code"}), row)["before"])
        self.assertEqual("yes (60 s)", self.cells(fault("f", before={**before, "detected_by": ["x"]}), row)["before"])

    def test_keeps_comparisons_apart(self):
        row = {"engines": {"proof": cell()}, "comparison": {
            "plain ASan": plain(undefined_behaviour="shift"), "plain Valgrind": plain(True),
            "unit tests": {"applicable": False, "detected": False}}}
        cells = self.cells(fault("f"), row)
        self.assertEqual(("no (UB)", "yes", "untouched"),
                         tuple(cells[name] for name in ("plain ASan", "plain Valgrind", "unit tests")))

    def test_shows_how_far_a_comparison_came(self):
        def text(**more):
            return table.comparison_text({"comparison": {"plain ASan": plain(**more)}}, "plain ASan")

        self.assertEqual("no", text())
        self.assertEqual("out of time", text(end="out of time"))
        self.assertEqual("out of time (UB)", text(end="out of time", undefined_behaviour="shift"))
        self.assertEqual("not finished (UB)",
                         text(end="undefined behaviour, not finished", undefined_behaviour="shift"))
        self.assertEqual("status 2", text(end="status 2"))
        self.assertEqual("alarms on the clean tree too", text(end="alarms on the clean tree too"))

    def test_marks_engines_that_could_not_run(self):
        row = {"engines": {"proof": cell(True), "ledger": cell(troubles={"ledger": "status 2: no model"})}}
        self.assertEqual("1 of 2, 1 could not run", self.cells(fault("f"), row)["engines"])

    def test_shows_what_the_compiler_caught(self):
        cells = self.cells(fault("f"), {"engines": {}, "caught_by_compiler": "static assertion failed"})
        self.assertEqual("by the compiler", cells["now"])

    def test_shows_when_a_fault_does_not_build(self):
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


class Details(unittest.TestCase):
    def test_have_a_line_for_each_engine_with_all_that_was_measured(self):
        rows = {"one": {"engines": {"proof": cell(True, 2.5, "I1 order", executions=17), "ledger": cell(seconds=3.0),
                                    "check": {"applicable": False, "detected": False}}}}
        lines = table.markdown_details([fault("one")], rows).splitlines()
        self.assertEqual("| fault | engine | reached | triggered | detected | s | executions | named |", lines[0])
        self.assertEqual("| one | proof | 2 | 1 | yes | 2.50 | 17 | yes |", lines[2])
        self.assertEqual("| one | ledger | 2 | 1 | clean | 3.00 | - | - |", lines[3])
        self.assertEqual(4, len(lines))


class Control(unittest.TestCase):
    def test_lists_engines_that_did_not_get_to_their_end(self):
        row = {"engines": {"small-scope": cell(seconds=20.0, end="out of time"), "proof": cell(),
                           "fuzz_a": cell(end="out of time", random=True)}}
        self.assertIn("not finished in their share: small-scope (20.0 s)", table.control_text(row))
        self.assertNotIn("fuzz_a", table.control_text(row))


class Verdict(unittest.TestCase):
    def verdict(self, row, control=None):
        return session.verdict([fault("f")], {"f": row, session.CONTROL: control or CONTROL})

    def test_is_0_when_all_is_detected_and_the_control_clean(self):
        self.assertEqual(0, self.verdict({"engines": {"proof": cell(True)}})[0])

    def test_is_1_for_a_fault_that_no_engine_detected_in_spite_of_unit_tests_and_plain_tools(self):
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
        broken = {"engines": {"proof": cell(troubles={"proof": "status 1: no solver"})}, "comparison": {}}
        self.assertEqual(2, self.verdict({"engines": {"proof": cell(True)}}, broken)[0])

    def test_is_2_when_a_fault_was_missed_and_an_engine_could_not_run(self):
        missed = {"engines": {"proof": cell(), "ledger": cell(troubles={"ledger": "status 2: no model"})}}
        status, sentence = self.verdict(missed)
        self.assertEqual(2, status)
        self.assertIn("could not run under: f", sentence)
        self.assertEqual(0, self.verdict({"engines": {**missed["engines"], "check": cell(True)}})[0])

    def test_counts_what_the_compiler_refuses_neither_as_detected_nor_as_missed(self):
        status, sentence = self.verdict({"engines": {}, "caught_by_compiler": "static assertion failed"})
        self.assertEqual(0, status)
        self.assertIn("0 of 1 faults detected", sentence)
        self.assertIn("caught by the compiler, neither detected nor missed: f", sentence)

    def test_takes_undefined_behaviour_in_the_clean_tree_for_a_false_alarm(self):
        alarm = {"engines": {}, "comparison": {"plain ASan": plain(undefined_behaviour="null pointer")}}
        self.assertEqual(1, self.verdict({"engines": {"proof": cell(True)}}, alarm)[0])
        self.assertIn("null pointer", table.control_text(alarm))


class Json(unittest.TestCase):
    def test_has_what_was_measured_and_nothing_that_is_kept_for_a_resume(self):
        control = {"engines": {"proof": cell(True, message="I1 order")}, "engine_seconds": 1.0, "done": True,
                   "clean": {"hashes": {}}, "progress": {}, "digest": "clean", "comparison": {}, "build_seconds": 2.0}
        row = {"engines": {"a": cell(True), "b": cell(True, message="other")}, "progress": {}, "digest": "0", "done": True}
        written = table.result_json([fault("f"), fault("not run")],
                                    {"options": {"budget": 1}, "rows": {"(control)": control, "f": row}})
        self.assertEqual({"options", "control", "false_alarms", "faults"}, set(written))
        self.assertEqual({"engines", "engine_seconds", "comparison", "build_seconds"}, set(written["control"]))
        self.assertEqual(["proof: I1 order"], written["false_alarms"])
        self.assertEqual(["f"], list(written["faults"]))
        self.assertEqual({"engines", "description", "detected", "named_by"}, set(written["faults"]["f"]))
        self.assertEqual((True, ["a"]), (written["faults"]["f"]["detected"], written["faults"]["f"]["named_by"]))


if __name__ == "__main__":
    unittest.main()
