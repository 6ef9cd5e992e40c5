"""check_rooms.py ROOT LINKS: whether includes and links go the ways that docs/architecture.md allows.
LINKS is what the build wrote of its targets (cmake/ArenaproofLinks.cmake). Exit status: 0 yes, 1 no, 2 could not run."""

import pathlib
import sys

from rooms import BadTable, Rooms, read_links, wrong_includes, wrong_links

LEAST_INCLUDES, LEAST_LINKS = 1000, 50  # less was not this tree


def main(root, links_file):
    root = pathlib.Path(root)
    try:
        rooms = Rooms((root / "docs" / "architecture.md").read_text())
        links = read_links(pathlib.Path(links_file).read_text())
    except (OSError, BadTable, ValueError) as problem:
        print(f"the rooms cannot be checked: {problem}")
        return 2
    include_problems, include_count = wrong_includes(root, rooms)
    link_problems, link_count = wrong_links(links, rooms)
    for problem in include_problems + link_problems:
        print(problem)
    if include_count < LEAST_INCLUDES or link_count < LEAST_LINKS:
        print(f"only {include_count} includes and {link_count} links were found: this is not the tree")
        return 2
    print(f"{len(rooms.names)} rooms, {include_count} includes and {link_count} links, "
          f"{len(include_problems) + len(link_problems)} not allowed")
    return 1 if include_problems or link_problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_rooms.py ROOT LINKS")
    sys.exit(main(*sys.argv[1:]))
