#!/usr/bin/env python3
"""The program behind ./dev faults: see runner/command_line.py and docs/faults.md."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from runner import command_line  # noqa: E402

if __name__ == "__main__":
    command_line.entry(HERE.parent)
