"""Measures one tree, faulty or clean: builds it, gives every engine its turn, runs the comparison."""

import hashlib
import shutil

from . import budget, check_models, comparison, messages, process
from .engines import CHECK, fill
from .errors import CannotRun, DoesNotBuild
from .probe_page import VARIABLE, ProbePage

CONTROL = "(control)"
SEED = 20260821
SYMBOLIZER = "/usr/lib/llvm-19/bin/llvm-symbolizer"
HANG_FACTOR, HANG_SECONDS = 8, 1.5


class Measurement:
    """`clean`: what the control said (program hashes, seconds, outputs), {} while the control itself is measured."""

    def __init__(self, scratch, engines, budget_seconds, clean, say, comparisons=True, unit_tests=True,
                 patched=(), expected=()):
        self.scratch, self.engines, self.budget_seconds = scratch, engines, budget_seconds
        self.clean, self.say, self.comparisons, self.unit_tests = clean, say, comparisons, unit_tests
        self.patched, self.expected = list(patched), list(expected)  # files, engines that have their turn first
        self.page = ProbePage(scratch.folder / "probe.page")
        self.work = scratch.folder / "work"

    def run(self, name, row):
        """Fills in the row; what is there already is kept."""
        self.work.mkdir(exist_ok=True)
        try:
            row["build_seconds"] = round(row.get("build_seconds", 0) + self.scratch.build(self.targets()), 1)
        except DoesNotBuild as reason:
            if name == CONTROL:
                raise CannotRun(f"the clean tree does not build: {reason}") from None
            row["does_not_build"] = str(reason)[-1500:]
            return
        row.pop("does_not_build", None)
        row["engines"] = {engine: cell for engine, cell in row["engines"].items() if cell.get("done")}
        hashes = self.hashes()
        if name == CONTROL:
            row.setdefault("clean", {})["hashes"] = hashes
        applicable = []
        for engine in self.engines:
            changed = [step for step in engine.steps if self.is_changed(engine, step, hashes)]
            if not changed:
                row["engines"][engine.name] = {"applicable": False, "detected": False}
            elif engine.name not in row["engines"]:
                applicable.append(engine)
        shutil.rmtree(self.work, ignore_errors=True)
        self.page.clear()
        order = sorted(applicable, key=lambda engine: (engine.name not in self.expected, engine.random,
                                                       self.clean_seconds(engine)))
        left = self.budget_seconds - sum(cell.get("seconds", 0) for cell in row["engines"].values())
        budget.spend(order, max(left, 0), lambda engine, share, turn: self.turn(name, engine, share, turn, hashes, row))
        row["engine_seconds"] = round(sum(cell.get("seconds", 0) for cell in row["engines"].values()), 2)
        self.compare(name, row, hashes)

    # ---- what is built

    def steps_of_comparison(self, found=()):
        steps = dict(comparison.plain_steps(self.scratch.tree, found)) if self.comparisons else {}
        if self.unit_tests:
            steps[comparison.UNIT_TESTS] = comparison.unit_test_steps(self.scratch.tree, self.patched)
        return steps

    def targets(self):
        built = [program for engine in self.engines for program in engine.built()]
        for step in self.steps_of_comparison().values():
            built += [(each.preset, each.target, each.program) for each in (step if isinstance(step, list) else [step])]
        targets = {}
        for preset, target, _ in built:
            targets.setdefault(preset, set()).add(target)
        return targets

    def hashes(self):
        """Of every program: one that the fault did not change cannot notice it."""
        files = {(preset, program) for engine in self.engines for preset, _, program in engine.built()}
        for step in self.steps_of_comparison().values():
            files |= {(each.preset, each.program) for each in (step if isinstance(step, list) else [step])}
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

    def clean_seconds(self, engine):
        return self.clean.get("seconds", {}).get(engine.name, 0)

    # ---- engines

    def turn(self, name, engine, share, number, hashes, row):
        """All steps of one engine, as far as its share goes."""
        cell = row["engines"].setdefault(engine.name, {"applicable": True, "detected": False, "seconds": 0.0,
                                                       "reached": 0, "triggered": 0, "message": ""})
        spent, detected, cut = 0.0, False, False
        work = self.work / engine.name
        for folder in (work / "grown", work / "found"):
            folder.mkdir(parents=True, exist_ok=True)
        first = 0 if engine.random else cell.pop("next_step", 0)
        for index, step in enumerate(engine.steps[first:], first):
            if not self.is_changed(engine, step, hashes):
                continue
            left = share - spent
            if left <= 0:
                cut, cell["next_step"] = True, index
                break
            ended = self.run_step(engine, step, work, left, number, cell)
            spent += ended.seconds
            message = self.verdict(name, engine, step, ended, row)
            if ended.cut and message is None:
                cut, cell["next_step"] = True, index
            if message is not None:
                self.note_detection(cell, step, ended, message, cell["seconds"] + spent)
                detected = True
                break
            if cut and not engine.random:
                break
        cell["seconds"] = round(cell["seconds"] + spent, 3)
        if not detected:
            cell["end"] = "out of time" if cut else "clean"
            self.note_trouble(engine, cell, ended if spent else None)
        if name == CONTROL:
            row["clean"].setdefault("seconds", {})[engine.name] = cell["seconds"]
        cell["done"] = True
        return budget.Turn(spent, detected, finished=not cut)

    def run_step(self, engine, step, work, limit, number, cell):
        values = {"tree": self.scratch.tree, "work": work / "grown", "found": work / "found", "seed": SEED + number,
                  "wall": int(limit * 20 + 60)}
        command = [*step.launcher, self.scratch.program(step.preset, step.program),
                   *[fill(word, values) for word in step.arguments]]
        environment = {key: fill(value, values) for key, value in step.environment.items()}
        before = self.page.counts()
        ended = self.execute(engine.name, command, environment, limit)
        after = self.page.counts()
        cell["reached"] += after[0] - before[0]
        cell["triggered"] += after[1] - before[1]
        return ended

    def execute(self, title, command, environment, limit):
        environment = {VARIABLE: str(self.page.path), "ASAN_SYMBOLIZER_PATH": SYMBOLIZER,
                       "UBSAN_OPTIONS": "print_stacktrace=1", "ARENAPROOF_WORKER_DIR": str(self.scratch.tree / "build"),
                       **environment}
        return process.run(command, self.scratch.folder, environment, self.scratch.folder / "output.txt", limit,
                           tick=lambda seconds: self.say.tick(title, seconds))

    def verdict(self, name, engine, step, ended, row):
        """The message of a finding, None when there is none."""
        timed = f"{engine.name}: {step.name}"
        if name == CONTROL and not ended.cut:
            row["clean"].setdefault("step_seconds", {})[timed] = round(ended.seconds, 2)
        if step.expectation is not None and not ended.cut:
            report = check_models.parse_report(ended.output)
            baseline = None if name == CONTROL else self.clean.get("outputs", {}).get(step.name)
            if name == CONTROL and report is not None:
                row["clean"].setdefault("outputs", {})[step.name] = check_models.summary_of(report)
            return check_models.complaint(step.expectation, report, ended.status, baseline)
        if step.expectation is None and step.judge(ended):
            return messages.message_for(ended)
        usual = self.clean.get("step_seconds", {}).get(timed)
        if ended.cut and usual is not None and not engine.random and ended.seconds > max(usual * HANG_FACTOR, HANG_SECONDS):
            return f"hang: {step.name} has no end after {ended.seconds:.1f} s, the clean tree's takes {usual:.1f} s"
        return None

    def note_detection(self, cell, step, ended, message, seconds):
        cell.update(detected=True, end="detected", message=message, step=step.name, seconds_to_detection=round(seconds, 3),
                    executions=messages.executions_of(ended.output))

    def note_trouble(self, engine, cell, ended):
        """An engine that neither found anything nor ended well could not run; nobody must take that for clean."""
        if ended is None or ended.cut or ended.status == 0 or engine.name == CHECK:
            return
        if engine.random and ended.status == 72:  # libFuzzer, interrupted at its share
            cell["end"] = "out of time"
            return
        cell["end"] = f"could not run: status {ended.status}"
        cell["message"] = messages.message_for(ended)

    # ---- comparison

    def compare(self, name, row, hashes):
        found = [(engine.name, str(self.work / engine.name / kind)) for engine in self.engines
                 if engine.name.startswith("fuzz_") for kind in ("found", "grown")
                 if (self.work / engine.name / kind).is_dir()]
        columns = row.setdefault("comparison", {})
        for column, step in self.steps_of_comparison(found).items():
            if columns.get(column, {}).get("done"):
                continue
            columns[column] = self.unit_tests_cell(step, hashes) if isinstance(step, list) else \
                self.plain_cell(column, step, hashes)
            columns[column]["done"] = True

    def plain_cell(self, column, step, hashes):
        cell = {"applicable": self.is_changed(None, step, hashes), "detected": False, "seconds": 0.0, "message": ""}
        if not cell["applicable"]:
            return cell
        command = [self.scratch.program(step.preset, step.program), *step.arguments]
        command = (comparison.VALGRIND if column == comparison.PLAIN_VALGRIND else []) + command
        skipped = 0
        for _ in range(comparison.MOST_UBSAN_STOPS):
            left = comparison.LIMIT_SECONDS[column] - cell["seconds"]
            ended = self.execute(column, [*command, f"--skip={skipped}"], step.environment, max(left, 1))
            cell["seconds"] = round(cell["seconds"] + ended.seconds, 2)
            if step.judge(ended) and not ended.cut:
                cell.update(detected=True, message=messages.message_for(ended), end="detected")
                return cell
            if ended.cut or ended.status == 0 or not messages.stopped_by_ubsan(ended):
                break
            cell["undefined_behaviour"] = messages.message_for(ended)  # told, not counted
            skipped = comparison.inputs_replayed(ended.output) or skipped + 1
        cell["end"] = "out of time" if ended.cut else "clean" if ended.status == 0 else f"status {ended.status}"
        if cell["end"].startswith("status"):
            cell["message"] = messages.message_for(ended)
        return cell

    def unit_tests_cell(self, steps, hashes):
        cell = {"applicable": False, "detected": False, "seconds": 0.0, "message": ""}
        failed = []
        for step in steps:
            if not self.is_changed(None, step, hashes):
                continue
            cell["applicable"] = True
            left = comparison.LIMIT_SECONDS[comparison.UNIT_TESTS] - cell["seconds"]
            ended = self.execute(step.name, [self.scratch.program(step.preset, step.program), *step.arguments],
                                 {"RC_PARAMS": f"seed={SEED}"}, max(left, 1))
            cell["seconds"] = round(cell["seconds"] + ended.seconds, 2)
            if ended.status != 0 and not ended.cut:
                failed += comparison.failed_tests(ended.output) or [f"{step.name} ended with {ended.status}"]
        cell.update(detected=bool(failed), message=", ".join(failed)[:600], end="detected" if failed else "clean")
        return cell
