"""What a run prints while it goes on: one line a fault, and on a terminal what is running right now."""

import sys


class Progress:
    def __init__(self, stream=None, terminal=None):
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty() if terminal is None else terminal
        self.prefix = ""

    def _clear(self):
        if self.terminal:
            self.stream.write("\r\033[K")

    def line(self, text):
        self._clear()
        self.stream.write(text + "\n")
        self.stream.flush()

    def begin(self, prefix):
        self.prefix = prefix
        self.now("building")

    def now(self, text):
        if self.terminal:
            self.stream.write(f"\r\033[K{self.prefix}: {text}")
            self.stream.flush()

    def tick(self, title, seconds):
        self.now(f"{title} {seconds:.1f} s")
