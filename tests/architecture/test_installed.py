"""Whether links that lead to nothing are seen."""

import unittest

from document_links import dead_links, links_of
from test_rooms import Tree


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
