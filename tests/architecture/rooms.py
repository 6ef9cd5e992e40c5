"""The table of rooms in docs/architecture.md, and the arrows of the tree that it does not allow."""

import os
import pathlib
import re

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCES = (".cc", ".h", ".inc")
ROW = re.compile(r"^\| `([\w/]+)` \| ([^|]+) \|", re.MULTILINE)


class BadTable(Exception):
    """The table cannot be read."""


def is_within(room, of):
    return room == of or room.startswith(of + "/")


class Rooms:
    """Rooms in their order, and for each the rooms that it may include."""

    def __init__(self, text):
        self.names = []
        self.allowed = {}
        for name, rule in ROW.findall(text):
            if name in self.allowed:
                raise BadTable(f"the room {name} stands in the table twice")
            self.allowed[name] = self._read_rule(name, rule)
            self.names.append(name)
        if not self.names:
            raise BadTable("there is no row '| `room` | may include |'")

    def _read_rule(self, name, rule):
        take, _, leave = rule.partition("not ")
        words = re.findall(r"`([\w/]+)`", take)
        unread = re.sub(r"`[\w/]+`|\babove\b|\bnothing\b|[\s,]", "", take) + re.sub(r"`[\w/]+`|\s", "", leave)
        if unread:
            raise BadTable(f"the row of {name} has words that no rule has: {unread}")
        excluded = re.findall(r"`([\w/]+)`", leave)
        for word in words + excluded:
            if not any(is_within(room, word) for room in self.names):
                raise BadTable(f"the row of {name} names {word}, of which no row stands above")
        if "above" in take.split("`")[0]:
            words = list(self.names)
        return {room for room in self.names
                if any(is_within(room, word) for word in words)
                and not any(is_within(room, word) for word in excluded)}

    def of(self, path):
        """The room of a file or folder; None when no row holds it."""
        folders = [name for name in self.names if is_within(str(path), name)]
        return max(folders, key=len, default=None)

    def allow(self, room, included):
        return room == included or included in self.allowed[room]


def sources_of(root):
    for path in sorted(pathlib.Path(root).rglob("*")):
        relative = path.relative_to(root)
        if path.suffix in SOURCES and path.is_file() and relative.parts[0] not in ("build", ".git"):
            yield path, relative


def wrong_includes(root, rooms):
    """A sentence for each include that the table does not allow, and the number of includes that were looked at."""
    problems, count = [], 0
    for path, relative in sources_of(root):
        room = rooms.of(relative)
        if room is None:
            problems.append(f"{relative} lies in no room of the table")
            continue
        for name in INCLUDE.findall(path.read_text(errors="replace")):
            if name.endswith("_generated.h"):
                continue
            target = pathlib.PurePath(name if (root / name).is_file() else os.path.normpath(relative.parent / name))
            if not (root / target).is_file():
                problems.append(f"{relative} includes {name}, which is not in the tree")
                continue
            count += 1
            included = rooms.of(target)
            if included is None or not rooms.allow(room, included):
                problems.append(f"{relative} ({room}) includes {target} ({included or 'no room'})")
    return problems, count


def read_links(text):
    """Lines 'target|folder|linked;linked': {target: (folder, [linked])}."""
    links = {}
    for line in text.splitlines():
        target, folder, linked = line.split("|")
        links[target] = (folder, [name for name in linked.split(";") if name])
    return links


def wrong_links(links, rooms):
    """The same of links between CMake targets; libraries of packages are no rooms."""
    problems, count = [], 0
    for target, (folder, linked) in sorted(links.items()):
        room = rooms.of(folder)
        if room is None:
            problems.append(f"the target {target} of {folder or 'the root'} lies in no room of the table")
            continue
        for name in linked:
            if name not in links:
                continue
            count += 1
            other = rooms.of(links[name][0])
            if other is None or not rooms.allow(room, other):
                problems.append(f"{target} ({room}) links {name} ({other or 'no room'})")
    return problems, count
