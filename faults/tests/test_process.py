"""Programs are run with a limit on their processor time, probes are counted across processes."""

import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from runner import process
from runner.probe_page import ProbePage

HERE = pathlib.Path(__file__).resolve().parent
BUSY = "while True: pass"
BUSY_CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{BUSY}'])"


class Running(unittest.TestCase):
    def run_python(self, program, limit):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            return process.run([sys.executable, "-c", program], folder, {"WORD": "given"}, log, limit)

    def test_gives_status_output_and_environment(self):
        ended = self.run_python("import os, sys; print(os.environ['WORD']); sys.exit(3)", 60)
        self.assertEqual((3, False, "given\n"), (ended.status, ended.cut, ended.output))

    def test_a_signal_is_a_negative_status(self):
        self.assertEqual(-11, self.run_python("import os; os.kill(os.getpid(), 11)", 60).status)

    def test_ends_a_program_at_its_limit(self):
        ended = self.run_python(BUSY, 0.3)
        self.assertTrue(ended.cut)
        self.assertGreaterEqual(ended.seconds, 0.3)
        self.assertLess(ended.seconds, 5)

    def test_counts_the_time_of_children(self):
        self.assertTrue(self.run_python(BUSY_CHILD, 0.5).cut)

    def test_time_that_others_use_does_not_count(self):
        ended = self.run_python("import time; time.sleep(1)", 0.5)
        self.assertFalse(ended.cut)


    def test_ends_a_program_by_the_signal_that_it_handles(self):
        polite = "import signal, sys\nsignal.signal(signal.SIGUSR1, lambda *_: sys.exit(7))\nwhile True: pass"
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            ended = process.run([sys.executable, "-c", polite], folder, {}, log, 0.3, ask=signal.SIGUSR1)
            self.assertEqual((7, True), (ended.status, ended.cut))
            deaf = "import signal\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\n" + BUSY
            ended = process.run([sys.executable, "-c", deaf], folder, {}, log, 0.3, ask=signal.SIGUSR1, patience=0.2)
            self.assertTrue(ended.cut)


class Signals(unittest.TestCase):
    def ended_by(self, number, before=""):
        program = (f"import os, signal, sys\nsys.path.insert(0, {str(HERE.parent)!r})\n{before}\n"
                   f"from runner import command_line\ncommand_line.handle_signals()\n"
                   f"try: os.kill(os.getpid(), {int(number)})\nexcept KeyboardInterrupt: sys.exit(5)\n")
        return subprocess.run([sys.executable, "-B", "-c", program], check=False).returncode

    def test_that_end_a_run_leave_it_time_to_keep_its_state(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(5, self.ended_by(number), number)

    def test_nohup_is_heeded(self):
        self.assertEqual(0, self.ended_by(signal.SIGHUP, "signal.signal(signal.SIGHUP, signal.SIG_IGN)"))

    def test_the_program_that_runs_is_ended_with_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder) / "pid"

            def interrupt(_):
                if mark.exists() and mark.read_text():
                    raise KeyboardInterrupt

            program = f"import os\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\n" + BUSY
            with self.assertRaises(KeyboardInterrupt):
                process.run([sys.executable, "-c", program], folder, {}, pathlib.Path(folder) / "log", 60, tick=interrupt)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(mark.read_text()), 0)


class Probes(unittest.TestCase):
    def test_are_read_as_the_header_counts_them(self):
        with tempfile.TemporaryDirectory() as folder:
            page = ProbePage(pathlib.Path(folder) / "page")
            self.assertEqual((0, 0), page.counts())
            page.path.write_bytes(struct.pack("=QQ", 7, 2) + bytes(4080))
            self.assertEqual((7, 2), page.counts())
            page.clear()
            self.assertEqual((0, 0), page.counts())


if __name__ == "__main__":
    unittest.main()
