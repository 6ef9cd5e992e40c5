"""A fault is measured in the commit before it was added, with its patch of then."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from runner import before, catalogue, verdicts
from runner.errors import CannotRun

DESCRIPTION = {"summary": "s", "engines": [], "names": []}


class Adding(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.patch = self.root / "corpus" / "faults" / "early" / "fault.patch"
        self.patch.parent.mkdir(parents=True)
        self.git("init", "-q")
        (self.root / "code").write_text("sound\n")
        self.clean = self.commit("code")
        self.patch.write_text("as added\n")
        self.commit("fault")
        self.patch.write_text("mended later\n")
        self.commit("mended")
        self.fault = catalogue.Fault("early", self.patch, DESCRIPTION)

    def tearDown(self):
        self.folder.cleanup()

    def git(self, *words):
        done = subprocess.run(["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t@t", *words],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, why):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", why)
        return self.git("rev-parse", "HEAD")

    def test_it_is_planted_into_the_commit_before_with_its_patch_of_then(self):
        self.assertEqual(self.clean, before.commit_before(self.root, self.fault))
        with tempfile.TemporaryDirectory() as folder:
            then = before.as_it_was_added(self.root, self.fault, folder)
            self.assertEqual("as added\n", then.patch.read_text())
        self.assertEqual("mended later\n", self.patch.read_text())

    def test_a_fault_that_is_not_committed_is_planted_as_it_is_into_the_last_commit(self):
        new = catalogue.Fault("new", self.root / "corpus" / "faults" / "new" / "fault.patch", DESCRIPTION)
        self.assertEqual(self.git("rev-parse", "HEAD"), before.commit_before(self.root, new))
        self.assertIs(new, before.as_it_was_added(self.root, new, self.folder.name))


ASAN = ("AddressSanitizer: heap-buffer-overflow on address 0x51d{0}0 at pc 0x56{0}7 bp 0x7f{0} sp 0x7{0}f; "
        "in Run(Operand const&) convolution.h:{1}; in {2}")


class AlarmsOfTheCleanTree(unittest.TestCase):
    ALARMS = {"replay": "alarm", "fuzz_a": ASAN.format(1, 92, "Invoke interpreter.cc:10")}

    def cell(self, name, message):
        found = {"detected": True, "message": message, "end": "detected", "seconds": 2.0, "seconds_to_detection": 1.0}
        return verdicts.without_alarm(self.ALARMS, name, found)

    def test_are_no_detections_of_a_fault_from_any_engine(self):
        for name, message in (("replay", "found"), ("model", "alarm")):
            cell = self.cell(name, message)
            self.assertEqual((False, "alarms on the clean tree too"), (cell["detected"], cell["end"]))
            self.assertNotIn("seconds_to_detection", cell)
        self.assertTrue(self.cell("control", "found")["detected"])

    def test_are_the_same_message_at_another_address_in_another_line_on_another_way(self):
        self.assertFalse(self.cell("model", ASAN.format(2, 95, "Run session.cc:3"))["detected"])
        other = ASAN.format(2, 95, "Run session.cc:3").replace("convolution.h", "pad.h")
        self.assertTrue(self.cell("model", other)["detected"])
        self.assertTrue(self.cell("model", ASAN.format(2, 95, "x y.cc:3").replace("heap-", "stack-"))["detected"])

    def test_are_what_the_control_found_also_beside_the_engines(self):
        control = {"engines": {"a": {"detected": True, "message": "m"}, "b": {"detected": False, "message": ""}},
                   "comparison": {"unit tests": {"detected": True, "message": "t"}}}
        self.assertEqual({"a": "m", "unit tests": "t"}, verdicts.alarms(control))


class Recorded(unittest.TestCase):
    def test_names_engines_without_a_result(self):
        row = {"engines": {"replay": {"detected": False, "end": verdicts.ALARM},
                           "ledger": {"detected": False, "end": "out of time", "troubles": {"ledger": "status 2"}},
                           "proof": {"detected": False, "end": "clean", "troubles": {}}}}
        self.assertEqual({"commit": "c", "budget": 10, "detected_by": [],
                          "not_heard": ["replay: alarms on the clean tree too", "ledger: could not run"]},
                         before.before_of(row, "c", 10))


class Writing(unittest.TestCase):
    def test_keeps_what_the_description_has_become_meanwhile(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / "fault_a"
            folder.mkdir()
            file = folder / "description.json"
            file.write_text(json.dumps(DESCRIPTION))
            (folder / "fault.patch").touch()
            fault = catalogue.load_fault(folder)
            file.write_text(json.dumps({**DESCRIPTION, "summary": "better words"}))
            before.write(fault, {"commit": "c", "budget": 10, "detected_by": []})
            written = json.loads(file.read_text())
            self.assertEqual(("better words", 10), (written["summary"], written["before"]["budget"]))
            self.assertEqual(["description.json", "fault.patch"], sorted(each.name for each in folder.iterdir()))

    def test_leaves_what_lies_beside_a_patch_of_the_callers_own(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "description.json"
            file.write_text("precious")
            fault = catalogue.Fault("own:mine", file.with_name("mine.patch"), {})
            with self.assertRaisesRegex(CannotRun, "has none"):
                before.write(fault, {})
            self.assertEqual("precious", file.read_text())


if __name__ == "__main__":
    unittest.main()
