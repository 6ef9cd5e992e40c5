"""Faults are described completely and chosen by name."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest

from runner import catalogue, command_line
from runner.catalogue import Fault
from runner.errors import CannotRun

from .patches import ADDING_PATCH, COMPLETE, PATCH

BEFORE = {"commit": "0123456789" * 4, "budget": 60, "detected_by": []}
FOUND = {**BEFORE, "detected_by": ["proof"], "seconds": 1.5, "message": "I1 order"}


class Descriptions(unittest.TestCase):
    def test_that_are_complete_have_no_complaint(self):
        self.assertEqual([], catalogue.complaints_about(COMPLETE, ["proof"]))

    def test_name_the_field_that_is_wrong(self):
        for change, word in (({"names": []}, "names"), ({"engines": ["other"]}, "other"), ({"sumary": "s"}, "sumary"),
                             ({"names": ["("]}, "regular expression"), ({"before": {"commit": "c"}}, "detected_by"),
                             ({"class": 3}, "class"), ({"summary": "  "}, "empty"),
                             ({"engines": ["proof", "proof"]}, "twice")):
            complaints = catalogue.complaints_about({**COMPLETE, **change}, ["proof"])
            self.assertEqual(1, len([line for line in complaints if word in line]) and 1, (change, complaints))
        self.assertIn("missing", catalogue.complaints_about({}, [])[0])

    def test_have_a_measurement_that_can_be_one(self):
        for before in (BEFORE, FOUND, {**BEFORE, "reason": "its code did not exist there"},
                       {**BEFORE, "not_heard": ["ledger: could not run"]},
                       {**FOUND, "detected_by": [catalogue.FORMER_ENGINES[0]]}):
            self.assertEqual([], catalogue.complaints_about({**COMPLETE, "before": before}, ["proof"]), before)
        for change, word in (({"budget": True}, "budget"), ({"budget": -4}, "budget"), ({"budget": 1.5}, "budget"),
                             ({"detected_by": ["nobody"]}, "nobody"), ({"detected_by": [1]}, "detected_by"),
                             ({"detected_by": ["proof", "proof"]}, "twice"), ({"detected_by": []}, "no engine"),
                             ({"commit": "nosuch"}, "commit"), ({"commit": 3}, "commit"), ({"zz": 1}, "zz"),
                             ({"reason": "none"}, "reason"), ({"reason": 7}, "reason"), ({"seconds": "2"}, "seconds"),
                             ({"seconds": 9999}, "seconds"), ({"seconds": -1}, "seconds"),
                             ({"seconds": float("nan")}, "seconds"), ({"message": " "}, "is empty"),
                             ({"not_heard": []}, "is empty"),
                             ({"message": None}, "message"), ({"not_heard": [[]]}, "not_heard")):
            complaints = catalogue.complaints_about({**COMPLETE, "before": {**FOUND, **change}}, ["proof"])
            self.assertTrue(complaints and all(word in line for line in complaints), (change, complaints))

    def test_of_any_type_lead_to_a_complaint(self):
        for description in ([], 5, None, "text", {**COMPLETE, "names": 5}, {**COMPLETE, "engines": 7},
                            {**COMPLETE, "before": "no"}, {**COMPLETE, "names": [5]}, {**COMPLETE, "engines": [[]]}):
            self.assertEqual(1, len(catalogue.complaints_about(description, ["proof"])), description)

    def test_name_something_that_not_every_message_has(self):
        for expression in (".", "operator|event|end|violation", "blind", "arena", "bytes", "plan|scratch", "tail|event",
                           "temporar", "state", "IF|operator", ""):
            complaints = catalogue.complaints_about({**COMPLETE, "names": [expression]}, ["proof"])
            self.assertEqual(1, len(complaints), expression)
            self.assertIn("names nothing", complaints[0])
        self.assertEqual([], catalogue.complaints_about({**COMPLETE, "names": ["freed temporary", "lifetime"]}, ["proof"]))


class Selecting(unittest.TestCase):
    FAULTS = [Fault(name, None, {}) for name in ("arena_a", "arena_b", "planner_a")]

    def test_takes_names_and_patterns_in_the_catalogues_order(self):
        chosen = catalogue.select(self.FAULTS, ["planner_a", "arena_*"])
        self.assertEqual(["arena_a", "arena_b", "planner_a"], [fault.name for fault in chosen])

    def test_refuses_a_name_that_nothing_has(self):
        with self.assertRaisesRegex(CannotRun, "no fault 'kernel_.'"):
            catalogue.select(self.FAULTS, ["arena_a", "kernel_*"])


class CatalogueWithMistakes(unittest.TestCase):
    """A tree with one fault, described in every wrong way."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.fault = self.root / "corpus" / "faults" / "f"
        self.fault.mkdir(parents=True)
        self.describe(COMPLETE)
        (self.fault / "fault.patch").write_text(ADDING_PATCH)
        (self.root / "corpus" / "faults" / "quick.txt").write_text("f proof\n")

    def tearDown(self):
        self.folder.cleanup()

    def describe(self, description):
        (self.fault / "description.json").write_text(json.dumps(description))

    def refused(self, *words):
        with self.assertRaises(CannotRun) as refusal, contextlib.redirect_stdout(io.StringIO()):
            command_line.main(self.root, list(words))
        return str(refusal.exception)

    def test_is_refused_with_one_sentence(self):
        for description in ([], 5, None, {**COMPLETE, "names": 5}, {**COMPLETE, "engines": 7}, {**COMPLETE, "before": "no"}):
            self.describe(description)
            for question in ("--list", "--check-patches", "--quick"):
                self.assertIn("the description of the fault f: ", self.refused(question))

    def test_with_a_name_that_is_none_is_refused(self):
        for name in ("(control)", "own:mine", "two words"):
            renamed = self.fault.rename(self.fault.with_name(name))
            self.assertIn("letters, digits and _", self.refused("--list"))
            renamed.rename(self.fault)

    def test_with_a_pipe_for_a_description_is_refused(self):
        (self.fault / "description.json").unlink()
        os.mkfifo(self.fault / "description.json")
        self.assertIn("f has no description.json", self.refused("--list"))

    def test_without_faults_is_refused(self):
        for file in self.fault.iterdir():
            file.unlink()
        self.fault.rmdir()
        (self.root / "corpus" / "faults" / "quick.txt").write_text("# none\n")
        for words in ((), ("--list",), ("--check-patches",)):
            self.assertIn("no fault in corpus/faults/", self.refused(*words))
        self.assertIn("quick.txt names no fault", self.refused("--quick"))

    def test_with_a_folder_without_a_patch_is_refused(self):
        (self.fault / "fault.patch").unlink()
        self.assertIn("f has no fault.patch", self.refused("--list"))

    def test_without_quick_txt_is_refused(self):
        (self.root / "corpus" / "faults" / "quick.txt").unlink()
        self.assertIn("quick.txt cannot be read", self.refused("--check-patches"))
        self.assertIn("quick.txt cannot be read", self.refused("--quick"))

    def check(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            return command_line.main(self.root, ["--check-patches"]), output.getvalue()

    def test_with_an_empty_patch_does_not_pass(self):
        (self.root / "props/proof").mkdir(parents=True)
        (self.root / "props/proof/CMakeLists.txt").write_text("arenaproof_executable(arenaproof-prove)")
        self.assertEqual(0, self.check()[0])
        (self.fault / "fault.patch").write_text("")
        status, output = self.check()
        self.assertEqual(1, status)
        self.assertIn("it changes no file", output)

    def test_lists_those_without_a_measurement_before_and_passes(self):
        (self.root / "props/proof").mkdir(parents=True)
        (self.root / "props/proof/CMakeLists.txt").write_text("arenaproof_executable(arenaproof-prove)")
        self.assertIn("1 have no 'before' yet", self.check()[1])
        self.describe({**COMPLETE, "before": BEFORE})
        self.assertNotIn("before", self.check()[1])


class OwnPatch(unittest.TestCase):
    def test_is_a_fault_without_a_description(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.patch"
            file.write_text(PATCH)
            fault = catalogue.own_patch(file)
        self.assertEqual("own:mine", fault.name)
        self.assertEqual([], fault.names)


class Quick(unittest.TestCase):
    def test_names_what_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "corpus" / "faults" / "quick.txt"
            file.parent.mkdir(parents=True)
            known = [Fault("a", None, {})]
            file.write_text("# comment\na proof check  # why\n")
            self.assertEqual([(known[0], ["proof", "check"])], catalogue.quick_faults(folder, known))
            file.write_text("b proof\n")
            with self.assertRaisesRegex(CannotRun, "no fault"):
                catalogue.quick_faults(folder, known)
            file.write_text("a\n")
            with self.assertRaisesRegex(CannotRun, "no engine"):
                catalogue.quick_faults(folder, known)


if __name__ == "__main__":
    unittest.main()
