"""check_rooms.py ROOT LINKS: whether includes, links and sources go the ways that docs/architecture.md allows.
LINKS is what the build wrote of its targets (cmake/ArenaproofLinks.cmake).
Exit status: 0 yes, 1 no, 2 could not run."""

import pathlib
import sys

from ignored_sources import stale_patterns
from includes import wrong_includes
from rooms import BadTable, Rooms
from targets import read_targets, wrong_links, wrong_sources
from tree import unread_sources

LEAST_INCLUDES, LEAST_LINKS, LEAST_SOURCES = 1000, 50, 200  # less was not this tree


def main(root, links_file):
    root = pathlib.Path(root)
    try:
        rooms = Rooms((root / "docs" / "architecture.md").read_text())
        targets = read_targets(pathlib.Path(links_file).read_text())
        ignored = (root / "fuzz" / "coverage_ignored.txt").read_text()
    except (OSError, BadTable, ValueError) as problem:
        print(f"the rooms cannot be checked: {problem}")
        return 2
    include_problems, include_count = wrong_includes(root, rooms)
    link_problems, link_count = wrong_links(targets, rooms)
    source_problems, source_count = wrong_sources(targets, rooms)
    not_allowed = rooms.mistakes(root) + unread_sources(root) + include_problems + link_problems + source_problems
    stale = stale_patterns(root, rooms, ignored)
    for problem in not_allowed + stale:
        print(problem)
    found = f"{include_count} includes, {link_count} links and {source_count} sources"
    if include_count < LEAST_INCLUDES or link_count < LEAST_LINKS or source_count < LEAST_SOURCES:
        print(f"only {found} were found: this is not the tree")
        return 2
    print(f"{len(rooms.names)} rooms, {found}, {len(not_allowed)} not allowed; {len(stale)} stale patterns")
    return 1 if not_allowed or stale else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("usage: check_rooms.py ROOT LINKS")
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
