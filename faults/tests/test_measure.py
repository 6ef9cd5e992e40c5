"""A measurement over programs that are small scripts: who has a turn, what is kept, what is left alone."""

import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from runner import check_models, comparison, measure, messages, side_columns, verdicts
from runner.engine_turn import hang_seconds
from runner.engines import Engine, Step
from runner.errors import DoesNotBuild
from runner.process import Ended
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


def engine(name, random=False, ends=True):
    return Engine(name, [Step(name, "asan", name, name, ["{seed}"], ends=ends)], random=random)


def fuzzer(name):
    return Engine(name, [Step(name, "asan", name, name, ["-artifact_prefix={found}/"], detects=messages.found_by_fuzzer,
                              ends=False)], random=True)


# As libFuzzer: says at which input it lost its patience; given the input alone, runs it.
IMPATIENT = """import os, sys
file = sys.argv[1].partition("=")[2] + "timeout-1"
if not sys.argv[1].startswith("-artifact"):
    {alone}
    sys.exit(0)
open(file, "w").write("abc")
print("==1== ERROR: libFuzzer: timeout after 5 seconds\\nTest unit written to " + file)
sys.exit(70)
"""


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

    def test_what_alarmed_the_clean_tree_is_no_detection_of_a_fault(self):
        """With the same message, or by the same engine; others go on as if there had been no message."""
        self.scratch.write("quiet", "import sys; print('VIOLATED: at 0x51 of the clean'); sys.exit(1)")
        control = self.run_it(measure.CONTROL, {"engines": {}}, {})
        self.assertTrue(control["engines"]["quiet"]["detected"])
        self.scratch.write("quiet", "import sys; print('VIOLATED: another'); sys.exit(1)")
        self.scratch.write("other", "import sys; print('VIOLATED: at 0x77 of the clean'); sys.exit(1)")
        row = self.run_it("fault", {"engines": {}}, control["clean"])
        self.assertEqual([], verdicts.detecting(row))
        self.assertEqual({verdicts.ALARM}, {cell["end"] for cell in row["engines"].values()})
        self.assertFalse(row["progress"]["detected"])
        self.scratch.write("other", "import sys; print('VIOLATED: at 0x77 of the fault'); sys.exit(1)")
        self.assertEqual(["other"], verdicts.detecting(self.run_it("fault", {"engines": {}}, control["clean"])))

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
        cell = self.faulty(budget=4, engines=[engine("quiet", random=True, ends=False)])["engines"]["quiet"]
        self.assertEqual((False, "out of time"), (cell["detected"], cell["end"]))

    def test_a_property_program_that_has_no_end_is_a_hang(self):
        self.scratch.write("quiet", BUSY.format(30))
        cell = self.faulty(budget=4, engines=[engine("quiet", random=True)])["engines"]["quiet"]
        self.assertTrue(cell["detected"])
        self.assertIn("hang: quiet has no end", cell["message"])

    def test_an_input_that_has_no_end_also_alone_is_a_hang(self):
        self.scratch.write("quiet", IMPATIENT.format(alone="while True: pass"))
        with unittest.mock.patch("runner.engine_turn.HANG_ALONE_SECONDS", 0.3):
            cell = self.faulty(engines=[fuzzer("quiet")])["engines"]["quiet"]
        self.assertTrue(cell["detected"])
        self.assertIn("hang: an input of 3 bytes has no end", cell["message"])
        self.assertGreater(cell["seconds_to_detection"], 0.3)

    def test_an_input_that_was_only_slow_is_none(self):
        self.scratch.write("quiet", IMPATIENT.format(alone="pass"))
        cell = self.faulty(budget=1, engines=[fuzzer("quiet")])["engines"]["quiet"]
        self.assertEqual((False, "out of time"), (cell["detected"], cell["end"]))

    def test_a_slow_step_has_three_times_its_usual_time(self):
        self.assertEqual([1.5, 1.5, 4, 6, 6, 30], [hang_seconds(usual) for usual in (0.01, 0.1, 0.5, 1, 2, 10)])

    def test_a_search_that_was_cut_does_not_do_the_same_again(self):
        self.control["clean"]["step_seconds"]["quiet: quiet"] = 10  # so long is usual
        runs = self.folder.name + "/runs"
        self.scratch.write("quiet", f"open({runs!r}, 'a').write('x')" + BUSY.format(30))
        row = self.faulty(budget=3, engines=[engine("quiet")])
        self.assertEqual("x", pathlib.Path(runs).read_text())
        self.assertEqual("out of time", row["engines"]["quiet"]["end"])

    def test_an_engine_that_cannot_run_is_neither_clean_nor_a_detection(self):
        self.scratch.write("quiet", "import sys; print('no corpus'); sys.exit(2)")
        cell = self.faulty()["engines"]["quiet"]
        self.assertFalse(cell["detected"])
        self.assertIn("could not run", cell["end"])

    def test_a_step_that_could_not_run_is_not_masked_by_those_after_it(self):
        self.scratch.write("quiet", "import sys; print('no corpus'); sys.exit(2)")
        self.scratch.write("other", "print('changed')")
        both = Engine("quiet", [Step("first", "asan", "quiet", "quiet"), Step("second", "asan", "other", "other")])
        row = self.faulty(engines=[both])
        self.assertEqual({"first": "status 2: no corpus"}, row["engines"]["quiet"]["troubles"])
        self.assertEqual("could not run: status 2", row["engines"]["quiet"]["end"])
        self.assertEqual(["quiet: first: status 2: no corpus"], verdicts.troubles(row))

    def test_a_command_that_gave_no_report_could_not_run(self):
        self.scratch.write("quiet", "import sys; print('arenaproof: no such option'); sys.exit(2)")
        expectation = check_models.read_expectations("sine reference clean")[0]
        check = Engine("check", [Step("sine reference", "asan", "quiet", "quiet", expectation=expectation)])
        row = self.faulty(engines=[check])
        self.assertFalse(row["engines"]["check"]["detected"])
        self.assertEqual("could not run: status 2", row["engines"]["check"]["end"])

    def test_executions_of_all_processes_are_counted(self):
        self.scratch.write("quiet", "print('replayed the empty input and 7 files in 0.1 s')")
        self.scratch.write("other", "print('stat::number_of_executed_units: 5\\nVIOLATED: x'); import sys; sys.exit(1)")
        both = Engine("quiet", [Step("first", "asan", "quiet", "quiet"), Step("second", "asan", "other", "other")])
        self.assertEqual(12, self.faulty(engines=[both])["engines"]["quiet"]["executions"])

    def test_what_a_static_assertion_refuses_is_caught_by_the_compiler(self):
        def refuse(targets):
            raise DoesNotBuild(self.compiler)

        self.scratch.build = refuse
        self.compiler = "a.h:3:1: error: static assertion failed due to requirement 'sizeof(T) == 20': pinned\n1 error."
        row = self.faulty()
        self.assertIn("sizeof(T) == 20", row["caught_by_compiler"])
        self.assertNotIn("does_not_build", row)
        self.compiler += "\nb.cc:3:1: error: unused variable 'x'"
        self.assertIn("does_not_build", self.faulty())

    def test_a_random_engine_goes_on_with_other_seeds_until_it_finds(self):
        found = f"import sys; sys.argv[1] == '{measure.SEED + 2}' and (print('VIOLATED: rare'), sys.exit(1))"
        self.scratch.write("quiet", BUSY.format(0.6) + found)
        row = self.faulty(budget=20, engines=[engine("quiet", random=True)])
        self.assertTrue(row["engines"]["quiet"]["detected"])
        self.assertEqual("rare", row["engines"]["quiet"]["message"])

    def interrupted(self, row, turns_before, engines, budget):
        """All turns up to the interruption, by the user, of the next."""
        made = []

        class Interrupting(measure.EngineTurn):
            def execute(self, *arguments, **asking):
                if len(made) == turns_before:
                    raise KeyboardInterrupt
                made.append(self.engine.name)
                return super().execute(*arguments, **asking)

        with unittest.mock.patch("runner.measure.EngineTurn", Interrupting):
            self.assertRaises(KeyboardInterrupt, self.run_it, "fault", row, self.control["clean"], budget, engines)

    def test_going_on_runs_only_what_is_missing(self):
        self.scratch.write("quiet", f"open({self.folder.name + '/runs'!r}, 'a').write('x')")
        self.scratch.write("other", "import sys; print('VIOLATED: second'); sys.exit(1)")
        row = {"engines": {}, "digest": "1"}
        self.interrupted(row, 1, self.engines, 4)
        row = json.loads(json.dumps(row))
        self.run_it("fault", row, self.control["clean"])
        self.assertEqual("x", (self.scratch.folder / "runs").read_text())
        self.assertTrue(row["engines"]["other"]["detected"])

    def test_going_on_in_a_later_round_uses_the_rest_of_the_budget(self):
        found = f"import sys; sys.argv[1] == '{measure.SEED + 3}' and (print('VIOLATED: rare'), sys.exit(1))"
        self.scratch.write("quiet", BUSY.format(0.6) + found)
        row = {"engines": {}, "digest": "1"}
        self.interrupted(row, 2, [engine("quiet", random=True)], 20)
        self.run_it("fault", row, self.control["clean"], budget=20, engines=[engine("quiet", random=True)])
        self.assertTrue(row["engines"]["quiet"]["detected"])
        self.assertGreater(row["engines"]["quiet"]["seconds"], 2.0)

    def test_going_on_keeps_what_fuzz_targets_grew_and_found(self):
        self.scratch.write("quiet", "print('changed')")
        row = {"engines": {}, "digest": "1"}
        self.interrupted(row, 1, [engine("quiet", random=True)], 20)
        grown = self.scratch.folder / "work" / "quiet" / "grown" / "input"
        grown.write_text("x")
        self.run_it("fault", row, self.control["clean"], engines=[engine("quiet", random=True)])
        self.assertTrue(grown.exists())
        self.run_it("fault", {"engines": {}, "digest": "2"}, self.control["clean"])
        self.assertFalse(grown.exists())

    def test_all_is_kept_after_every_turn(self):
        self.scratch.write("quiet", "print('changed')")
        row, kept = {"engines": {}}, []
        measure.Measurement(self.scratch, self.engines, 4, self.control["clean"], Progress(io.StringIO(), False),
                            comparisons=False, unit_tests=False,
                            keep=lambda: kept.append((sorted(row["engines"]), list(row["progress"]["waiting"])))
                            ).run("fault", row)
        self.assertEqual([(["other", "quiet"], [])], kept)

    def test_a_launcher_stands_before_the_program(self):
        self.scratch.write("quiet", "print('changed')")
        launched = Engine("quiet", [Step("quiet", "asan", "quiet", "quiet", ["model a 3"],
                                     launcher=["sh", "-c", 'echo "> $1"; exit 1'])])
        cell = self.faulty(engines=[launched])["engines"]["quiet"]
        self.assertEqual((True, "model a 3"), (cell["detected"], cell["message"]))

    def test_probes_of_all_processes_are_counted(self):
        self.scratch.write("quiet", "import os, struct\nfile = os.open(os.environ['ARENAPROOF_FAULT_PROBE'], os.O_RDWR)\n"
                           "os.pwrite(file, struct.pack('=QQ', 5, 1), 0)")
        cell = self.faulty()["engines"]["quiet"]
        self.assertEqual((5, 1), (cell["reached"], cell["triggered"]))


class Beside(unittest.TestCase):
    """The plain tools, over outputs that are given."""

    def cell(self, *outputs):
        left = [Ended(status, cut, seconds, seconds, text) for status, cut, seconds, text in outputs]
        measurement = unittest.mock.Mock()
        measurement.is_changed.return_value = True
        measurement.execute.side_effect = lambda *_: left.pop(0) if len(left) > 1 else left[0]
        step = Step(comparison.PLAIN_ASAN, "asan", "plain", "plain", detects=messages.found_by_plain_asan)
        return side_columns.plain_cell(measurement, comparison.PLAIN_ASAN, step, {})

    def test_report_when_their_time_was_over(self):
        self.assertEqual("out of time", self.cell((-9, True, 60.0, "input 3 a"))["end"])
        self.assertEqual("out of time", self.cell((1, False, 31.0, "input 3 a\nruntime error: shift"))["end"])

    def test_report_when_undefined_behaviour_kept_them_from_their_end(self):
        cell = self.cell((1, False, 0.1, "input 3 a\nruntime error: shift"))
        self.assertEqual("undefined behaviour, not finished", cell["end"])
        self.assertFalse(cell["detected"])
        self.assertIn("shift", cell["undefined_behaviour"])

    def test_go_on_behind_an_input_with_undefined_behaviour(self):
        cell = self.cell((1, False, 0.1, "input 3 a\nruntime error: shift"), (0, False, 0.1, "input 9 b"))
        self.assertEqual("clean", cell["end"])

    def test_that_could_not_run_are_reported(self):
        self.assertEqual("status 2", self.cell((2, False, 0.1, "arenaproof-plain: no input"))["end"])


if __name__ == "__main__":
    unittest.main()
