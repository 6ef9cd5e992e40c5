"""Whether check_rooms.py sees arrows that go the wrong way."""

import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

from ignored_sources import stale_patterns
from includes import wrong_includes
from rooms import BadTable, Rooms
from targets import Target, read_targets, wrong_links, wrong_sources
from tree import unread_sources

MODULE = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "ArenaproofLinks.cmake"

TABLE = """
| room | may include | what |
| --- | --- | --- |
| `low` | nothing | |
| `low/inner` | `low` | |
| `middle` | `low` | |
| `one` | above | |
| `two` | above, not `one` | |
"""


class Tree(unittest.TestCase):
    """A folder for the files that a test writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


class Includes(Tree):
    def setUp(self):
        super().setUp()
        for path, text in {"low/a.h": "", "low/inner/b.h": '#include "low/a.h"\n',
                           "middle/c.h": '#include "low/inner/b.h"\n#include <vector>\n',
                           "one/d.cc": '#include "middle/c.h"\n#include "e.h"\n', "one/e.h": "",
                           "two/f.cc": '#include "middle/c.h"\n'}.items():
            self.write(path, text)

    def problems(self):
        return wrong_includes(self.root, Rooms(TABLE))[0]

    def test_a_tree_in_order_has_no_problem_and_every_include_is_counted(self):
        self.assertEqual(([], 5), wrong_includes(self.root, Rooms(TABLE)))

    def test_an_include_of_a_room_below_is_named(self):
        self.write("low/a.h", '  #  include "middle/c.h"\n')
        self.assertEqual(["low/a.h (low) includes middle/c.h (middle)"], self.problems())

    def test_other_spellings_of_an_include_are_read(self):
        for line in ('/* a */ #include "middle/c.h"', '# include /**/ "middle/c.h"', '#import "middle/c.h"',
                     '#include_next <middle/c.h>', '%:include "middle/c.h"'):
            self.write("low/a.h", line + "\n")
            self.assertEqual(["low/a.h (low) includes middle/c.h (middle)"], self.problems(), line)

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

    def test_an_include_in_angle_brackets_or_without_a_space_is_read(self):
        self.write("low/a.h", "#include <middle/c.h>\n#include<low/inner/b.h>\n")
        self.write("two/f.cc", '#include"one/e.h"\n')
        self.assertEqual(["low/a.h (low) includes middle/c.h (middle)",
                          "low/a.h (low) includes low/inner/b.h (low/inner)",
                          "two/f.cc (two) includes one/e.h (one)"], self.problems())

    def test_a_path_through_another_room_is_of_the_room_where_it_ends(self):
        self.write("two/f.cc", '#include "middle/../one/e.h"\n#include <low/../one/e.h>\n')
        self.assertEqual(["two/f.cc (two) includes one/e.h (one)"] * 2, self.problems())

    def test_two_generated_headers_may_be_missing_and_lie_in_their_room(self):
        table = TABLE + "| `core/model` | nothing | |\n| `tests` | `core` | |\n"
        self.write("tests/g.cc", '#include "core/model/schema_generated.h"\n#include "core/model/other_generated.h"\n'
                   '#include "core/model/schema_bfbs_generated.h"\n')
        self.write("low/a.h", '#include "core/model/schema_generated.h"\n')
        self.assertEqual(["low/a.h (low) includes core/model/schema_generated.h (core/model)",
                          "tests/g.cc includes core/model/other_generated.h, which is not in the tree"],
                         wrong_includes(self.root, Rooms(table))[0])

    def test_builds_are_not_entered_but_a_folder_of_that_name_in_a_room_is(self):
        self.write(".git/g.cc", "")
        self.write("build/release/g.cc", "")
        self.write("low/build/g.cc", '#include "one/e.h"\n')
        with mock.patch("os.scandir", wraps=os.scandir) as entered:
            self.assertEqual(["low/build/g.cc (low) includes one/e.h (one)"], self.problems())
        self.assertEqual([], [folder for (folder,), _ in entered.call_args_list
                              if pathlib.Path(folder).relative_to(self.root).parts[:1] in (("build",), (".git",))])


class Links(unittest.TestCase):
    def problems(self, text):
        return wrong_links(read_targets(text), Rooms(TABLE))[0]

    def test_links_downwards_and_to_packages_are_right(self):
        self.assertEqual([], self.problems("a|low|pthread|\nc|middle|a;gtest|\nd|one|c;a|\n"))

    def test_links_upwards_and_between_engines_are_named(self):
        self.assertEqual(["a (low) links c (middle)", "f (two) links d (one)"],
                         self.problems("a|low|c|\nc|middle||\nd|one||\nf|two|d|\n"))

    def test_a_link_to_no_target_is_named_when_it_looks_like_one(self):
        self.assertEqual(["a (low) links arenaproof_gone, which is no target of the tree",
                          "a (low) links arenaproof::base, which is no target of the tree"],
                         self.problems("a|low|arenaproof_gone;gtest;$<1:arenaproof::base>|\n"))

    def test_links_in_generator_expressions_and_taken_objects_are_links(self):
        self.assertEqual(["a (low) links d (one)", "a (low) links f (two)", "c (middle) links d (one)"],
                         self.problems("a|low|$<$<BOOL:1>:d>;$<TARGET_OBJECTS:f>|\nc|middle||$<TARGET_OBJECTS:d>\n"
                                       "d|one||\nf|two||\n"))


class Sources(unittest.TestCase):
    def problems(self, text, table=TABLE):
        return wrong_sources(read_targets(text), Rooms(table))[0]

    def test_sources_of_the_targets_room_and_taken_objects_are_right(self):
        self.assertEqual([], self.problems("a|low||low/a.cc;low/deep/b.cc\nc|middle|a|$<TARGET_OBJECTS:a>\n"))

    def test_a_source_of_another_room_or_of_none_is_named(self):
        self.assertEqual(["a (low) compiles low/inner/b.cc (low/inner)", "c (middle) compiles low/a.cc (low)",
                          "c (middle) compiles attic/g.cc (no room)", "c (middle) compiles $<1:low/a.cc> (no room)"],
                         self.problems("a|low||low/inner/b.cc\nc|middle||low/a.cc;attic/g.cc;$<1:low/a.cc>\n"))

    def test_only_the_plain_program_compiles_the_arena_again(self):
        table = TABLE + "| `core/arena` | nothing | |\n| `faults` | above | |\n"
        self.assertEqual(["arenaproof-plain (faults) compiles low/a.cc (low)",
                          "other (faults) compiles core/arena/a.cc (core/arena)"],
                         self.problems("arenaproof-plain|faults/plain||faults/plain/p.cc;core/arena/a.cc;low/a.cc\n"
                                       "other|faults||core/arena/a.cc\n", table))


class WrittenTargets(Tree):
    """What cmake/ArenaproofLinks.cmake writes of a small tree."""

    def test_hold_links_of_users_and_of_other_folders_private_ones_and_sources(self):
        for path in ("low/a.cc", "low/inner/b.cc", "middle/c.cc", "middle/users.cc"):
            self.write(path, "")
        self.write("CMakeLists.txt", f"""
            cmake_minimum_required(VERSION 3.24)
            project(small NONE)
            include({MODULE})
            add_subdirectory(low)
            add_subdirectory(middle)
            arenaproof_write_links("${{CMAKE_BINARY_DIR}}/links.txt")""")
        self.write("low/CMakeLists.txt", """
            add_library(a OBJECT a.cc ${CMAKE_SOURCE_DIR}/low/inner/b.cc)
            set_target_properties(a PROPERTIES LINKER_LANGUAGE CXX)
            add_library(none INTERFACE)""")
        self.write("middle/CMakeLists.txt", """
            add_library(c OBJECT c.cc $<TARGET_OBJECTS:a>)
            set_target_properties(c PROPERTIES LINKER_LANGUAGE CXX)
            target_link_libraries(c PRIVATE a PUBLIC none)
            target_sources(c INTERFACE users.cc)
            target_link_libraries(a INTERFACE none)""")
        build = self.root / "build"
        done = subprocess.run(["cmake", "-G", "Ninja", "-S", self.root, "-B", build], capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual({"a": Target("low", ["none"], ["low/a.cc", "low/inner/b.cc"]),
                          "none": Target("low", [], []),
                          "c": Target("middle", ["a", "none"],
                                      ["middle/c.cc", "$<TARGET_OBJECTS:a>", "middle/users.cc"])},
                         read_targets((build / "links.txt").read_text()))


class IgnoredSources(Tree):
    def test_a_pattern_of_a_room_that_matches_no_file_is_named(self):
        self.write("low/inner/b.cc", "")
        self.write("build/low/gone.cc", "")
        text = ("# src:*/low/comment.cc\nsrc:*/low/*.cc\nsrc:*/low/inner/b.cc=uninstrumented\nsrc:*/low/gone.cc\n"
                "src:*/include/c++/*\nsrc:/package/low/*\nsrc:package/low/*\nfun:*Gone*\n")
        self.assertEqual(["fuzz/coverage_ignored.txt has src:*/low/gone.cc, which matches no file of the tree"],
                         stale_patterns(self.root, Rooms(TABLE), text))


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


class Mistakes(Tree):
    def test_a_row_without_a_folder_is_named(self):
        for room in ("low/inner", "middle", "one"):
            (self.root / room).mkdir(parents=True)
        self.assertEqual(["the table has a row for two, which is no folder"], Rooms(TABLE).mistakes(self.root))

    def test_an_engine_that_may_include_another_is_named(self):
        for room in ("tests", "props"):
            (self.root / room).mkdir()
        rooms = Rooms("| `tests` | above | |\n| `props` | above | |\n")
        self.assertEqual(["the row of props allows another engine, tests"], rooms.mistakes(self.root))

    def test_a_row_that_cannot_be_read_is_refused_and_other_tables_of_the_page_are_left_alone(self):
        with self.assertRaisesRegex(BadTable, "my-room"):
            Rooms(TABLE + "| `my-room` | above | |\n")
        page = "| `a.cc` | x |\n\n## Rooms, and more\n" + TABLE + "\n## Trips\n\n| `b.cc` | y |\n"
        self.assertEqual(Rooms(TABLE).names, Rooms(page).names)

    def test_a_source_with_another_ending_is_named(self):
        self.write("low/a.hpp", "")
        self.assertEqual(["low/a.hpp is a source whose includes are not read; sources end in .cc, .h or .inc"],
                         unread_sources(self.root))

    def test_links_that_cannot_be_read_are_refused_with_their_line(self):
        for text, word in (("a|low||\nb|low\n", "line 2"), ("a|low||\na|low||\n", "second time")):
            with self.assertRaisesRegex(ValueError, word):
                read_targets(text)


if __name__ == "__main__":
    unittest.main()
