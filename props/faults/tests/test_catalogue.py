"""Faults are described completely, chosen by name, planted and taken out again."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from runner import catalogue, command_line
from runner.catalogue import Fault
from runner.errors import CannotRun
from runner.scratch import Scratch

COMPLETE = {"summary": "s", "class": "c", "invariant": "i", "reachable_from": "r", "engines": ["proof"], "names": ["I1 order"]}
BEFORE = {"commit": "0123456789" * 4, "budget": 60, "detected_by": []}
FOUND = {**BEFORE, "detected_by": ["proof"], "seconds": 1.5, "message": "I1 order"}
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

    def test_have_a_measurement_that_can_be_one(self):
        for before in (BEFORE, FOUND, {**BEFORE, "reason": "its code did not exist there"},
                       {**BEFORE, "not_heard": ["ledger: could not run"]}):
            self.assertEqual([], catalogue.complaints_about({**COMPLETE, "before": before}, ["proof"]), before)
        for change, word in (({"budget": True}, "budget"), ({"budget": -4}, "budget"), ({"budget": 1.5}, "budget"),
                             ({"detected_by": ["nobody"]}, "nobody"), ({"detected_by": [1]}, "detected_by"),
                             ({"detected_by": ["proof", "proof"]}, "twice"), ({"detected_by": []}, "nobody"),
                             ({"commit": "nosuch"}, "commit"), ({"commit": 3}, "commit"), ({"zz": 1}, "zz"),
                             ({"reason": "none"}, "reason"), ({"reason": 7}, "reason"), ({"seconds": "2"}, "seconds"),
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


ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNNER = ROOT / "props" / "faults"


class CommandLine(unittest.TestCase):
    def refused(self, *words, root=ROOT):
        with self.assertRaises(CannotRun) as refusal, contextlib.redirect_stdout(io.StringIO()):
            command_line.main(root, list(words))
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
        self.assertIn("--budget=\u00b2", self.refused("--budget=\u00b2"))
        self.assertIn("nothing can be written in", self.refused("--control-only", "--scratch=/dev/null/x"))

    def test_refuses_them_whatever_is_asked_for(self):
        for question in ("--list", "--check-patches", "--quick", "--control-only"):
            self.assertIn("no engine 'nosuch'", self.refused(question, "--engine=nosuch"))
            self.assertIn("no such folder", self.refused(question, "--json=/nonexistent/x"))
            self.assertIn("cannot be written", self.refused(question, "--json=/tmp"))
            self.assertIn("cannot be written", self.refused(question, "--markdown=/proc/none"))
        for question in ("--list", "--check-patches"):
            self.assertIn("cannot be read", self.refused(question, "--patch=/nonexistent"))

    def test_ignores_nothing_that_was_said(self):
        for words in (["--json="], ["--markdown="], ["--tree="], ["--scratch="], ["--patch="], ["--engine=", "--list"],
                      ["--budget=", "--list"], [""]):
            self.assertIn("is empty", self.refused(*words))
        with tempfile.TemporaryDirectory() as folder:
            json_there = f"--json={folder}/f"
            for question in ("--list", "--check-patches"):
                for word in (json_there, "--tree=nosuch", "--resume", "--quick", "--record-before", "--control-only",
                             "--scratch=x", "--budget=60", "--engine=proof", "--without=proof"):
                    self.assertIn(f"leave {word.split('=')[0]} out", self.refused(question, word))
            for words in (["--control-only"], ["--control-only", "--resume", json_there], ["--quick"],
                          ["--patch=mine.patch"], ["--patch=mine.patch", "--tree=HEAD"], ["--engine=proof"],
                          ["--without=proof", "--tree=HEAD"]):
                self.assertIn("out", self.refused("--record-before", *words))
            for word in (json_there, f"--markdown={folder}/f", "--resume"):
                self.assertIn("--tree=COMMIT", self.refused("--record-before", word))
        self.assertIn("leave --quick out", self.refused("--control-only", "--quick"))
        self.assertIn("leave --check-patches out", self.refused("--list", "--check-patches"))
        self.assertIn("cannot both be meant", self.refused("--engine=proof", "--without=proof", "--list"))

    def test_waits_for_no_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            self.assertIn("is no file", self.refused(f"--patch={pipe}"))
            for word in ("--json", "--markdown"):
                self.assertIn("neither a file nor a device", self.refused(f"{word}={pipe}"))

    def test_refuses_names_that_no_file_can_have(self):
        with tempfile.TemporaryDirectory() as folder:
            loop = pathlib.Path(folder) / "loop"
            loop.symlink_to(loop)
            for path in (loop, "a" * 300, f"{folder}/{'a' * 300}/b", loop / "b"):
                for word in ("--json", "--markdown", "--patch"):
                    self.assertIn("cannot be", self.refused(f"{word}={path}"))

    def test_leaves_no_empty_file_where_results_will_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            command_line.require_writable(file)
            self.assertFalse(file.exists())
            file.write_text("old")
            command_line.require_writable(file)
            self.assertEqual("old", file.read_text())

    def test_refuses_two_patches_of_one_name(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / sub / "mine.patch" for sub in ("a", "b")]
            for file in files:
                file.parent.mkdir()
                file.write_text(PATCH)
            self.assertIn("both be called own:mine", self.refused(*[f"--patch={file}" for file in files]))

    def test_checks_single_patches_also_those_of_ones_own(self):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            self.assertEqual(0, command_line.main(ROOT, ["--check-patches", "arena_head_over_tail"]))
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "mine.patch"
                file.write_text(PATCH)
                self.assertEqual(1, command_line.main(ROOT, ["--check-patches", f"--patch={file}"]))
                file.write_text(PATCH.replace("room/file.h", "new").replace("-1,2 +1,2", "-0,0 +1,2")
                                .replace("-right\n+wrong\n rest", "+wrong\n+rest"))
                self.assertEqual(0, command_line.main(ROOT, ["--check-patches", f"--patch={file}"]))
        self.assertIn("1 patches apply and are described\n", told.getvalue())
        self.assertIn("\n1 patches of your own apply\n", told.getvalue())
        self.assertIn("the patch of own:mine does not apply", told.getvalue())


class Entry(unittest.TestCase):
    """The command as it is called."""

    def call(self, root, *words, **options):
        code = f"import sys; sys.path.insert(0, {str(RUNNER)!r}); from runner import command_line; " \
               f"command_line.entry({str(root)!r})"
        return subprocess.run([sys.executable, "-B", "-X", "utf8", "-c", code, *words], text=True, stderr=subprocess.PIPE,
                              **options)

    def test_lists_descriptions_that_hold_what_is_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            fault = pathlib.Path(folder) / "corpus" / "faults" / "f"
            fault.mkdir(parents=True)
            (fault / "fault.patch").write_text(ADDING_PATCH)
            (fault / "description.json").write_text(json.dumps({**COMPLETE, "summary": "s\ud800"}))
            told = self.call(folder, "--list", stdout=subprocess.PIPE)
        self.assertEqual((0, ""), (told.returncode, told.stderr))
        self.assertIn("s\\ud800", told.stdout)

    def test_ends_when_nobody_reads_any_more(self):
        reader, writer = os.pipe()
        os.close(reader)
        told = self.call(ROOT, "--list", stdout=writer)
        os.close(writer)
        self.assertEqual((2, ""), (told.returncode, told.stderr))


class SpoiltCatalogue(unittest.TestCase):
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
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            return command_line.main(self.root, ["--check-patches"]), told.getvalue()

    def test_with_an_empty_patch_does_not_pass(self):
        (self.root / "props/proof").mkdir(parents=True)
        (self.root / "props/proof/CMakeLists.txt").write_text("arenaproof_executable(arenaproof-prove)")
        self.assertEqual(0, self.check()[0])
        (self.fault / "fault.patch").write_text("")
        status, told = self.check()
        self.assertEqual(1, status)
        self.assertIn("it changes no file", told)

    def test_tells_who_has_not_been_measured_before_and_passes(self):
        (self.root / "props/proof").mkdir(parents=True)
        (self.root / "props/proof/CMakeLists.txt").write_text("arenaproof_executable(arenaproof-prove)")
        self.assertIn("1 have no 'before' yet", self.check()[1])
        self.describe({**COMPLETE, "before": BEFORE})
        self.assertNotIn("before", self.check()[1])


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

    def test_is_undone_whatever_patch_understands(self):
        """Renames, copies, modes, empty files, names with blanks and quotes, other prefixes, links, files for folders."""
        tree, before = self.scratch.tree, self.holding()
        for text in (
                "diff --git a/room/other.h b/room/moved.h\nsimilarity index 100%\nrename from room/other.h\n"
                "rename to room/moved.h\n",
                "diff --git a/room/other.h b/room/second.h\nsimilarity index 100%\ncopy from room/other.h\n"
                "copy to room/second.h\n",
                "diff --git a/room/file.h b/room/file.h\nold mode 100644\nnew mode 100755\n",
                "diff --git a/deep/er/empty b/deep/er/empty\nnew file mode 100644\nindex 0000000..e69de29\n",
                "--- /dev/null\n+++ b/room/two words.h\t\n@@ -0,0 +1 @@\n+x\n",
                '--- /dev/null\n+++ "b/room/\\303\\251.h"\n@@ -0,0 +1 @@\n+x\n',
                PATCH.replace("a/", "x/").replace("b/", "y/"),
                "diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+room\n"
                "\\ No newline at end of file\n",
                "diff --git a/room/other.h b/room/other.h\ndeleted file mode 100755\n--- a/room/other.h\n+++ /dev/null\n"
                "@@ -1 +0,0 @@\n-other\n",
                "--- a/room/other.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n"
                "--- /dev/null\n+++ b/room/other.h/x\n@@ -0,0 +1 @@\n+x\n"):
            try:
                self.assertNotEqual([], self.scratch.plant(self.fault(text)), text)
                self.assertNotEqual(before, self.holding(), text)
            except CannotRun:
                self.assertIn("other.h/x", text)
            self.scratch.restore()
            self.assertEqual(before, self.holding(), text)
            self.assertEqual(["room"], [path.name for path in tree.iterdir()])

    def holding(self):
        return {(str(path), path.is_symlink() or path.read_bytes(), path.stat().st_mode)
                for path in self.scratch.tree.rglob("*") if path.is_file() or path.is_symlink()}

    def test_is_not_undone_with_files_that_are_damaged(self):
        self.scratch.plant(self.fault(PATCH))
        archive = self.scratch.archive.read_bytes()
        for damaged in (b"", archive[:1000], archive.replace(b"right", b"wring")):
            self.scratch.archive.write_bytes(damaged)
            with self.assertRaisesRegex(CannotRun, "is damaged"):
                Scratch(self.scratch.folder).restore()

    def test_says_why_a_patch_does_not_apply(self):
        for text, why in (
                (PATCH.replace("room/file", "room/nosuch"), "there is no file room/nosuch.h to patch"),
                (PATCH.replace("-right", "-left"), "room/file.h: Hunk #1 FAILED at 1."),
                (ADDING_PATCH.replace("fresh", "file"), "would create the file room/file.h, which already exists!"),
                (ADDING_PATCH.replace("fresh.h", "file.h/x"), "Invalid file name room/file.h/x"),
                (PATCH.replace("-1,2", "-1,7"), "malformed")):
            with self.assertRaises(CannotRun) as refusal:
                self.scratch.plant(self.fault(text))
            self.assertIn(why, str(refusal.exception))

    def test_is_undone_when_the_run_before_was_interrupted(self):
        self.scratch.plant(self.fault(PATCH))
        Scratch(self.scratch.folder).restore()
        self.assertEqual("right\nrest\n", (self.scratch.tree / "room/file.h").read_text())

    def test_takes_a_patch_whose_bytes_are_no_text(self):
        (self.scratch.tree / "room/file.h").write_bytes(b"right \xff\nrest\n")
        fault = self.fault("")
        fault.patch.write_bytes(PATCH.encode().replace(b"-right", b"-right \xff"))
        self.assertFalse(fault.has_probe())
        self.scratch.plant(fault)
        self.assertEqual("wrong\nrest\n", (self.scratch.tree / "room/file.h").read_text())

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
