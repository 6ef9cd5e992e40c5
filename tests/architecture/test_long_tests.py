"""A long test that there is not is complained about."""
import tempfile
import unittest
from pathlib import Path

from check_long_tests import unknown_names


class LongTests(unittest.TestCase):
    def complaints(self, names):
        with tempfile.TemporaryDirectory() as name:
            tests = Path(name)
            (tests / "room").mkdir()
            (tests / "room" / "a_test.cc").write_text("TEST(One, Is) {}\nTEST_F(Two,\n       IsToo) {}\nTEST_P(Three, Is) {}\n")
            (tests / "CMakeLists.txt").write_text(f"set(room_tests_LONG {names})\n")
            return unknown_names(tests)

    def test_that_are_there_are_taken(self):
        self.assertEqual(self.complaints("One.Is\n  Two.IsToo Two.* */Three.Is/*"), [])

    def test_that_are_not_there_are_named(self):
        self.assertEqual(len(self.complaints("One.Was Four.* */Three.Was/* Three.Is Two.IsToo")), 4)
        self.assertIn("One.Was", self.complaints("One.Was")[0])

    def test_cannot_all_be_missing(self):
        self.assertEqual(len(self.complaints("")), 1)


if __name__ == "__main__":
    unittest.main()
