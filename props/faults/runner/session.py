"""One run of the command: the scratch copy, the control, one fault after the other, the state kept after each."""

import fcntl
import pathlib

from . import engines, state, table, verdicts
from .errors import ALL_DETECTED, COULD_NOT_RUN, NOT_ALL, CannotRun
from .measure import CONTROL, Measurement
from .scratch import Scratch, apply_patch, commit_of, files_of_commit, files_of_working_tree

COMPARISONS, UNIT_TESTS = "comparisons", "unit-tests"


class Session:
    def __init__(self, root, options, progress):
        self.root, self.options, self.progress = pathlib.Path(root), options, progress
        if options.tree:
            commit_of(self.root, options.tree)  # before anything is made
        folder = pathlib.Path(options.scratch).resolve() if options.scratch else self.root / "build" / "faults"
        if options.tree:  # one copy for all commits: from one to the next only what differs is built
            folder = folder / "of-a-commit"
        self.scratch = Scratch(folder)
        self.state_file = folder / "state.json"
        self.lock = open(folder / "lock", "w")  # held until the process ends
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotRun(f"another run works in {folder}; wait for it or give another --scratch") from None

    def what_was_asked(self):
        return {"budget": self.options.budget, "engines": sorted(self.options.engine),
                "without": sorted(self.options.without), "quick": self.options.quick,
                "tree": self.tree_name()}

    def tree_name(self):
        """The commit in full: a branch may move while a run is interrupted."""
        return commit_of(self.root, self.options.tree) if self.options.tree else "working tree"

    def start(self):
        """The state to fill in, the scratch tree beside it."""
        asked = self.what_was_asked()
        if self.options.resume:
            kept = state.load(self.state_file)
            state.require_same(kept, asked)
            self.scratch.restore()
            return kept
        self.scratch.fill(files_of_commit(self.root, self.options.tree) if self.options.tree
                          else files_of_working_tree(self.root))
        return state.new_state(asked)

    def chosen_engines(self):
        known = engines.discover(self.scratch.tree)
        for name in self.options.engine + self.options.without:
            if name not in known and not (name in (COMPARISONS, UNIT_TESTS) and name in self.options.without):
                raise CannotRun(f"there is no engine '{name}'; there are {', '.join(known)}")
        return {name: engine for name, engine in known.items()
                if (not self.options.engine or name in self.options.engine) and name not in self.options.without}

    def run(self, chosen):
        """`chosen`: pairs of a fault and the names of its engines (None: all). Gives the state."""
        kept = self.start()
        known = self.chosen_engines()
        for fault, _ in chosen:
            apply_patch(self.scratch.tree, fault.patch, fault.name, dry_run=True)
        needed = set(known) if any(names is None for _, names in chosen) or not chosen else \
            {name for _, names in chosen for name in names}
        for name in needed - set(known):
            raise CannotRun(f"there is no engine '{name}'; there are {', '.join(known)}")
        run = [engine for name, engine in known.items() if name in needed]
        self.measure_control(kept, run)
        for number, (fault, names) in enumerate(chosen, 1):
            self.measure_fault(kept, fault, [engine for engine in run if names is None or engine.name in names],
                               f"[{number}/{len(chosen)}] {fault.name}")
        kept["finished"] = True
        state.save(self.state_file, kept)
        return kept

    def measurement(self, chosen, clean, patched=(), expected=()):
        beside = not self.options.quick
        return Measurement(self.scratch, chosen, self.options.budget, clean, self.progress,
                           comparisons=beside and COMPARISONS not in self.options.without,
                           unit_tests=beside and UNIT_TESTS not in self.options.without, patched=patched, expected=expected)

    def measure_control(self, kept, chosen):
        row = state.row_of(kept, CONTROL, "clean")
        self.progress.begin("[control]")
        if not row["done"]:
            try:
                self.measurement(chosen, {}).run(CONTROL, row)
                row["done"] = True
            finally:
                state.save(self.state_file, kept)
        self.progress.line(f"[control] {table.control_text(row)}; built in {row['build_seconds']:.0f} s")
        for trouble in verdicts.troubles(row):
            self.progress.line(f"  {trouble}")

    def measure_fault(self, kept, fault, chosen, title):
        row = state.row_of(kept, fault.name, fault.digest())
        self.progress.begin(title)
        if not row["done"]:
            self.scratch.plant(fault)
            try:
                self.measurement(chosen, kept["rows"][CONTROL]["clean"], fault.files(),
                                 fault.description.get("engines", [])).run(fault.name, row)
                row["done"] = True
            finally:
                self.scratch.restore()
                state.save(self.state_file, kept)
        self.progress.line(f"{title}: {sentence_of(row)}")


def sentence_of(row):
    if row.get("does_not_build"):
        return "does not build"
    first = verdicts.first_detection(row)
    times = f"engines {row.get('engine_seconds', 0):.1f} s, build {row.get('build_seconds', 0):.0f} s"
    if first is None:
        return f"NOT DETECTED ({times})"
    others = len(verdicts.detecting(row)) - 1
    return (f"{first[0]} after {first[1]['seconds_to_detection']:.2f} s: {first[1]['message'][:120]}"
            f"{f' (and {others} more)' if others else ''} ({times})")


def verdict(faults, rows):
    """Exit status and the closing sentence."""
    unbuilt = [fault.name for fault in faults if rows[fault.name].get("does_not_build")]
    missed = [fault.name for fault in faults if not verdicts.detecting(rows[fault.name]) and fault.name not in unbuilt]
    alarms = verdicts.false_alarms(rows[CONTROL])
    troubles = verdicts.troubles(rows[CONTROL])
    detected = len(faults) - len(missed) - len(unbuilt)
    sentence = f"{detected} of {len(faults)} faults detected, {len(alarms)} false alarms"
    if missed:
        sentence += f"; NOT detected: {', '.join(missed)}"
    if unbuilt:
        sentence += f"; do not build: {', '.join(unbuilt)}"
    if troubles:
        sentence += f"; could not run on the clean tree: {'; '.join(troubles)}"
    if missed or alarms:
        return NOT_ALL, sentence
    return (COULD_NOT_RUN if unbuilt or troubles else ALL_DETECTED), sentence
