"""Faults are planted and taken out again."""

import os
import pathlib
import tempfile
import unittest

from runner.catalogue import Fault
from runner.errors import CannotRun
from runner.scratch import Scratch

from .patches import ADDING_PATCH, PATCH


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

    def test_reports_why_a_patch_does_not_apply(self):
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


if __name__ == "__main__":
    unittest.main()
