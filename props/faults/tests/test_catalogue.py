"""Faults are described completely, chosen by name, planted and taken out again."""

import os
import pathlib
import tempfile
import unittest

from runner import catalogue, command_line
from runner.catalogue import Fault
from runner.errors import CannotRun
from runner.scratch import Scratch

COMPLETE = {"summary": "s", "class": "c", "invariant": "i", "reachable_from": "r", "engines": ["proof"], "names": ["x"]}
PATCH = """--- a/room/file.h
+++ b/room/file.h
@@ -1,2 +1,2 @@
-right
+wrong
 rest
"""
ADDING_PATCH = """--- /dev/null
+++ b/room/fresh.h
@@ -0,0 +1 @@
+new
"""


class Descriptions(unittest.TestCase):
    def test_that_are_complete_have_no_complaint(self):
        self.assertEqual([], catalogue.complaints_about(COMPLETE, ["proof"]))

    def test_say_which_field_is_wrong(self):
        for change, word in (({"names": []}, "names"), ({"engines": ["other"]}, "other"), ({"sumary": "s"}, "sumary"),
                             ({"names": ["("]}, "regular expression"), ({"before": {"commit": "c"}}, "detected_by"),
                             ({"class": 3}, "class")):
            complaints = catalogue.complaints_about({**COMPLETE, **change}, ["proof"])
            self.assertEqual(1, len([line for line in complaints if word in line]) and 1, (change, complaints))
        self.assertIn("missing", catalogue.complaints_about({}, [])[0])


class Selecting(unittest.TestCase):
    FAULTS = [Fault(name, None, {}) for name in ("arena_a", "arena_b", "planner_a")]

    def test_takes_names_and_patterns_in_the_catalogues_order(self):
        chosen = catalogue.select(self.FAULTS, ["planner_a", "arena_*"])
        self.assertEqual(["arena_a", "arena_b", "planner_a"], [fault.name for fault in chosen])

    def test_refuses_a_name_that_nothing_has(self):
        with self.assertRaisesRegex(CannotRun, "no fault 'kernel_.'"):
            catalogue.select(self.FAULTS, ["arena_a", "kernel_*"])


class CommandLine(unittest.TestCase):
    def refused(self, *words):
        with self.assertRaises(CannotRun) as refusal:
            command_line.main(pathlib.Path(__file__).resolve().parents[3], list(words))
        sentence = str(refusal.exception)
        self.assertNotIn("\n", sentence)
        return sentence

    def test_refuses_wrong_words_with_one_sentence(self):
        self.assertIn("no fault 'nothing_of_that_name'", self.refused("nothing_of_that_name"))
        self.assertIn("--budget=soon", self.refused("--budget=soon"))
        self.assertIn("--budget=0", self.refused("--budget=0"))
        self.assertIn("--colour", self.refused("--colour"))
        self.assertIn("cannot be read", self.refused("--patch=/nowhere.patch"))
        self.assertIn("is no patch", self.refused(f"--patch={catalogue.__file__.replace('catalogue', 'errors')}"))
        self.assertIn("no such folder", self.refused("--json=/nowhere/at/all.json"))
        self.assertIn("no commit 'nowhere'", self.refused("--tree=nowhere", "--scratch=/tmp/none/scratch"))
        self.assertIn("--control-only", self.refused("--control-only", "arena_head_over_tail"))


class Planting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = Scratch(pathlib.Path(self.folder.name) / "scratch")
        self.scratch.fill({"room/file.h": (b"right\nrest\n", False), "room/other.h": (b"other\n", True)})

    def tearDown(self):
        self.folder.cleanup()

    def fault(self, text):
        file = pathlib.Path(self.folder.name) / "fault.patch"
        file.write_text(text)
        return Fault("f", file, {})

    def test_changes_the_patched_file_only_and_restores_it_with_a_new_time(self):
        file, other = self.scratch.tree / "room/file.h", self.scratch.tree / "room/other.h"
        for path in (file, other):
            os.utime(path, (1, 1))
        self.scratch.plant(self.fault(PATCH))
        self.assertEqual("wrong\nrest\n", file.read_text())
        self.scratch.restore()
        self.assertEqual("right\nrest\n", file.read_text())
        self.assertGreater(file.stat().st_mtime, 1)
        self.assertEqual(1, other.stat().st_mtime)

    def test_takes_a_new_file_out_again(self):
        self.scratch.plant(self.fault(ADDING_PATCH))
        self.assertTrue((self.scratch.tree / "room/fresh.h").exists())
        self.scratch.restore()
        self.assertFalse((self.scratch.tree / "room/fresh.h").exists())

    def test_is_undone_when_the_run_before_was_interrupted(self):
        self.scratch.plant(self.fault(PATCH))
        Scratch(self.scratch.folder).restore()
        self.assertEqual("right\nrest\n", (self.scratch.tree / "room/file.h").read_text())

    def test_refuses_a_patch_that_does_not_apply(self):
        with self.assertRaisesRegex(CannotRun, "the patch of f does not apply"):
            self.scratch.plant(self.fault(PATCH.replace("-right", "-left")))
        self.assertEqual("right\nrest\n", (self.scratch.tree / "room/file.h").read_text())

    def test_filling_again_keeps_time_stamps_and_modes_and_drops_what_is_gone(self):
        file = self.scratch.tree / "room/file.h"
        os.utime(file, (1, 1))
        self.scratch.fill({"room/file.h": (b"right\nrest\n", False)})
        self.assertEqual(1, file.stat().st_mtime)
        self.assertFalse((self.scratch.tree / "room/other.h").exists())


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
