"""The budget is shared fairly."""

import json
import unittest

from runner import budget
from runner.budget import LEAST_SECONDS, Turn, spend


class Engine:
    def __init__(self, name, random=False):
        self.name, self.random, self.nearest = name, random, False


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

    def test_a_detection_leaves_other_engines_their_turns(self):
        turns, _ = self.run_with([Engine("a"), Engine("b")], 10, {"a": 1}, detects=["a"])
        self.assertEqual(["a", "b"], [turn[0] for turn in turns])

    def test_an_engine_that_ends_by_itself_may_take_more_than_its_equal_share(self):
        turns, _ = self.run_with([Engine("a"), *[Engine(str(i), True) for i in range(9)]], 30, {})
        self.assertEqual(10, turns[0][1])

    def test_the_nearest_may_take_more_than_their_equal_share(self):
        near = Engine("near", True)
        near.nearest = True
        turns, _ = self.run_with([near, *[Engine(str(i), True) for i in range(9)]], 30, {})
        self.assertEqual(10, turns[0][1])
        turns, _ = self.run_with([Engine("a"), near, *[Engine(str(i), True) for i in range(8)]], 30, {"a": 1}, detects=["a"])
        self.assertEqual(0.5, turns[1][1])

    def test_after_a_detection_the_budget_is_not_burnt(self):
        turns, spent = self.run_with([Engine("a"), Engine("b", True), Engine("c", True)], 60, {"a": 1}, detects=["a"])
        self.assertEqual([1, 1], [turn[1] for turn in turns[1:]])
        self.assertAlmostEqual(3, spent)

    def test_an_engine_cut_at_its_share_goes_on_while_nothing_is_detected(self):
        turns, _ = self.run_with([Engine("a"), Engine("b", True)], 60, {"b": 2})
        self.assertIn(("a", 1), [(turn[0], turn[2]) for turn in turns])

    def test_every_engine_has_a_turn_however_small_the_budget(self):
        turns, _ = self.run_with([Engine(str(i)) for i in range(8)], 1, {})
        self.assertEqual(8, len(turns))
        self.assertTrue(all(turn[1] >= LEAST_SECONDS for turn in turns))

    def test_random_engines_go_on_with_what_is_left_while_nothing_is_detected(self):
        turns, spent = self.run_with([Engine("a"), Engine("b", True)], 20, {"a": 1, "b": 6}, ends=["a"])
        self.assertEqual([("a", 0), ("b", 0), ("b", 1), ("b", 2), ("b", 3)], [(turn[0], turn[2]) for turn in turns])
        self.assertAlmostEqual(20, spent)

    def test_no_engine_goes_on_after_a_detection(self):
        turns, _ = self.run_with([Engine("a"), Engine("b", True)], 20, {"a": 1, "b": 6}, detects=["a"])
        self.assertEqual(2, len(turns))

    def test_random_engines_that_end_at_once_do_not_turn_for_ever(self):
        turns, _ = self.run_with([Engine("b", True)], 20, {"b": 0})
        self.assertLessEqual(len(turns), 3)

    def test_an_engine_that_would_only_do_the_same_again_has_no_second_turn(self):
        turns = []

        def run_turn(engine, share, number):
            turns.append((engine.name, number))
            return Turn(share, needs_more_than=share)

        spend([Engine("search"), Engine("b", True)], 60, run_turn)
        self.assertEqual([("search", 0), ("b", 0)], turns[:2])
        self.assertNotIn(("search", 1), turns)

    def test_it_has_one_when_its_share_is_larger_than_what_it_had(self):
        had = []

        def run_turn(engine, share, number):
            if engine.name != "search":
                return Turn(0.1, finished=True)
            had.append(share)
            return Turn(share, needs_more_than=share)

        spend([Engine("search")] + [Engine(str(i)) for i in range(3)], 60, run_turn)
        self.assertEqual(had, sorted(set(had)))
        self.assertGreater(len(had), 1)


class Interrupted(unittest.TestCase):
    ENGINES = [Engine("a"), Engine("b", True), Engine("c", True)]

    def interrupted_after(self, turns_before, detects=(), budget_seconds=60):
        """All turns, over an interruption in the turn after so many."""
        kept, turns = budget.fresh(self.ENGINES, budget_seconds), []

        def run_turn(engine, share, number):
            if len(turns) == turns_before and not run_turn.interrupted:
                run_turn.interrupted = True
                raise KeyboardInterrupt
            turns.append((engine.name, number, round(share, 3)))
            return Turn(min(share, 2), detected=engine.name in detects, finished=engine.name == "a")

        run_turn.interrupted = False
        try:
            spend(self.ENGINES, budget_seconds, run_turn, kept)
        except KeyboardInterrupt:
            kept = json.loads(json.dumps(kept))
            spend(self.ENGINES, budget_seconds, run_turn, kept)
        return turns

    def test_goes_on_as_if_it_had_not_been_whenever_it_was(self):
        for detects in ((), ("a",), ("c",)):
            whole = self.interrupted_after(10**6, detects)
            for turns_before in range(len(whole)):
                self.assertEqual(whole, self.interrupted_after(turns_before, detects), (turns_before, detects))

    def test_in_a_later_round_does_not_throw_the_rest_of_the_budget_away(self):
        turns = self.interrupted_after(4)
        self.assertGreater(len(turns), 20)

    def test_when_all_is_done_does_nothing_more(self):
        kept = budget.fresh(self.ENGINES, 60)
        spend(self.ENGINES, 60, lambda *_: Turn(1, detected=True, finished=True), kept)
        spend(self.ENGINES, 60, lambda *_: self.fail("a turn too many"), kept)


if __name__ == "__main__":
    unittest.main()
