"""The budget is shared fairly."""

import unittest

from runner.budget import LEAST_SECONDS, Turn, spend


class Engine:
    def __init__(self, name, random=False):
        self.name, self.random = name, random


class Spending(unittest.TestCase):
    def run_with(self, engines, budget, seconds_of, detects=(), ends=()):
        turns = []

        def run_turn(engine, share, number):
            seconds = min(seconds_of.get(engine.name, share), share)
            turns.append((engine.name, round(share, 3), number))
            return Turn(seconds, detected=engine.name in detects, finished=engine.name in ends)

        return turns, spend(engines, budget, run_turn)

    def test_engines_that_use_all_get_equal_shares(self):
        turns, spent = self.run_with([Engine("a", True), Engine("b", True), Engine("c", True)], 30, {})
        self.assertEqual([("a", 10, 0), ("b", 10, 0), ("c", 10, 0)], turns)
        self.assertAlmostEqual(30, spent)

    def test_what_one_leaves_over_goes_to_those_after_it(self):
        turns, spent = self.run_with([Engine("a"), Engine("b", True), Engine("c", True)], 30, {"a": 2})
        self.assertEqual([("a", 10, 0), ("b", 14, 0), ("c", 14, 0)], turns)
        self.assertAlmostEqual(30, spent)

    def test_a_detection_ends_nobody_elses_turn(self):
        turns, _ = self.run_with([Engine("a"), Engine("b")], 10, {"a": 1}, detects=["a"])
        self.assertEqual(["a", "b"], [turn[0] for turn in turns])

    def test_an_engine_that_ends_by_itself_may_take_more_than_its_equal_share(self):
        turns, _ = self.run_with([Engine("a"), *[Engine(str(i), True) for i in range(9)]], 30, {})
        self.assertEqual(10, turns[0][1])

    def test_after_a_detection_the_budget_is_not_burnt(self):
        turns, spent = self.run_with([Engine("a"), Engine("b", True), Engine("c", True)], 60, {"a": 1}, detects=["a"])
        self.assertEqual([1, 1], [turn[1] for turn in turns[1:]])
        self.assertAlmostEqual(3, spent)

    def test_an_engine_cut_at_its_share_goes_on_while_nobody_detected(self):
        turns, _ = self.run_with([Engine("a"), Engine("b", True)], 60, {"b": 2})
        self.assertIn(("a", 1), [(turn[0], turn[2]) for turn in turns])

    def test_every_engine_has_a_turn_however_small_the_budget(self):
        turns, _ = self.run_with([Engine(str(i)) for i in range(8)], 1, {})
        self.assertEqual(8, len(turns))
        self.assertTrue(all(turn[1] >= LEAST_SECONDS for turn in turns))

    def test_random_engines_go_on_with_what_is_left_while_nobody_detected(self):
        turns, spent = self.run_with([Engine("a"), Engine("b", True)], 20, {"a": 1, "b": 6}, ends=["a"])
        self.assertEqual([("a", 0), ("b", 0), ("b", 1), ("b", 2), ("b", 3)], [(turn[0], turn[2]) for turn in turns])
        self.assertAlmostEqual(20, spent)

    def test_nobody_goes_on_after_a_detection(self):
        turns, _ = self.run_with([Engine("a"), Engine("b", True)], 20, {"a": 1, "b": 6}, detects=["a"])
        self.assertEqual(2, len(turns))

    def test_random_engines_that_end_at_once_do_not_turn_for_ever(self):
        turns, _ = self.run_with([Engine("b", True)], 20, {"b": 0})
        self.assertLessEqual(len(turns), 3)


if __name__ == "__main__":
    unittest.main()
