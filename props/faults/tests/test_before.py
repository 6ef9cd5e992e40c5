"""A fault is measured in the commit before it was added, in the words it had then."""

import pathlib
import subprocess
import tempfile
import unittest

from runner import before, catalogue, verdicts

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
        told = subprocess.run(["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t@t", *words],
                              capture_output=True, text=True, check=True)
        return told.stdout.strip()

    def commit(self, why):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", why)
        return self.git("rev-parse", "HEAD")

    def test_it_is_planted_into_the_commit_before_in_the_words_it_had(self):
        self.assertEqual(self.clean, before.commit_before(self.root, self.fault))
        with tempfile.TemporaryDirectory() as folder:
            then = before.as_it_was_added(self.root, self.fault, folder)
            self.assertEqual("as added\n", then.patch.read_text())
        self.assertEqual("mended later\n", self.patch.read_text())

    def test_a_fault_that_is_not_committed_is_planted_as_it_is_into_the_last_commit(self):
        new = catalogue.Fault("new", self.root / "corpus" / "faults" / "new" / "fault.patch", DESCRIPTION)
        self.assertEqual(self.git("rev-parse", "HEAD"), before.commit_before(self.root, new))
        self.assertIs(new, before.as_it_was_added(self.root, new, self.folder.name))


class AlarmsOfTheCleanTree(unittest.TestCase):
    def cell(self, message):
        return {"detected": bool(message), "message": message}

    def test_are_no_detections_of_a_fault_whoever_says_them(self):
        control = {"engines": {"replay": self.cell("alarm"), "model": self.cell("")}}
        row = {"engines": {"replay": self.cell("found"), "model": self.cell("alarm"), "control": self.cell("found")}}
        self.assertEqual(["control"], verdicts.detecting(verdicts.beside(control, row)))
        self.assertEqual(["replay", "model", "control"], verdicts.detecting(row))

    def test_leave_a_row_without_engines_as_it_is(self):
        row = {"does_not_apply": "1 hunk"}
        self.assertEqual(row, verdicts.beside({"engines": {"replay": self.cell("alarm")}}, row))


if __name__ == "__main__":
    unittest.main()
