"""Contradictory or useless arguments are refused, the others have their effect."""

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
from runner.errors import CannotRun

from .patches import ADDING_PATCH, COMPLETE, PATCH

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "faults"


class CommandLine(unittest.TestCase):
    def refused(self, *words, root=ROOT):
        with self.assertRaises(CannotRun) as refusal, contextlib.redirect_stdout(io.StringIO()):
            command_line.main(root, list(words))
        sentence = str(refusal.exception)
        self.assertNotIn("\n", sentence)
        return sentence

    def test_refuses_wrong_arguments_with_one_sentence(self):
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
        fresh = tempfile.TemporaryDirectory()
        self.addCleanup(fresh.cleanup)
        absent = os.path.join(fresh.name, "absent")
        for question in ("--list", "--check-patches", "--quick", "--control-only"):
            self.assertIn("no engine 'nosuch'", self.refused(question, "--engine=nosuch"))
            self.assertIn("no such folder", self.refused(question, f"--json={absent}/x"))
            self.assertIn("cannot be written", self.refused(question, "--json=/tmp"))
            self.assertIn("cannot be written", self.refused(question, "--markdown=/proc/none"))
        for question in ("--list", "--check-patches"):
            self.assertIn("cannot be read", self.refused(question, f"--patch={absent}"))

    def test_ignores_no_argument(self):
        for words in (["--json="], ["--markdown="], ["--picture="], ["--tree="], ["--scratch="], ["--patch="], ["--engine=", "--list"],
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
            for word in (json_there, f"--markdown={folder}/f", f"--picture={folder}/f", "--resume"):
                self.assertIn("--tree=COMMIT", self.refused("--record-before", word))
            self.assertIn("leave --picture out", self.refused("--control-only", f"--picture={folder}/f"))
            self.assertIn("--json and --picture name the same file", self.refused(json_there, f"--picture={folder}/f"))
            file, link = pathlib.Path(folder) / "one", pathlib.Path(folder) / "other"
            file.touch()
            link.hardlink_to(file)
            self.assertIn("name the same file", self.refused(f"--json={file}", f"--markdown={link}"))
        for word in ("--budget", "--json", "--markdown", "--picture", "--tree", "--scratch"):
            self.assertIn(f"{word} is given twice", self.refused(f"{word}=x", f"{word}=y"))
        self.assertIn("leave --quick out", self.refused("--control-only", "--quick"))
        self.assertIn("leave --check-patches out", self.refused("--list", "--check-patches"))
        self.assertIn("cannot both be meant", self.refused("--engine=proof", "--without=proof", "--list"))

    def test_waits_for_no_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            self.assertIn("is no file", self.refused(f"--patch={pipe}"))
            for word in ("--json", "--markdown", "--picture"):
                self.assertIn("neither a file nor a device", self.refused(f"{word}={pipe}"))

    def test_refuses_names_that_no_file_can_have(self):
        with tempfile.TemporaryDirectory() as folder:
            loop = pathlib.Path(folder) / "loop"
            loop.symlink_to(loop)
            for path in (loop, "a" * 300, f"{folder}/{'a' * 300}/b", loop / "b"):
                for word in ("--json", "--markdown", "--picture", "--patch"):
                    self.assertIn("cannot be", self.refused(f"{word}={path}"))

    def test_leaves_no_empty_file_where_results_will_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            link = pathlib.Path(folder) / "link"
            link.symlink_to(file)
            for path in (file, link):
                command_line.require_writable(path)
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

    def test_checks_single_patches_also_those_of_the_callers_own(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(0, command_line.main(ROOT, ["--check-patches", "arena_head_over_tail"]))
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "mine.patch"
                file.write_text(PATCH)
                self.assertEqual(1, command_line.main(ROOT, ["--check-patches", f"--patch={file}"]))
                file.write_text(PATCH.replace("room/file.h", "new").replace("-1,2 +1,2", "-0,0 +1,2")
                                .replace("-right\n+wrong\n rest", "+wrong\n+rest"))
                self.assertEqual(0, command_line.main(ROOT, ["--check-patches", f"--patch={file}"]))
        self.assertIn("1 patches apply and are described\n", output.getvalue())
        self.assertIn("\n1 patches of your own apply\n", output.getvalue())
        self.assertIn("the patch of own:mine does not apply", output.getvalue())


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
            done = self.call(folder, "--list", stdout=subprocess.PIPE)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn("s\\ud800", done.stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_reports_that_standard_output_has_no_room(self):
        with open("/dev/full", "w") as full:
            done = self.call(ROOT, "--list", stdout=full)
        self.assertEqual((2, "./dev faults: standard output cannot be written: No space left on device\n"),
                         (done.returncode, done.stderr))

    def test_ends_when_the_reader_has_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = self.call(ROOT, "--list", stdout=writer)
        os.close(writer)
        self.assertEqual((2, ""), (done.returncode, done.stderr))


if __name__ == "__main__":
    unittest.main()
