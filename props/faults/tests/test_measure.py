"""A measurement over programs that are small scripts: who has a turn, what is kept, what is left alone."""

import io
import pathlib
import sys
import tempfile
import unittest

from runner import measure
from runner.engines import Engine, Step
from runner.progress import Progress

BUSY = "\nimport time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


class FakeScratch:
    """Programs are Python files in one folder; nothing is compiled."""

    def __init__(self, folder):
        self.folder = self.tree = folder
        self.builds = 0

    def build(self, targets):
        self.builds += 1
        return 0.0

    def program(self, preset, path):
        return self.folder / path

    def write(self, name, text):
        file = self.folder / name
        file.write_text(f"#!{sys.executable}\n{text}\n")
        file.chmod(0o755)


def engine(name, random=False):
    return Engine(name, [Step(name, "asan", name, name, ["{seed}"])], random=random)


class Measuring(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = FakeScratch(pathlib.Path(self.folder.name))
        self.scratch.write("quiet", "")
        self.scratch.write("other", "")
        self.engines = [engine("quiet"), engine("other")]
        self.control = {"engines": {}}
        self.run_it(measure.CONTROL, self.control, {})

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, name, row, clean, budget=4, engines=None):
        measure.Measurement(self.scratch, engines or self.engines, budget, clean, Progress(io.StringIO(), False),
                            comparisons=False, unit_tests=False).run(name, row)
        return row

    def faulty(self, **options):
        return self.run_it("fault", {"engines": {}}, self.control["clean"], **options)

    def test_the_control_is_clean_and_keeps_what_faults_are_compared_with(self):
        self.assertFalse(any(cell["detected"] for cell in self.control["engines"].values()))
        self.assertEqual({"asan/quiet", "asan/other"}, set(self.control["clean"]["hashes"]))

    def test_an_engine_whose_program_is_unchanged_is_left_alone(self):
        self.scratch.write("quiet", "import sys; print('VIOLATED: I1 order'); sys.exit(1)")
        row = self.faulty()
        self.assertEqual((True, "I1 order"), (row["engines"]["quiet"]["detected"], row["engines"]["quiet"]["message"]))
        self.assertFalse(row["engines"]["other"]["applicable"])

    def test_an_engine_stops_at_its_share_and_is_not_taken_for_clean(self):
        self.scratch.write("quiet", BUSY.format(30))
        self.scratch.write("other", "print('changed')")
        row = self.faulty(budget=1)
        self.assertIn(row["engines"]["quiet"]["end"], ("out of time", "detected"))
        self.assertLess(row["engines"]["quiet"]["seconds"], 5)
        self.assertEqual("clean", row["engines"]["other"]["end"])

    def test_a_program_that_has_no_end_where_the_clean_one_ended_at_once_is_a_hang(self):
        self.scratch.write("quiet", BUSY.format(30))
        cell = self.faulty(budget=4)["engines"]["quiet"]
        self.assertTrue(cell["detected"])
        self.assertIn("hang", cell["message"])

    def test_a_random_engine_that_goes_on_is_no_hang(self):
        """Also when an engine that ends by itself has a step of the same name."""
        self.scratch.write("quiet", BUSY.format(30))
        cell = self.faulty(budget=4, engines=[engine("quiet", random=True)])["engines"]["quiet"]
        self.assertEqual((False, "out of time"), (cell["detected"], cell["end"]))

    def test_an_engine_that_cannot_run_is_neither_clean_nor_a_detection(self):
        self.scratch.write("quiet", "import sys; print('no corpus'); sys.exit(2)")
        cell = self.faulty()["engines"]["quiet"]
        self.assertFalse(cell["detected"])
        self.assertIn("could not run", cell["end"])

    def test_going_on_runs_only_what_is_missing(self):
        self.scratch.write("quiet", "print('changed')")
        self.scratch.write("other", "import sys; print('VIOLATED: second'); sys.exit(1)")
        row = {"engines": {"quiet": {"applicable": True, "detected": False, "seconds": 1.0, "done": True, "end": "kept",
                                     "reached": 0, "triggered": 0, "message": ""}}}
        self.run_it("fault", row, self.control["clean"])
        self.assertEqual("kept", row["engines"]["quiet"]["end"])
        self.assertTrue(row["engines"]["other"]["detected"])

    def test_a_random_engine_goes_on_with_other_seeds_until_it_finds(self):
        found = f"import sys; sys.argv[1] == '{measure.SEED + 2}' and (print('VIOLATED: rare'), sys.exit(1))"
        self.scratch.write("quiet", BUSY.format(0.6) + found)
        row = self.faulty(budget=20, engines=[engine("quiet", random=True)])
        self.assertTrue(row["engines"]["quiet"]["detected"])
        self.assertEqual("rare", row["engines"]["quiet"]["message"])

    def test_a_launcher_stands_before_the_program(self):
        self.scratch.write("quiet", "print('changed')")
        told = Engine("quiet", [Step("quiet", "asan", "quiet", "quiet", ["model a 3"],
                                     launcher=["sh", "-c", 'echo "> $1"; exit 1'])])
        cell = self.faulty(engines=[told])["engines"]["quiet"]
        self.assertEqual((True, "model a 3"), (cell["detected"], cell["message"]))

    def test_probes_of_all_processes_are_counted(self):
        self.scratch.write("quiet", "import os, struct\nfile = os.open(os.environ['ARENAPROOF_FAULT_PROBE'], os.O_RDWR)\n"
                           "os.pwrite(file, struct.pack('=QQ', 5, 1), 0)")
        cell = self.faulty()["engines"]["quiet"]
        self.assertEqual((5, 1), (cell["reached"], cell["triggered"]))


if __name__ == "__main__":
    unittest.main()
