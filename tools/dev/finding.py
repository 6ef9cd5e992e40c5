"""Runs inputs through a fuzz target's replay program, and says what each finds: its identity is what stays the same while
an input gets smaller.
"""
import pathlib
import re
import signal
import subprocess
import tempfile

MOST_SECONDS = 60  # of one input, of which engines wait for 25

# In the order in which they count. What follows the first that matches is what happened because of it.
SENTENCES = (re.compile(r"^(VIOLATED: .*)$", re.M),
             re.compile(r"^(DEFECT: (?!violation:).*)$", re.M),
             re.compile(r"^(.*(?:reads|writes|accesses) .*(?:before|after|behind|into|inside|of) .*)\n(?:.*\n)*?DEFECT: violation:", re.M),
             re.compile(r"^SUMMARY: (\w+Sanitizer: .*)$", re.M),
             re.compile(r"^(\S+:\d+:\d+: runtime error: .*)$", re.M),
             re.compile(r"^(DEFECT: .*)$", re.M))


def identity_of(status, said):
    """Empty for an input that passes."""
    if status == 0:
        return ""
    for sentence in SENTENCES:
        match = sentence.search(said)
        if match:
            words = re.sub(r"/\S*?/((?:core|kernels|tools|sanitizers|engine|fuzz|corpus)/)", r"\1", match.group(1))
            return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", words)
    return f"ends by signal {-status}" if status < 0 else f"ends with status {status}"


class Replayer:
    """The program, started once: each input runs in a process that begins where the program is ready."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "input"
        self.program = subprocess.Popen([program, "-serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.stdin.close()
        self.program.wait()
        self.program.stdout.close()
        self.folder.cleanup()

    def identity(self, content):
        self.path.write_bytes(content)
        self.program.stdin.write(f"{self.path}\n")
        self.program.stdin.flush()
        line = self.program.stdout.readline()
        while line and not re.fullmatch(r"-?\d+\n", line):  # what the target itself prints
            line = self.program.stdout.readline()
        if not line:
            raise SystemExit("the replay program ended before it said how an input ended")
        return identity_of(int(line), pathlib.Path(f"{self.path}.said").read_text(errors="replace"))


def explained(program, path):
    """Status, the words of the target, and what it said when it broke off."""
    try:
        run = subprocess.run([program, "-explain", str(path)], capture_output=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired as over:
        words = (over.stdout or b"").decode(errors="replace")
        return -signal.SIGALRM, words, f"no end within {MOST_SECONDS} seconds\n"
    return run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")
