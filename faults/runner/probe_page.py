"""The page into which a planted fault counts: see ../fault_probe.h."""

import struct

PAGE_BYTES = 4096
VARIABLE = "ARENAPROOF_FAULT_PROBE"


class ProbePage:
    def __init__(self, path):
        self.path = path
        self.clear()

    def clear(self):
        self.path.write_bytes(bytes(PAGE_BYTES))

    def counts(self):
        """(reached, triggered) since clear()."""
        return struct.unpack_from("=QQ", self.path.read_bytes())
