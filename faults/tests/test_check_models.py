"""The reports of the command are compared with what is expected of each model."""

import copy
import unittest

from runner import check_models

MAIN_JOB = """# comment
sine   reference       clean
sine   aligned-faulty  caught 15 12
shared/other reference clean
"""


def part(layout="dilated", instrument="shadow", violations=()):
    return {"layout": layout, "instrument": instrument, "exit_status": 1 if violations else 0,
            "self_test": {"sees": True, "missed": []}, "operators": [{"name": "ADD", "seen": True}],
            "violations": list(violations), "outputs": [{"sha256": "aa"}]}


def violation(side, distance):
    return {"operator_name": "FULLY_CONNECTED", "operator": 0, "kernel": "k", "phase": "invoke", "access": "read",
            "side": side, "distance_bytes": distance, "operand": {"kind": "input", "index": 0, "name": "in"}}


def report(*parts):
    return {"parts": list(parts), "output_differences": []}


class Expectations(unittest.TestCase):
    def test_leave_out_models_beside_the_repository(self):
        names = [expectation.name for expectation in check_models.read_expectations(MAIN_JOB)]
        self.assertEqual(["sine reference", "sine aligned-faulty"], names)


class Comparing(unittest.TestCase):
    clean, caught = check_models.read_expectations(MAIN_JOB)

    def complaint(self, expectation, the_report, status, baseline=None):
        return check_models.complaint(expectation, the_report, status, baseline)

    def test_what_is_as_expected_is_no_finding(self):
        self.assertIsNone(self.complaint(self.clean, report(part()), 0, check_models.summary_of(report(part()))))
        both = report(part(violations=[violation("before", 15), violation("after", 12)]))
        self.assertIsNone(self.complaint(self.caught, both, 1))

    def test_a_violation_where_none_is_expected_is_named(self):
        sentence = self.complaint(self.clean, report(part(violations=[violation("before", 3)])), 1)
        self.assertIn("FULLY_CONNECTED (operator 0)", sentence)
        self.assertIn("read 3 bytes before input 0", sentence)

    def test_an_expected_violation_that_is_not_seen_is_a_finding(self):
        self.assertIn("not reported", self.complaint(self.caught, report(part()), 0))
        wrong = report(part(violations=[violation("before", 15), violation("after", 4)]))
        self.assertIn("reads 12 bytes after", self.complaint(self.caught, wrong, 1))

    def test_an_instrument_that_declares_itself_blind_is_a_finding(self):
        blind = part()
        blind["self_test"] = {"sees": False, "missed": ["1-byte read before"]}
        self.assertIn("declares itself blind: missed 1-byte", self.complaint(self.clean, report(blind), 2))

    def test_a_changed_output_is_a_finding(self):
        baseline = check_models.summary_of(report(part()))
        changed = report(part())
        changed["parts"][0]["outputs"][0]["sha256"] = "bb"
        self.assertIn("an output changed", self.complaint(self.clean, changed, 0, baseline))
        self.assertIsNone(self.complaint(self.clean, changed, 0, None))

    def test_an_operator_that_is_no_longer_seen_is_a_finding(self):
        baseline = check_models.summary_of(report(part()))
        unseen = copy.deepcopy(report(part()))
        unseen["parts"][0]["operators"][0]["seen"] = False
        self.assertIn("saw 0 operators of 1", self.complaint(self.clean, unseen, 0, baseline))

    def test_a_part_that_could_not_run_and_a_missing_report_are_findings(self):
        refused = part()
        refused.update(exit_status=2, refusal={"code": "plan_shared_bytes", "sentence": "two buffers share bytes"})
        self.assertIn("two buffers share bytes", self.complaint(self.clean, report(refused), 2))
        self.assertIn("no report", self.complaint(self.clean, None, -11))
        self.assertIn("not valid", self.complaint(self.clean, {"refusal": "not valid", "parts": []}, 2))

    def test_a_command_that_did_not_get_as_far_as_a_report_could_not_run(self):
        self.assertTrue(check_models.could_not_run(None, 2))
        self.assertFalse(check_models.could_not_run(None, -11))
        self.assertFalse(check_models.could_not_run(report(part()), 2))

    def test_reports_are_found_among_other_output(self):
        self.assertEqual({"a": 1}, check_models.parse_report('noise\n{"a": 1}\n'))
        self.assertIsNone(check_models.parse_report("noise"))


if __name__ == "__main__":
    unittest.main()
