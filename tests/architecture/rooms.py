"""The table of rooms in docs/architecture.md."""

import re

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
