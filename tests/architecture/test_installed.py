"""Whether includes and links that lead to nothing are seen."""

import unittest

from document_links import dead_links, links_of
from installed_headers import missing_includes
from test_rooms import Tree


class InstalledHeaders(Tree):
    def problems(self, text, path="low/a.h"):
        self.write("low/b.h", "")
        self.write(path, text)
        return missing_includes(self.root)[0]

    def test_what_is_installed_and_what_a_compiler_has_is_found(self):
        self.write("low/rows.inc", "")
        self.assertEqual([], self.problems('#include "low/b.h"\n#include "b.h"\n#include "low/rows.inc"\n'
                                           "#include <low/b.h>\n#include <vector>\n#include <stdint.h>\n"))
        self.assertEqual(6, missing_includes(self.root)[1])

    def test_a_header_that_is_not_installed_is_named(self):
        self.assertEqual(["low/a.h includes low/c.h, which is not installed"], self.problems('#include "low/c.h"\n'))
        self.assertEqual(["low/a.inc includes c.h, which is not installed"],
                         self.problems('#include "c.h"\n', "low/a.inc")[1:])

    def test_a_header_that_the_build_generates_is_named(self):
        self.assertEqual(["low/a.h includes core/model/schema_generated.h, which is not installed"],
                         self.problems('#include "core/model/schema_generated.h"\n'))

    def test_a_header_of_a_package_is_named_but_where_its_users_have_it(self):
        self.assertEqual(["low/a.h includes <package/p.h>, of a package that its users need not have"],
                         self.problems("#include <package/p.h>\n"))
        self.write("low/a.h", "")
        self.assertEqual([], self.problems("#include <package/p.h>\n", "kernels/bridge_tflm/k.cc"))


class DocumentLinks(Tree):
    def test_are_read_in_each_form(self):
        self.assertEqual(["a.md", "b/c.md", "d.svg", "e.html", "f.md", "g.md"],
                         links_of('[a](a.md), [`b`](b/c.md#part) ![d](d.svg "title")\n<a href="e.html">[f](<f.md>)\n[g]: g.md\n'))

    def test_to_other_places_and_in_code_are_left_alone(self):
        self.assertEqual([], links_of("[a](https://a.org/b.md) [b](#part) [c](mailto:a@b) [d](//a.org)\n"
                                      "`[e](e.md)`\n\n```cpp\n[](int i) { return [f](f.md); }\n```\n"))

    def test_that_lead_to_a_file_or_a_folder_are_alive(self):
        self.write("docs/a.md", "[up](../b.md), [beside](c.md), [folder](../docs)\n")
        self.write("b.md", "[down](docs/a.md)\n")
        self.write("docs/c.md", "")
        self.assertEqual(([], 4), dead_links(self.root))

    def test_that_lead_nowhere_or_out_of_the_folder_are_named(self):
        self.write("inner/docs/a.md", "[gone](gone.md) [out](../../b.md) [absolute](/etc)\n")
        self.write("b.md", "")
        self.assertEqual(["docs/a.md links gone.md, which is not there", "docs/a.md links ../../b.md, which is not there",
                          "docs/a.md links /etc, which is not there"], dead_links(self.root / "inner")[0])


if __name__ == "__main__":
    unittest.main()
