"""The links and sources of CMake targets that the table of rooms does not allow."""

import collections
import re

# faults/plain compiles the arena again on purpose, without the checks of instrumented builds.
COMPILED_AGAIN = {("arenaproof-plain", "core/arena")}

Target = collections.namedtuple("Target", "folder linked sources")


def read_targets(text):
    """Lines 'target|folder|linked;linked|source;source', paths relative to the root: {target: Target}."""
    targets = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.count("|") != 3:
            raise ValueError(f"line {number} of the links is not 'target|folder|links|sources'; configure the build again")
        target, folder, *lists = line.split("|")
        if target in targets:
            raise ValueError(f"line {number} of the links has the target {target} a second time")
        linked, sources = ([item for item in items.split(";") if item] for items in lists)
        targets[target] = Target(folder, linked, sources)
    return targets


def names_in(item):
    """What an item of a list may name: itself, or each word of its generator expression."""
    return re.split(r"[$<>,]+|(?<!:):(?!:)", item) if "$<" in item else [item]


def wrong_links(targets, rooms):
    """A sentence for each link between targets that the table does not allow, and the number of links that were looked
    at. A target whose objects stand among the sources is linked; libraries of packages are no rooms."""
    problems, count = [], 0
    for target, (folder, linked, sources) in sorted(targets.items()):
        room = rooms.of(folder)
        if room is None:
            problems.append(f"the target {target} of {folder or 'the root'} lies in no room of the table")
            continue
        objects = [item for item in sources if "$<" in item]
        for name in (name for item in linked + objects for name in names_in(item)):
            if name not in targets:
                if name.startswith("arenaproof"):
                    problems.append(f"{target} ({room}) links {name}, which is no target of the tree")
                continue
            count += 1
            other = rooms.of(targets[name].folder)
            if other is None or not rooms.allow(room, other):
                problems.append(f"{target} ({room}) links {name} ({other or 'no room'})")
    return problems, count


def wrong_sources(targets, rooms):
    """The same of sources that lie outside their target's room: compiled there, they are what no link shows."""
    problems, count = [], 0
    for target, (folder, _, sources) in sorted(targets.items()):
        room = rooms.of(folder)
        for source in sources:
            if source.startswith("$<TARGET_OBJECTS:"):
                continue
            count += 1
            other = rooms.of(source)
            if other is None or (other != room and (target, other) not in COMPILED_AGAIN):
                problems.append(f"{target} ({room}) compiles {source} ({other or 'no room'})")
    return problems, count
