"""Engines are found in the tree that is measured."""

import pathlib
import tempfile
import unittest

from runner import comparison, engines

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "tools/worker/CMakeLists.txt": "",
    "corpus/main_job.txt": "sine reference clean\n",
    "corpus/fuzz_new_question/input": "x",
    "props/proof/CMakeLists.txt": "arenaproof_executable(arenaproof-prove SOURCES a.cc)",
    "props/small_scope/CMakeLists.txt": "arenaproof_executable(arenaproof-small-scope SOURCES a.cc)",
    "props/arena_machine/CMakeLists.txt": "arenaproof_executable(arenaproof-arena-machine\n  SOURCES a.cc)",
    "props/colours/CMakeLists.txt": "arenaproof_executable(arenaproof-colour-properties\n  SOURCES a.cc)",
    "fuzz/fuzz_new_question.cc": "",
    "fuzz/fuzz_new_question.options": "[libfuzzer]\nmax_len = 99\ndict = words.dict\n",
    "fuzz/fuzz_second.cc": "",
}


class Discovering(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def discover(self, left_out=()):
        for name, text in FILES.items():
            if name not in left_out:
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                (self.tree / name).write_text(text)
        return engines.discover(self.tree)

    def test_finds_new_fuzz_targets_and_property_programs_by_itself(self):
        found = self.discover()
        self.assertEqual(["check", "proof", "replay", "small-scope", "machine", "colours", "fuzz_new_question",
                          "fuzz_second"], list(found))
        self.assertTrue(found["colours"].random)
        self.assertFalse(found["proof"].random)

    def test_takes_a_fuzz_targets_options_and_corpus(self):
        arguments = self.discover()["fuzz_new_question"].steps[0].arguments
        self.assertIn("-max_len=99", arguments)
        self.assertIn(f"-dict={self.tree / 'fuzz' / 'words.dict'}", arguments)
        self.assertIn(str(self.tree / "corpus" / "fuzz_new_question"), arguments)

    def test_a_fuzz_targets_input_has_less_time_than_a_turn_and_is_reported_when_it_has_no_end(self):
        step = self.discover()["fuzz_new_question"].steps[0]
        self.assertIn("-timeout=5", step.arguments)
        self.assertFalse(step.ends)

    def test_replays_only_what_has_a_corpus(self):
        self.assertEqual(["fuzz_new_question"], [step.name for step in self.discover()["replay"].steps])

    def test_an_old_tree_has_fewer(self):
        found = self.discover(("tools/worker/CMakeLists.txt", "props/proof/CMakeLists.txt",
                               "corpus/fuzz_new_question/input"))
        self.assertEqual(["small-scope", "machine", "colours", "fuzz_new_question", "fuzz_second"], list(found))

    def test_the_check_needs_its_workers(self):
        built = self.discover()["check"].built()
        self.assertEqual({"release", "asan", "shadow"}, {preset for preset, _, _ in built})


class Documentation(unittest.TestCase):
    def test_names_every_engine_that_is_not_found_by_its_file(self):
        text = (ROOT / "docs" / "faults.md").read_text()
        paragraph = text[text.index("\nEngines:"):].split("\n\n")[0]
        for engine in engines.discover(ROOT).values():
            by_its_file = engine.name.startswith("fuzz_") or engine.steps[0].target.endswith("-properties")
            self.assertTrue(by_its_file or f"`{engine.name}`" in paragraph, engine.name)


class PlainTools(unittest.TestCase):
    def test_find_their_program_in_old_trees_too(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            self.assertEqual({}, comparison.plain_steps(tree, []))
            for place in ("props/faults/plain", "faults/plain"):
                (tree / place).mkdir(parents=True)
                (tree / place / "CMakeLists.txt").touch()
                step = comparison.plain_steps(tree, [])[comparison.PLAIN_ASAN]
                self.assertEqual(f"{place}/arenaproof-plain", step.program)


class UnitTests(unittest.TestCase):
    def test_are_those_of_the_patched_rooms_that_run_by_themselves(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for room in ("arena", "command", "models", "tools"):
                (tree / "tests" / room).mkdir(parents=True)
                (tree / "tests" / room / "a_test.cc").touch()

            def names(*patched):
                return [step.name for step in comparison.unit_test_steps(tree, patched)]

            self.assertEqual(["arena_tests"], names("core/arena/operations.h"))
            self.assertEqual(["arena_tests", "tools_tests"], names("command/main.cc"))
            self.assertEqual(["arena_tests", "tools_tests"], names("corpus/models/maker.cc"))
            self.assertEqual(["arena_tests", "tools_tests"], names("engine/oracles/arena/arena_history.cc"))


if __name__ == "__main__":
    unittest.main()
