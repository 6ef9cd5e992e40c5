"""Runs one program with a limit on its time, counted in processor seconds of it and all its children: what else the
machine does must not change a measurement."""

import os
import signal
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")


class Ended:
    """How a program ended: its status (negative: a signal), or cut off at its limit."""

    def __init__(self, status, cut, seconds, wall_seconds, output):
        self.status, self.cut, self.output = status, cut, output
        self.seconds, self.wall_seconds = seconds, wall_seconds


def session_seconds(leader):
    """Processor seconds of all processes of a session, with those of children that were waited for."""
    ticks = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / TICKS


def signal_group(group, signal_number):
    try:
        os.killpg(group, signal_number)
    except ProcessLookupError:
        pass


def read_output(path, most_bytes=400_000):
    """Beginning and end when it is long."""
    data = path.read_bytes()
    if len(data) > most_bytes:
        data = data[:most_bytes // 2] + b"\n[...]\n" + data[-most_bytes // 2:]
    return data.decode(errors="replace")


def run(command, folder, environment, log, limit_seconds, tick=None, ask=signal.SIGINT, patience=5):
    """`tick` is called now and then with the seconds so far. A program at its limit is asked to end by the signal `ask`,
    after `patience` seconds by SIGINT, and is killed when that does not help either."""
    start = time.monotonic()
    wall_limit = limit_seconds * 20 + 60
    with log.open("wb") as output:
        child = subprocess.Popen([str(word) for word in command], cwd=folder, env=dict(os.environ, **environment),
                                 stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        cut, pause, used = False, 0.005, 0.0
        try:
            while True:
                pid, wait_status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    break
                time.sleep(pause)
                pause = min(pause * 1.5, 0.1)
                used = session_seconds(child.pid)
                if tick:
                    tick(used)
                if not cut and (used > limit_seconds or time.monotonic() - start > wall_limit):
                    cut = True
                    signal_group(child.pid, ask)
                    wall_limit = time.monotonic() - start + patience
                elif cut and time.monotonic() - start > wall_limit:
                    signal_group(child.pid, signal.SIGKILL if ask == signal.SIGINT else signal.SIGINT)
                    ask, wall_limit = signal.SIGINT, wall_limit + 5
        except BaseException:
            signal_group(child.pid, signal.SIGKILL)
            os.wait4(child.pid, 0)
            raise
    child.returncode = status = os.waitstatus_to_exitcode(wait_status)
    seconds = usage.ru_utime + usage.ru_stime
    return Ended(status, cut, seconds, time.monotonic() - start, read_output(log))
