"""Measures one tree, faulty or clean: builds it, gives every engine its turn, runs the comparison."""

import hashlib
import shutil
import signal

from . import budget, comparison, messages, process, side_columns, verdicts
from .engine_turn import SEED, EngineTurn
from .errors import CannotRun, DoesNotBuild
from .probe_page import VARIABLE, ProbePage

CONTROL = "(control)"
SYMBOLIZER = "/usr/lib/llvm-19/bin/llvm-symbolizer"

__all__ = ["CONTROL", "SEED", "Measurement"]


class Measurement:
    """`clean`: the results of the control (program hashes, seconds, outputs), {} while the control itself is measured. `keep`
    is called when the row has something new to keep."""

    def __init__(self, scratch, engines, budget_seconds, clean, progress, comparisons=True, unit_tests=True,
                 patched=(), expected=(), keep=lambda: None):
        self.scratch, self.engines, self.budget_seconds = scratch, engines, budget_seconds
        self.clean, self.progress, self.comparisons, self.unit_tests = clean, progress, comparisons, unit_tests
        self.patched, self.expected = list(patched), list(expected)  # files, engines that have their turn first
        self.keep = keep
        self.page = ProbePage(scratch.folder / "probe.page")
        self.work = scratch.folder / "work"

    def run(self, name, row):
        """Fills in the row; what is there already is kept, also what an engine grew and found."""
        try:
            row["build_seconds"] = round(row.get("build_seconds", 0) + self.scratch.build(self.targets()), 1)
        except DoesNotBuild as reason:
            if name == CONTROL:
                raise CannotRun(f"the clean tree does not build: {reason}") from None
            self.note_build_failure(row, str(reason))
            return
        for field in ("does_not_build", "caught_by_compiler"):
            row.pop(field, None)
        hashes = self.hashes()
        if name == CONTROL:
            row.setdefault("clean", {})["hashes"] = hashes
        if "progress" not in row:
            row["progress"] = budget.fresh(self.first_turns(row, hashes), self.budget_seconds)
            shutil.rmtree(self.work, ignore_errors=True)
        self.claim_work(name, row)
        budget.spend(self.engines, self.budget_seconds,
                     lambda engine, share, number: self.turn(name, engine, share, number, hashes, row), row["progress"],
                     self.keep)
        row["engine_seconds"] = round(sum(cell.get("seconds", 0) for cell in row["engines"].values()), 2)
        self.compare(row, hashes)
        if name == CONTROL:
            row["clean"]["alarms"] = verdicts.alarms(row)

    def note_build_failure(self, row, text):
        refusal = messages.refusal_of_compiler(text)
        row["caught_by_compiler" if refusal else "does_not_build"] = refusal or text[-1500:]

    def first_turns(self, row, hashes):
        """The engines that could notice, in the order of their turns."""
        row["engines"] = {engine.name: {"applicable": False, "detected": False} for engine in self.engines
                          if not self.could_notice(engine, hashes)}
        return sorted((engine for engine in self.engines if engine.name not in row["engines"]),
                      key=lambda engine: (engine.name not in self.expected, not engine.nearest, engine.random, self.clean_seconds(engine)))

    def claim_work(self, name, row):
        """The folder of what engines grow and find is of one fault."""
        owner, mine = self.work / "of", f"{name} {row.get('digest', '')}"
        if not owner.is_file() or owner.read_text() != mine:
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir(parents=True)
            owner.write_text(mine)

    # ---- what is built

    def steps_of_comparison(self, found=()):
        steps = dict(comparison.plain_steps(self.scratch.tree, found)) if self.comparisons else {}
        if self.unit_tests:
            steps[comparison.UNIT_TESTS] = comparison.unit_test_steps(self.scratch.tree, self.patched)
        return steps

    def steps_beside(self):
        for step in self.steps_of_comparison().values():
            yield from step if isinstance(step, list) else [step]

    def targets(self):
        built = [program for engine in self.engines for program in engine.built()]
        built += [(step.preset, step.target, step.program) for step in self.steps_beside()]
        targets = {}
        for preset, target, _ in built:
            targets.setdefault(preset, set()).add(target)
        return targets

    def hashes(self):
        """Of every program: one that the fault did not change cannot notice it."""
        files = {(preset, program) for engine in self.engines for preset, _, program in engine.built()}
        files |= {(step.preset, step.program) for step in self.steps_beside()}
        return {f"{preset}/{program}": hashlib.sha256(self.scratch.program(preset, program).read_bytes()).hexdigest()
                for preset, program in files}

    def is_changed(self, engine, step, hashes):
        clean = self.clean.get("hashes")
        if clean is None:
            return True
        programs = [(step.preset, step.program)]
        if engine is not None:
            programs += [(preset, program) for preset, _, program in engine.also_built]
        return any(hashes[f"{preset}/{program}"] != clean.get(f"{preset}/{program}") for preset, program in programs)

    def could_notice(self, engine, hashes):
        return any(self.is_changed(engine, step, hashes) for step in engine.steps)

    def clean_seconds(self, engine):
        return self.clean.get("seconds", {}).get(engine.name, 0)

    # ---- engines

    def turn(self, name, engine, share, number, hashes, row):
        turn = EngineTurn(self, engine, row["engines"].get(engine.name), name == CONTROL)
        cell = turn.run(share, number, lambda step: self.is_changed(engine, step, hashes))
        row["engines"][engine.name] = cell = self.without_alarm(engine.name, cell)
        if name == CONTROL:
            row["clean"].setdefault("seconds", {})[engine.name] = cell["seconds"]
            for what, values in turn.observed.items():
                kept = row["clean"].setdefault(what, {})
                kept.update({step: value for step, value in values.items() if number == 0 or step not in kept})
        return budget.Turn(turn.spent, cell["detected"], finished=not turn.cut, needs_more_than=turn.needs_more_than)

    def without_alarm(self, name, cell):
        return verdicts.without_alarm(self.clean.get("alarms", {}), name, cell)

    def execute(self, title, command, environment, limit, ask=signal.SIGINT, patience=5):
        environment = {VARIABLE: str(self.page.path), "ASAN_SYMBOLIZER_PATH": SYMBOLIZER,
                       "UBSAN_OPTIONS": "print_stacktrace=1", "ARENAPROOF_WORKER_DIR": str(self.scratch.tree / "build"),
                       **environment}
        return process.run(command, self.scratch.folder, environment, self.scratch.folder / "output.txt", limit,
                           tick=lambda seconds: self.progress.tick(title, seconds), ask=ask, patience=patience)

    # ---- comparison

    def compare(self, row, hashes):
        found = [(engine.name, str(self.work / engine.name / kind)) for engine in self.engines
                 if engine.name.startswith("fuzz_") for kind in ("found", "grown")
                 if (self.work / engine.name / kind).is_dir()]
        columns = row.setdefault("comparison", {})
        for column, step in self.steps_of_comparison(found).items():
            if column in columns:
                continue
            columns[column] = self.without_alarm(
                column, side_columns.unit_tests_cell(self, step, hashes) if isinstance(step, list) else
                side_columns.plain_cell(self, column, step, hashes))
            self.keep()
