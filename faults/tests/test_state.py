"""An interrupted run goes on where it was, and only there."""

import json
import pathlib
import tempfile
import unittest

from runner import state
from runner.errors import CannotRun


class State(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "state.json"

    def tearDown(self):
        self.folder.cleanup()

    def test_is_what_was_saved(self):
        kept = state.new_state({"budget": 60})
        state.row_of(kept, "fault", "digest")["engines"]["proof"] = {"detected": True}
        state.save(self.file, kept)
        self.assertEqual(kept, state.load(self.file))

    def test_without_a_previous_run_is_refused(self):
        with self.assertRaisesRegex(CannotRun, "no interrupted run"):
            state.load(self.file)

    def test_that_is_damaged_or_of_another_version_is_refused(self):
        self.file.write_text("{")
        with self.assertRaisesRegex(CannotRun, "damaged"):
            state.load(self.file)
        self.file.write_text('{"format": 0}')
        with self.assertRaisesRegex(CannotRun, "another version"):
            state.load(self.file)
        for text in ("[]", "5", "null", f'{{"format": {state.FORMAT}}}', f'{{"format": {state.FORMAT}, "options": []}}'):
            self.file.write_text(text)
            with self.assertRaisesRegex(CannotRun, "damaged|another version"):
                state.load(self.file)
        self.file.write_bytes(b"\xff")
        with self.assertRaisesRegex(CannotRun, "damaged"):
            state.load(self.file)

    def test_of_other_origin_is_refused_whatever_is_in_it(self):
        kept = state.new_state({"budget": 60, "digits": 0.1 + 0.2, "text": "\ud800"})
        state.row_of(kept, "(control)", "clean")
        state.save(self.file, kept)
        self.assertEqual(kept, state.load(self.file))
        whole = json.loads(self.file.read_text())
        for rows in (5, {"(control)": 5}, {"(control)": {"done": True}}, {}):
            self.file.write_text(json.dumps({**whole, "rows": rows}))
            with self.assertRaisesRegex(CannotRun, "damaged"):
                state.load(self.file)
        self.file.write_text("[" * 100_000)
        with self.assertRaisesRegex(CannotRun, "damaged"):
            state.load(self.file)

    def test_that_cannot_be_written_or_removed_is_reported(self):
        self.file.mkdir()
        for write in (lambda: state.save(self.file, state.new_state({})), lambda: state.forget(self.file)):
            with self.assertRaisesRegex(CannotRun, "cannot be written"):
                write()

    def test_of_other_options_is_refused_by_name(self):
        kept = state.new_state({"budget": 60, "engines": []})
        state.require_same(kept, {"budget": 60, "engines": []})
        with self.assertRaisesRegex(CannotRun, "budget 60, this one has 20"):
            state.require_same(kept, {"budget": 20, "engines": []})

    def test_forgets_what_was_measured_with_another_patch(self):
        kept = state.new_state({})
        state.row_of(kept, "fault", "old")["done"] = True
        self.assertTrue(state.row_of(kept, "fault", "old")["done"])
        self.assertFalse(state.row_of(kept, "fault", "new")["done"])


if __name__ == "__main__":
    unittest.main()
