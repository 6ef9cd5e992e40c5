"""The table of rooms in docs/architecture.md."""

import re

ROW = re.compile(r"^\| `([\w/]+)` \| ([^|]+) \|", re.MULTILINE)
ENGINES = ("tests", "props", "fuzz", "bench")
SECTION = re.compile(r"^## Rooms.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class BadTable(Exception):
    """The table cannot be read."""


def is_within(room, of):
    return room == of or room.startswith(of + "/")


class Rooms:
    """Rooms in their order, and for each the rooms that it may include."""

    def __init__(self, text):
        self.names = []
        self.allowed = {}
        section = SECTION.search(text)
        text = section[0] if section else text
        for row in re.findall(r"(?m)^\| `.*", text):
            if not ROW.match(row):
                raise BadTable(f"this row cannot be read; a room's name has letters, digits, '_' and '/': {row[:60]}")
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

    def mistakes(self, root):
        """A sentence for each row whose folder is not there, and for each engine that may include another."""
        found = [f"the table has a row for {name}, which is no folder" for name in self.names if not (root / name).is_dir()]
        engines = [name for name in ENGINES if name in self.names]
        return found + [f"the row of {engine} allows another engine, {other}" for engine in engines for other in engines
                        if engine != other and self.allow(engine, other)]

    def allow(self, room, included):
        return room == included or included in self.allowed[room]
