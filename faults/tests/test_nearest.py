"""Who looks first at what a fault changed."""

import pathlib
import unittest

from runner import nearest
from runner.engines import Engine, property_engine

ROOT = pathlib.Path(__file__).resolve().parents[2]


class NearestEngines(unittest.TestCase):
    def test_the_longest_folder_counts(self):
        self.assertEqual(["host_planner", "sharing", "fuzz_arena_planner"], nearest.nearest_engines(["core/planner/host/gap_fit.h"]))
        self.assertEqual(["planner", "sharing", "fuzz_plan_certifier"], nearest.nearest_engines(["core/planner/certifier.cc"]))
        self.assertEqual(["reports"], nearest.nearest_engines(["tools/command/size.cc"]))
        self.assertEqual(["plans", "sharing", "reports"], nearest.nearest_engines(["tools/command/plan_text.cc"]))
        self.assertEqual([], nearest.nearest_engines(["core/base/alignment.h", "docs/faults.md"]))

    def test_all_of_them_are_engines_of_the_tree(self):
        from runner import engines
        known = set(engines.discover(ROOT))
        self.assertEqual(set(), {name for names in nearest.NEAREST.values() for name in names} - known)
        self.assertEqual([], [place for place in nearest.NEAREST if not list(ROOT.glob(place))])


class OperatorsOfAKernelsFile(unittest.TestCase):
    def test_are_those_whose_registration_names_its_functions(self):
        self.assertEqual(["CAST"], nearest.operators_of(ROOT, ["kernels/reference/cast.cc"]))
        self.assertEqual(["AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D"], nearest.operators_of(ROOT, ["kernels/reference/pool_2d.cc"]))
        self.assertEqual(["FULLY_CONNECTED"], nearest.operators_of(ROOT, ["kernels/aligned/fully_connected.cc"]))

    def test_are_none_of_what_many_share_and_of_other_rooms(self):
        self.assertEqual([], nearest.operators_of(ROOT, ["kernels/reference/checks.cc"]))
        self.assertEqual([], nearest.operators_of(ROOT, ["kernels/reference/elementwise.cc"]))
        self.assertEqual([], nearest.operators_of(ROOT, ["core/arena/arena.h", "kernels/reference/reference_kernels.cc"]))

    def test_are_those_whose_registration_is_changed(self):
        patch = ("--- a/kernels/reference/reference_kernels.cc\n+++ b/kernels/reference/reference_kernels.cc\n@@ -1,5 +1,5 @@\n"
                 "     Reference(BuiltinOperator::kCos, reference::PrepareElementwise, reference::InvokeCos, kUnary),\n"
                 "-    Reference(BuiltinOperator::kCumsum, reference::PrepareCumsum, reference::InvokeCumsum),\n"
                 "+    Reference(BuiltinOperator::kCumsum, reference::PrepareCumsum, reference::InvokeCumsum, kUnary),\n"
                 "     Reference(BuiltinOperator::kDynamicUpdateSlice, reference::PrepareDynamicUpdateSlice,\n"
                 "-              reference::InvokeDynamicUpdateSlice, kUnary),\n"
                 "+              reference::InvokeDynamicUpdateSlice, kBinary),\n"
                 "     Reference(BuiltinOperator::kElu, reference::PrepareElu, reference::InvokeElu, kUnary),\n")
        self.assertEqual(["CUMSUM", "DYNAMIC_UPDATE_SLICE"],
                         nearest.operators_of(ROOT, ["kernels/reference/reference_kernels.cc"], patch))

    def test_come_first(self):
        engines = nearest.brought_near([property_engine("operators", "arenaproof-operator-properties"), Engine("model", [])],
                                       ROOT, ["kernels/reference/cast.cc"])
        self.assertEqual([True, False], [engine.nearest for engine in engines])
        first = engines[0].steps[0]
        self.assertEqual((["--operator=CAST"], "CAST (shadow)"), (first.arguments, first.name))
        self.assertEqual("CAST (asan)", engines[0].steps[1].name)
        self.assertEqual([], engines[0].steps[2].arguments)


if __name__ == "__main__":
    unittest.main()
