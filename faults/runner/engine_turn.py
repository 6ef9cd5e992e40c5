"""One turn of one engine: its steps one after the other, as far as its share goes."""

import copy
import pathlib
import signal

from . import check_models, messages
from .engines import fill

SEED = 20260821
HANG_ALONE_SECONDS = 5  # of processor time, for an input that other inputs' time was not enough for
NEW_CELL = {"applicable": True, "detected": False, "seconds": 0.0, "reached": 0, "triggered": 0, "executions": None,
            "message": "", "troubles": {}}


def hang_seconds(usual):
    """How long a step may take whose clean time is this one's. Processor time, but machines are shared."""
    return max(1.5, 3 * usual, min(8 * usual, 6))


class EngineTurn:
    """`measurement` runs programs and holds the clean tree's results; `cell` is the result of the engine's turns so far, and
    is not changed: an interrupted turn does not count."""

    def __init__(self, measurement, engine, cell, is_control):
        self.measurement, self.engine, self.is_control = measurement, engine, is_control
        self.cell = copy.deepcopy(cell or dict(NEW_CELL, **({"random": True} if engine.random else {})))
        self.work = measurement.work / engine.name
        self.spent, self.cut, self.detected, self.needs_more_than = 0.0, False, False, 0.0
        self.observed = {}  # in the control: what faults are compared with

    def run(self, share, number, is_changed):
        for folder in (self.work / "grown", self.work / "found"):
            folder.mkdir(parents=True, exist_ok=True)
        first = self.cell.pop("next_step", 0)
        for index, step in enumerate(self.engine.steps[first:], first):
            if not is_changed(step):
                continue
            left = share - self.spent
            if left <= 0:
                self.stop_at(index)
                break
            ended = self.run_step(step, left, number)
            message = self.message(step, ended)
            if message is not None:
                self.note_detection(step, message)
                break
            if ended.cut or self.cut:
                self.stop_at(index, left)
                break
            trouble = self.trouble(step, ended)
            if trouble:
                self.cell["troubles"][step.name] = trouble
        self.cell["seconds"] = round(self.cell["seconds"] + self.spent, 3)
        if not self.detected:
            self.cell["end"] = "out of time" if self.cut else self.end_of_all()
        return self.cell

    def end_of_all(self):
        for step, trouble in self.cell["troubles"].items():
            self.cell["message"] = f"{step}: {trouble}"
            return f"could not run: {trouble.split(':')[0]}"
        return "clean"

    def stop_at(self, index, had=0.0):
        """One that draws at random begins again with another seed, others go on where they were; a step that was cut
        needs a longer turn than it had."""
        self.cut = True
        if not self.engine.random:
            self.cell["next_step"], self.needs_more_than = index, had

    def run_step(self, step, limit, number):
        values = {"tree": self.measurement.scratch.tree, "work": self.work / "grown", "found": self.work / "found",
                  "seed": SEED + number, "wall": int(limit * 20 + 60)}
        # libFuzzer ends after the input it is at, and reports one that has no end at -timeout.
        stopping = {"ask": signal.SIGINT, "patience": 5} if step.ends else {"ask": signal.SIGUSR1, "patience": 10}
        return self.execute(step, [fill(word, values) for word in step.arguments], limit, values, **stopping)

    def execute(self, step, arguments, limit, values, **stopping):
        measurement = self.measurement
        command = [*step.launcher, measurement.scratch.program(step.preset, step.program), *arguments]
        environment = {key: fill(value, values) for key, value in step.environment.items()}
        before = measurement.page.counts()
        ended = measurement.execute(self.engine.name, command, environment, limit, **stopping)
        after = measurement.page.counts()
        self.cell["reached"] += after[0] - before[0]
        self.cell["triggered"] += after[1] - before[1]
        executions = messages.executions_of(ended.output)
        if executions is not None:
            self.cell["executions"] = (self.cell["executions"] or 0) + executions
        self.spent += ended.seconds
        return ended

    # ---- what a step's output means

    def message(self, step, ended):
        """The message of a finding; None when there is none."""
        timed = f"{self.engine.name}: {step.name}"
        if self.is_control and not ended.cut:
            self.observed.setdefault("step_seconds", {})[timed] = round(ended.seconds, 2)
        if step.expectation is not None and not ended.cut:
            return self.complaint(step, ended)
        if step.expectation is None and step.detects(ended):
            artifact = messages.input_without_end(ended.output)
            return messages.message_for(ended) if artifact is None else self.hang_of_input(step, ended, artifact)
        usual = self.measurement.clean.get("step_seconds", {}).get(timed)
        if ended.cut and step.ends and usual is not None and ended.seconds > hang_seconds(usual):
            return f"hang: {step.name} has no end after {ended.seconds:.1f} s, the clean tree's takes {usual:.1f} s"
        return None

    def complaint(self, step, ended):
        report = check_models.parse_report(ended.output)
        if check_models.could_not_run(report, ended.status):
            return None
        baseline = None if self.is_control else self.measurement.clean.get("outputs", {}).get(step.name)
        if self.is_control and report is not None:
            self.observed.setdefault("outputs", {})[step.name] = check_models.summary_of(report)
        return check_models.complaint(step.expectation, report, ended.status, baseline)

    def hang_of_input(self, step, ended, artifact):
        """libFuzzer counts wall time: what it took for a hang is run once more, alone."""
        if not pathlib.Path(artifact).is_file():
            return messages.message_for(ended)
        alone = self.execute(step, ["-timeout=3600", "-rss_limit_mb=2048", f"-artifact_prefix={self.work / 'found'}/",
                                    artifact], HANG_ALONE_SECONDS, {})
        if alone.cut:
            size = pathlib.Path(artifact).stat().st_size
            return (f"hang: an input of {size} bytes has no end after {alone.seconds:.1f} s of processor time; "
                    f"{messages.message_for(ended)}")
        if step.detects(alone):
            return messages.message_for(alone)
        self.cut = True  # it was only slow; its turn is over all the same
        return None

    def trouble(self, step, ended):
        """A program that neither found anything nor ended well could not run, which is not clean."""
        if step.expectation is not None:
            report = check_models.parse_report(ended.output)
            if not check_models.could_not_run(report, ended.status):
                return None
        elif ended.status == 0:
            return None
        return f"status {ended.status}: {messages.message_for(ended)[:300]}"

    def note_detection(self, step, message):
        self.detected = True
        self.cell.update(detected=True, end="detected", message=message, step=step.name,
                         seconds_to_detection=round(self.cell["seconds"] + self.spent, 3))
