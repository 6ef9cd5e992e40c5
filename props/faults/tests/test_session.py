"""A run over a small repository; what is measured is made up."""

import argparse
import io
import json
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

from runner import before, catalogue, session, state
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
        probe = self.root / "props" / "faults" / "fault_probe.h"
        probe.parent.mkdir(parents=True)
        probe.touch()
        self.git("init", "-q")
        (self.root / "code").write_text("sound\n")
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

    def test_keeps_rows_that_are_done(self):
        self.add_fault("early", "sound")
        chosen = [(fault, None) for fault in self.faults()]
        rows = self.run_session(chosen)["rows"]
        self.assertTrue(rows["early"]["done"])
        with unittest.mock.patch.object(FakeMeasurement, "run", side_effect=AssertionError("measured again")):
            self.run_session(chosen, resume=True)


if __name__ == "__main__":
    unittest.main()
