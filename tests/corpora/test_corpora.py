"""What ./dev corpus check has to see, planted."""
import hashlib
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/dev"))
import corpora


class Corpora(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("fuzz/fuzz_a.cc", "")
        self.write("fuzz/fuzz_a.options", "[libfuzzer]\nmax_len = 3\n")
        self.write("corpus/fuzz_a/seed_one", "one")
        self.write("corpus/fuzz_a/" + hashlib.sha1(b"two").hexdigest(), "two")
        self.write("corpus/regressions/fuzz_a/what_it_shows", "bug")
        self.write("corpus/provenance.csv", "target,date\nfuzz_a,2026-01-01\n")
        self.write("corpus/reached/fuzz_a.txt", "core/a.cc  A()\ncore/b.cc  B()\ncore/c.cc  C()\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assert_one_problem(self, words):
        found = corpora.problems_of_files(self.root)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_in_order(self):
        self.assertEqual(corpora.problems_of_files(self.root), [])

    def test_another_input_than_its_name(self):
        self.write("corpus/fuzz_a/" + "0" * 40, "ab")
        self.assert_one_problem("holds another input than its name says")

    def test_longer_than_an_engine_reads(self):
        self.write("corpus/fuzz_a/seed_two", "four")
        self.assert_one_problem("has 4 bytes; the options of fuzz_a let an engine read 3")

    def test_twice(self):
        self.write("corpus/fuzz_a/" + hashlib.sha1(b"bug").hexdigest(), "bug")
        self.assert_one_problem("is corpus/regressions/fuzz_a/what_it_shows once more")

    def test_of_no_target(self):
        self.write("corpus/fuzz_b/seed", "x")
        self.assert_one_problem("corpus/fuzz_b is the corpus of no target")

    def test_unknown_origin(self):
        self.write("corpus/provenance.csv", "target,date\n")
        self.assert_one_problem("does not say where the inputs of fuzz_a come from")

    def test_missing_corpus_and_record(self):
        self.write("fuzz/fuzz_c.cc", "")
        self.write("fuzz/fuzz_c.options", "[libfuzzer]\nmax_len = 3\n")
        self.write("corpus/provenance.csv", "target,date\nfuzz_a,2026-01-01\nfuzz_c,2026-01-01\n")
        found = corpora.problems_of_files(self.root)
        self.assertEqual(found[0], "fuzz_c has no corpus")
        self.assertIn("corpus/reached/fuzz_c.txt is missing", found[1])

    def test_reached_functions(self):
        self.write("log", "COVERED_FUNC: hits: 3 edges: 2/9 A() /anywhere/core/a.cc:7\n"
                          "UNCOVERED_FUNC: hits: 0 edges: 0/4 B() /anywhere/core/b.cc:9\n"
                          "COVERED_FUNC: hits: 3 edges: 2/9 main /anywhere/engine/d.cc:7\n")
        reached, others = corpora.functions_of(self.root / "log")
        self.assertEqual((reached, others), ({"core/a.cc  A()"}, {"core/b.cc  B()"}))


if __name__ == "__main__":
    unittest.main()
