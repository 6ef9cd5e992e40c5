"""What is done with a finding, on a target in which things go wrong on purpose.

  test_findings.py PLANTED_TARGET
"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/dev"))
import explain
import finding
import finding_sarif
import minimize

PROGRAM = sys.argv[1]


class Findings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "input"

    def run_tool(self, tool, *words):
        sys.argv = ["tool", PROGRAM, *words]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            status = tool.main()
        return status, printed.getvalue()

    def test_identities_hold_no_numbers(self):
        with finding.Replayer(PROGRAM) as replayer:
            self.assertEqual(replayer.identity(b"xxRULE"), "VIOLATED: the planted rule, at byte N")
            self.assertEqual(replayer.identity(b"LESS"), "DEFECT: another thing: N bytes")
            self.assertEqual(replayer.identity(b"DIE"), "ends by signal 9")
            self.assertEqual(replayer.identity(b"fine"), "")

    def test_identities_of_reports(self):
        report = "==1==ERROR: AddressSanitizer\nSUMMARY: AddressSanitizer: heap-buffer-overflow /a/b/core/x.cc:3:4 in F\n"
        self.assertEqual(finding.identity_of(1, report),
                         "AddressSanitizer: heap-buffer-overflow core/x.cc:N:N in F")
        violation = ("ADD (operator 2), kernel reference, reads up to 12 bytes before input tensor 0\n  a map\n"
                     "DEFECT: violation: a kernel touched what is not its operator's own\n")
        self.assertEqual(finding.identity_of(-6, violation),
                         "ADD (operator N), kernel reference, reads up to N bytes before input tensor N")

    def test_smaller_input_of_the_same_finding(self):
        self.path.write_bytes(b"abc LESS def RULE " + bytes(range(200)))
        out = self.path.with_suffix(".minimized")
        status, printed = self.run_tool(minimize, str(self.path), str(out), "60")
        self.assertEqual((status, out.read_bytes()), (0, b"RULE"), printed)
        self.assertIn("VIOLATED: the planted rule", printed)

    def test_nothing_to_minimize(self):
        self.path.write_bytes(b"fine")
        status, printed = self.run_tool(minimize, str(self.path), str(self.path) + ".minimized", "60")
        self.assertEqual(status, 2)
        self.assertFalse(pathlib.Path(str(self.path) + ".minimized").exists())
        self.assertIn("passes", printed)

    def test_places_that_cannot_be_written(self):
        self.path.write_bytes(b"abc RULE")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status, _ = self.run_tool(minimize, str(self.path), "/nowhere/smaller", "60")
            self.assertEqual((status, said.getvalue()), (2, "'/nowhere/smaller' cannot be written: No such file or directory\n"))
            status, printed = self.run_tool(explain, "fuzz_plan_text", str(self.path), "/nowhere/report.sarif")
        self.assertEqual(status, 2)
        self.assertIn("the planted rule, at byte", printed)  # the finding is not lost
        self.assertIn("the report '/nowhere/report.sarif' cannot be written", said.getvalue())

    def test_input_without_an_end(self):
        program = self.path.with_suffix(".sh")
        program.write_text("#!/bin/sh\necho begins\nexec sleep 60\n")
        program.chmod(0o755)
        with unittest.mock.patch.object(finding, "MOST_SECONDS", 1):
            status, words, said = finding.explained(program, self.path)
        self.assertEqual((words, said), ("begins\n", "no end within 1 seconds\n"))
        self.assertEqual(finding.identity_of(status, said), "ends by signal 14")

    def test_finding_in_words(self):
        self.path.write_bytes(b"abc RULE")
        status, printed = self.run_tool(explain, "fuzz_plan_text", str(self.path))
        self.assertEqual(status, 1)
        for words in ("a text of 8 bytes", "what went wrong: VIOLATED: the planted rule, at byte N", "YWJjIFJVTEU=",
                      "TEST(FuzzPlanText, TakesInput", 'ReplayInput("fuzz_plan_text"', "--target=fuzz_plan_text"):
            self.assertIn(words, printed)

    def test_finding_as_sarif(self):
        self.path.write_bytes(b"abc RULE")
        report = self.path.with_suffix(".sarif")
        self.run_tool(explain, "fuzz_plan_text", str(self.path), str(report))
        result = json.loads(report.read_text())["runs"][0]["results"][0]
        self.assertEqual(result["ruleId"], "fuzz_plan_text")
        self.assertIn("the planted rule, at byte N", result["message"]["text"])
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "fuzz/fuzz_plan_text.cc")
        said = "SUMMARY: AddressSanitizer: heap-buffer-overflow /a/b/core/x.cc:3:4 in F\n"
        self.assertEqual(finding_sarif.place_of("fuzz_plan_text", said), ("core/x.cc", 3))

    def test_input_that_passes_in_words(self):
        self.path.write_bytes(b"fine")
        status, printed = self.run_tool(explain, "fuzz_plan_text", str(self.path))
        self.assertEqual(status, 0)
        self.assertIn("a text of 4 bytes", printed)
        self.assertIn("nothing is wrong", printed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
