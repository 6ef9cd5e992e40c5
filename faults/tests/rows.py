"""Faults without a catalogue, and rows of measurements that are made up."""

from runner.catalogue import Fault


class FakePatch:
    name = "fault.patch"

    def __init__(self, text):
        self.text = text

    def read_bytes(self):
        return self.text.encode()


PROBED = "+  ARENAPROOF_FAULT_REACHED();\n+  ARENAPROOF_FAULT_TRIGGERED(a);\n"


def fault(name, patch=PROBED, **description):
    return Fault(name, FakePatch(patch), {"names": ["I1"], **description})


def cell(detected=False, seconds=1.0, message="I1 order", **more):
    filled = {"applicable": True, "detected": detected, "seconds": seconds, "message": message if detected else "",
              "reached": 2, "triggered": 1, "end": "detected" if detected else "clean", **more}
    if detected:
        filled.update(seconds_to_detection=seconds, executions=more.get("executions"))
    return filled


def plain(detected=False, **more):
    return {"applicable": True, "detected": detected, "seconds": 1, "message": "", "end": "clean", **more}
