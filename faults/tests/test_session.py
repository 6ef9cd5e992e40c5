"""A run over a small repository; what is measured is made up."""

import argparse
import io
import json
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

from runner import before, catalogue, session, state, tree_files
from runner.errors import CannotRun
from runner.progress import Progress

DESCRIPTION = {"summary": "s", "class": "c", "invariant": "i", "reachable_from": "r", "engines": ["proof"],
               "names": ["I1 order"]}
PATCH = """--- a/code
+++ b/code
@@ -1 +1 @@
-{before}
+wrong
"""


class FakeMeasurement:
    def __init__(self, scratch, *_, **__):
        self.scratch = scratch

    def run(self, name, row):
        row["build_seconds"] = 0
        row["engines"] = {}
        if name == session.CONTROL:
            row["clean"] = {}


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name) / "root"
        probe = self.root / "faults" / "fault_probe.h"
        probe.parent.mkdir(parents=True)
        probe.touch()
        self.git("init", "-q")
        (self.root / "code").write_text("sound\n")
        (self.root / "fuzz").mkdir()
        for name in ("a", "b"):
            (self.root / "fuzz" / f"fuzz_{name}.cc").write_text("target\n")
        self.commit("code")

    def tearDown(self):
        self.folder.cleanup()

    def git(self, *words):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t@t", *words],
                       capture_output=True, check=True)

    def commit(self, why):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", why)

    def add_fault(self, name, replaced):
        folder = self.root / "corpus" / "faults" / name
        folder.mkdir(parents=True)
        (folder / "fault.patch").write_text(PATCH.format(before=replaced))
        (folder / "description.json").write_text(json.dumps(DESCRIPTION))

    def options(self, **options):
        chosen = {"tree": None, "scratch": str(self.root.parent / "scratch"), "resume": False, "quick": False, "budget": 10,
                  "engine": [], "without": [], "record_before": False, **options}
        return argparse.Namespace(**chosen)

    def run_session(self, chosen, **options):
        with unittest.mock.patch("runner.session.Measurement", FakeMeasurement):
            running = session.Session(self.root, self.options(**options), Progress(io.StringIO(), False))
            try:
                return running.run(chosen)
            finally:
                running.lock.close()

    def faults(self):
        return catalogue.all_faults(self.root)


class RecordingBefore(Repository):
    def record(self):
        with unittest.mock.patch("runner.session.Measurement", FakeMeasurement):
            before.record_each(self.root, self.faults(), self.options(record_before=True), Progress(io.StringIO(), False))
        return {fault.name: fault.description["before"] for fault in self.faults()}

    def test_ends_with_the_worst_that_a_commits_run_came_to(self):
        self.add_fault("early", "sound")
        for alarm, status in ((False, 1), (True, 1)):
            with unittest.mock.patch("runner.session.Measurement", FakeMeasurement), \
                    unittest.mock.patch("runner.session.verdicts.false_alarms", lambda _: ["proof: x"] * alarm):
                done = before.record_each(self.root, self.faults(), self.options(record_before=True),
                                          Progress(io.StringIO(), False))
            self.assertEqual(status, done[0])
            self.assertIn(f"{int(alarm)} false alarms; NOT detected: early", done[1][0])

    def test_goes_on_when_the_code_of_one_fault_did_not_exist(self):
        (self.root / "code").write_text("newer\n")
        self.add_fault("early", "sound")
        self.add_fault("late", "newer")
        self.commit("newer code and two faults, one of the code before")
        recorded = self.record()
        self.assertEqual("its code did not exist there", recorded["late"]["reason"])
        self.assertEqual([], recorded["late"]["detected_by"])
        self.assertNotIn("reason", recorded["early"])
        self.assertEqual(10, recorded["early"]["budget"])

    def test_a_run_that_does_not_record_is_refused_before_anything_is_measured(self):
        self.add_fault("late", "newer")
        with self.assertRaisesRegex(CannotRun, "the patch of late does not apply"):
            self.run_session([(fault, None) for fault in self.faults()])


class TreesOfCommits(Repository):
    """Old trees have the probe's header elsewhere, or none; patches of any time are planted into them."""

    PLACES = ("faults/fault_probe.h", "props/faults/fault_probe.h")

    def headers(self):
        files = tree_files.files_of_commit(self.root, "HEAD")
        return [files[place][0] if place in files else None for place in self.PLACES]

    def write(self, place, text):
        (self.root / place).parent.mkdir(parents=True, exist_ok=True)
        (self.root / place).write_text(text)

    def test_of_today_have_the_header_once(self):
        self.assertEqual([b"", None], self.headers())

    def test_that_had_it_elsewhere_have_theirs_at_both_places(self):
        self.git("mv", self.PLACES[0], "elsewhere.h")
        self.write(self.PLACES[1], "then")
        self.commit("the old place")
        self.assertEqual([b"then", b"then"], self.headers())

    def test_that_had_none_have_todays_at_both_places(self):
        self.git("rm", "-q", self.PLACES[0])
        self.commit("no header")
        self.write(self.PLACES[0], "now")
        self.assertEqual([b"now", b"now"], self.headers())


class Measuring(Repository):
    def test_finds_the_tree_without_the_fault_before_whatever_that_did(self):
        own = self.root.parent / "moving.patch"
        own.write_text("diff --git a/fuzz/fuzz_a.cc b/fuzz/moved\nsimilarity index 100%\nrename from fuzz/fuzz_a.cc\n"
                       "rename to fuzz/moved\ndiff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n")
        self.add_fault("early", "sound")
        seen = {}

        class Looking(FakeMeasurement):
            def run(self, name, row):
                super().run(name, row)
                seen[name] = sorted(str(path.relative_to(self.scratch.tree)) for path in self.scratch.tree.rglob("*")
                                    if path.is_file() and "corpus" not in path.parts)

        with unittest.mock.patch("runner.session.Measurement", Looking):
            running = session.Session(self.root, self.options(), Progress(io.StringIO(), False))
            with running.lock:
                running.run([(catalogue.own_patch(own), None), (self.faults()[0], None)])
        self.assertEqual({"fuzz/moved", "new"}, set(seen["own:moving"]) - set(seen["early"]))
        self.assertEqual(seen[session.CONTROL], seen["early"])


class Refusing(Repository):
    """What cannot be run is refused while the run before can still be gone on with, and its tree is as it was."""

    def setUp(self):
        super().setUp()
        self.add_fault("early", "sound")
        self.chosen = [(fault, None) for fault in self.faults()]
        self.run_session(self.chosen)

    def refused(self, chosen, expression, **options):
        tree = self.root.parent / "scratch" / "tree"
        before_it = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
        with self.assertRaisesRegex(CannotRun, expression):
            self.run_session(chosen, **options)
        self.assertEqual(before_it, {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()})
        with unittest.mock.patch.object(FakeMeasurement, "run", side_effect=AssertionError("measured again")):
            self.run_session(self.chosen, resume=True)

    def own(self, text):
        file = self.root.parent / "mine.patch"
        file.write_text(text)
        return [(catalogue.own_patch(file), None)]

    def test_patches_that_do_not_apply(self):
        self.refused(self.own(PATCH.format(before="other")), "the patch of own:mine does not apply: code: Hunk #1 FAILED")

    def test_patches_that_only_seem_to_apply(self):
        self.refused(self.own("--- /dev/null\n+++ b/code/x\n@@ -0,0 +1 @@\n+x\n"), "Invalid file name code/x")

    def test_patches_of_the_builds(self):
        self.refused(self.own("--- /dev/null\n+++ b/build/x\n@@ -0,0 +1 @@\n+x\n"), "where the builds are")

    def test_engines_that_are_none_or_left_out(self):
        self.refused(self.chosen, "no engine 'bogus'", engine=["bogus"])
        self.refused(self.chosen, "no engine is left", without=["fuzz_a", "fuzz_b"])
        self.refused([], "no engine is left", without=["fuzz_a", "fuzz_b"])
        self.refused([(self.chosen[0][0], ["fuzz_a"])], "'fuzz_a', which is left out", without=["fuzz_a"])

    def test_engines_that_a_commit_does_not_have(self):
        self.run_session([], tree="HEAD")
        file = self.root.parent / "scratch" / "of-a-commit" / "state.json"
        kept = file.read_bytes()
        with self.assertRaisesRegex(CannotRun, "no engine 'bogus'"):
            self.run_session([], tree="HEAD", engine=["bogus"])
        self.assertEqual(kept, file.read_bytes())

    def test_a_folder_where_the_state_is_kept(self):
        file = self.root.parent / "scratch" / "state.json"
        file.unlink()
        file.mkdir()
        for resume in (False, True):
            with self.assertRaisesRegex(CannotRun, "is no file"):
                self.run_session([], resume=resume)

    def test_a_folder_that_cannot_be(self):
        loop = self.root.parent / "loop"
        loop.symlink_to(loop)
        for folder in (loop, "x" * 300):
            with self.assertRaisesRegex(CannotRun, "nothing can be written in"):
                self.run_session([], scratch=str(folder))


class Workplaces(Repository):
    """Files of other origin are neither overwritten nor removed."""

    def setUp(self):
        super().setUp()
        self.place = self.root.parent / "place"

    def refused(self, words, **options):
        with self.assertRaisesRegex(CannotRun, words):
            self.run_session([], **options)

    def test_with_other_files_are_refused_and_left_as_they_are(self):
        for name in ("tree/precious", "rehearsal/mine", "work/mine", "lock", "state.json"):
            file = self.place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(name)
        files = sorted(self.place.rglob("*"))
        for options in ({}, {"tree": "HEAD"}, {"quick": True}):
            self.refused("holds files that no run of ours has made", scratch=str(self.place), **options)
        self.assertEqual(files, sorted(self.place.rglob("*")))
        self.assertEqual("lock", (self.place / "lock").read_text())

    def test_in_the_tree_itself_are_refused(self):
        for name in (".", "inner", "faults"):
            self.refused("lies in the tree that is measured", scratch=str(self.root / name))
        self.run_session([], scratch=str(self.root / "build" / "other"))

    def test_that_are_empty_or_of_a_run_before_are_taken(self):
        self.place.mkdir()
        for _ in range(2):
            self.run_session([], scratch=str(self.place))

    def test_are_not_made_by_a_resume_of_nothing(self):
        for options in ({}, {"tree": "HEAD"}):
            self.refused("no interrupted run", scratch=str(self.place), resume=True, **options)
        self.assertFalse(self.place.exists())


class Verdicts(unittest.TestCase):
    """What was found out outweighs what could not be."""

    MISSED = {"engines": {}}
    UNSURE = {"engines": {"proof": {"troubles": {"step": "status 2"}}}}
    UNBUILT = {"engines": {}, "does_not_build": "words"}
    ALARM = {"engines": {"proof": {"detected": True, "message": "x"}}}

    def status(self, *rows, control=MISSED):
        faults = [catalogue.Fault(str(number), None, {}) for number in range(len(rows))]
        return session.verdict(faults, {session.CONTROL: control, **{str(i): row for i, row in enumerate(rows)}})[0]

    def test_end_with_the_status(self):
        self.assertEqual(0, self.status())
        self.assertEqual(1, self.status(self.MISSED))
        for unknown in (self.UNSURE, self.UNBUILT):
            self.assertEqual(2, self.status(unknown))
            self.assertEqual(1, self.status(unknown, self.MISSED))
            self.assertEqual(1, self.status(unknown, control=self.ALARM))
        self.assertEqual(2, self.status(control=self.UNSURE))
        self.assertEqual(2, self.status(self.UNBUILT, self.UNSURE))


class Resuming(Repository):
    def test_by_another_version_of_the_runner_is_refused(self):
        self.run_session([])
        with unittest.mock.patch("runner.session.version_of_the_runner", lambda: "another"):
            with self.assertRaisesRegex(CannotRun, "the interrupted run had runner '.*', this one has 'another'"):
                self.run_session([], resume=True)
        self.run_session([], resume=True)

    def test_after_an_interruption_while_the_tree_was_copied_finds_nothing_to_go_on_with(self):
        self.run_session([])
        with unittest.mock.patch("runner.scratch.Scratch.fill", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, self.run_session, [])
        with self.assertRaisesRegex(CannotRun, "no interrupted run"):
            self.run_session([], resume=True)

    def test_is_not_hindered_by_a_quick_run_in_between_unless_that_had_another_tree(self):
        self.run_session([])
        self.run_session([], quick=True)
        self.run_session([], resume=True)
        (self.root / "code").write_text("changed\n")
        self.run_session([], quick=True)
        with self.assertRaisesRegex(CannotRun, "another run has put another tree there"):
            self.run_session([], resume=True)

    def test_finds_the_tree_as_it_was_whatever_a_patch_did(self):
        self.run_session([])
        tree = self.root.parent / "scratch" / "tree"
        (tree / "code").rename(tree / "moved")
        (tree / "new").mkdir()
        (tree / "new" / "file").touch()
        self.run_session([], resume=True)
        self.assertEqual("sound\n", (tree / "code").read_text())
        self.assertEqual(["code", "faults", "fuzz"], sorted(path.name for path in tree.iterdir()))

    def test_keeps_rows_that_are_done(self):
        self.add_fault("early", "sound")
        chosen = [(fault, None) for fault in self.faults()]
        rows = self.run_session(chosen)["rows"]
        self.assertTrue(rows["early"]["done"])
        with unittest.mock.patch.object(FakeMeasurement, "run", side_effect=AssertionError("measured again")):
            self.run_session(chosen, resume=True)


if __name__ == "__main__":
    unittest.main()
