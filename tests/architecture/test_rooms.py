"""Whether check_rooms.py sees arrows that go the wrong way."""

import pathlib
import tempfile
import unittest

from rooms import BadTable, Rooms, read_links, wrong_includes, wrong_links

TABLE = """
| room | may include | what |
| --- | --- | --- |
| `low` | nothing | |
| `low/inner` | `low` | |
| `middle` | `low` | |
| `one` | above | |
| `two` | above, not `one` | |
"""


class Includes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for path, text in {"low/a.h": "", "low/inner/b.h": '#include "low/a.h"\n',
                           "middle/c.h": '#include "low/inner/b.h"\n#include <vector>\n',
                           "one/d.cc": '#include "middle/c.h"\n#include "e.h"\n', "one/e.h": "",
                           "two/f.cc": '#include "middle/c.h"\n'}.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def problems(self):
        return wrong_includes(self.root, Rooms(TABLE))[0]

    def test_a_tree_in_order_has_no_problem_and_every_include_is_counted(self):
        self.assertEqual(([], 5), wrong_includes(self.root, Rooms(TABLE)))

    def test_an_include_of_a_room_below_is_named(self):
        self.write("low/a.h", '  #  include "middle/c.h"\n')
        self.assertEqual(["low/a.h (low) includes middle/c.h (middle)"], self.problems())

    def test_an_include_of_a_sub_room_by_its_room_is_named(self):
        self.write("low/a.h", '#include "low/inner/b.h"\n')
        self.assertEqual(["low/a.h (low) includes low/inner/b.h (low/inner)"], self.problems())

    def test_an_include_by_a_path_from_the_files_own_folder_is_followed(self):
        self.write("two/f.cc", '#include "../one/e.h"\n')
        self.assertEqual(["two/f.cc (two) includes one/e.h (one)"], self.problems())

    def test_an_engine_that_includes_another_is_named(self):
        self.write("two/f.cc", '#include "one/e.h"\n')
        self.assertEqual(["two/f.cc (two) includes one/e.h (one)"], self.problems())

    def test_a_file_of_no_room_and_a_header_that_is_not_there_are_named(self):
        self.write("attic/g.cc", "")
        self.write("two/f.cc", '#include "low/gone.h"\n')
        self.assertEqual(["attic/g.cc lies in no room of the table",
                          "two/f.cc includes low/gone.h, which is not in the tree"], self.problems())


class Links(unittest.TestCase):
    def problems(self, text):
        return wrong_links(read_links(text), Rooms(TABLE))[0]

    def test_links_downwards_and_to_packages_are_right(self):
        self.assertEqual([], self.problems("a|low|pthread\nc|middle|a;gtest\nd|one|c;a\n"))

    def test_links_upwards_and_between_engines_are_named(self):
        self.assertEqual(["a (low) links c (middle)", "f (two) links d (one)"],
                         self.problems("a|low|c\nc|middle|\nd|one|\nf|two|d\n"))


class Table(unittest.TestCase):
    def test_without_a_row_is_refused(self):
        with self.assertRaisesRegex(BadTable, "no row"):
            Rooms("| room | may include |\n")

    def test_that_names_a_room_twice_or_one_that_does_not_stand_above_is_refused(self):
        with self.assertRaisesRegex(BadTable, "twice"):
            Rooms(TABLE + "| `low` | nothing | |\n")
        with self.assertRaisesRegex(BadTable, "names high"):
            Rooms("| `low` | `high` | |\n| `high` | nothing | |\n")

    def test_with_words_that_no_rule_has_is_refused(self):
        with self.assertRaisesRegex(BadTable, "everything"):
            Rooms("| `low` | everything | |\n")


if __name__ == "__main__":
    unittest.main()
