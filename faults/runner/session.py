"""One run of the command: the scratch copy, the control, one fault after the other, the state kept after each."""

import fcntl
import hashlib
import pathlib

from . import engines, nearest, state, table, verdicts, workplace
from .errors import ALL_DETECTED, COULD_NOT_RUN, NOT_ALL, CannotRun, DoesNotApply
from .measure import CONTROL, Measurement
from .planting import Rehearsal
from .scratch import Scratch
from .tree_files import commit_of, files_of_commit, files_of_working_tree

COMPARISONS, UNIT_TESTS = BESIDE = "comparisons", "unit-tests"


class Session:
    def __init__(self, root, options, progress):
        self.root, self.options, self.progress = pathlib.Path(root), options, progress
        if options.tree:
            commit_of(self.root, options.tree)  # before anything is made
        place = workplace.choose(self.root, options.scratch)
        # One copy for all commits: from one to the next only what differs is built.
        folder = place / "of-a-commit" if options.tree else place
        self.state_file = folder / ("quick.json" if options.quick else "state.json")
        try:
            if options.resume and not self.state_file.exists():
                raise CannotRun(state.NOTHING_TO_GO_ON_WITH)
            workplace.claim(place)
            self.scratch = Scratch(folder)
            if self.state_file.exists() and not self.state_file.is_file():
                raise CannotRun(f"{self.state_file} is no file; what a run has measured is kept there")
            self.lock = open(folder / "lock", "a")  # held until the process ends
        except OSError as reason:
            raise CannotRun(f"nothing can be written in {folder}: {reason.strerror}") from None
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotRun(f"another run works in {folder}; wait for it or give another --scratch") from None

    def options_of_the_run(self):
        return {"budget": self.options.budget, "engines": sorted(self.options.engine),
                "without": sorted(self.options.without), "quick": self.options.quick,
                "tree": self.tree_name(), "runner": version_of_the_runner()}

    def tree_name(self):
        """The commit in full: a branch may move while a run is interrupted."""
        return commit_of(self.root, self.options.tree) if self.options.tree else "working tree"

    def start(self, chosen):
        """Returns the state to fill in and the faults without their code, with the scratch tree filled. Everything that can
        be refused is refused before anything of the previous run is touched."""
        wanted = self.options_of_the_run()
        if self.options.resume:
            kept = state.load(self.state_file)
            state.require_same(kept, wanted)
            self.scratch.restore()
            if kept.get("copied") != self.scratch.copied():
                raise CannotRun("another run has put another tree there; start anew without --resume")
            return kept, self.rehearse(self.scratch.copy.files, chosen)
        files = files_of_commit(self.root, self.options.tree) if self.options.tree else files_of_working_tree(self.root)
        absent = self.rehearse(files, chosen)
        state.forget(self.state_file)
        self.scratch.fill(files)
        return dict(state.new_state(wanted), copied=self.scratch.copied()), absent

    def rehearse(self, files, chosen):
        """Tries engines and patches in a copy of the tree. Returns why patch refused them, by the fault's name, for those
        whose code is not there: only --record-before may meet some, in a tree from before the fault was added."""
        rehearsal, absent = Rehearsal(self.scratch.folder / "rehearsal", files), {}
        self.engines_to_run(rehearsal.folder, chosen)
        for fault, _ in chosen:
            try:
                rehearsal.changed_by(fault)
            except DoesNotApply as reason:
                if not self.options.record_before:
                    raise
                absent[fault.name] = str(reason)
        return absent

    def engines_to_run(self, tree, chosen):
        known = engines.discover(tree)
        require_known_engines(self.options, known)
        left = [engine for name, engine in known.items()
                if (not self.options.engine or name in self.options.engine) and name not in self.options.without]
        if not left:
            raise CannotRun("no engine is left to run: " + ("all are left out" if known else "this tree has none"))
        wanted = set() if any(names is None for _, names in chosen) else {name for _, names in chosen for name in names}
        for name in sorted(wanted - {engine.name for engine in left}):
            raise CannotRun(f"corpus/faults/quick.txt names the engine '{name}', which is left out" if name in known else
                            f"corpus/faults/quick.txt: there is no engine '{name}'; there are {', '.join(known)}")
        return [engine for engine in left if not wanted or engine.name in wanted]

    def run(self, chosen):
        """`chosen`: pairs of a fault and the names of its engines (None: all). Returns the state."""
        try:
            kept, absent = self.start(chosen)
        except OSError as reason:
            raise CannotRun(f"nothing can be written in {self.scratch.folder}: {reason.strerror}") from None
        run = self.engines_to_run(self.scratch.tree, chosen)
        self.measure_control(kept, run)
        for number, (fault, names) in enumerate(chosen, 1):
            if fault.name in absent:
                self.note_absence(kept, fault, absent[fault.name], f"[{number}/{len(chosen)}] {fault.name}")
                continue
            self.measure_fault(kept, fault, [engine for engine in run if names is None or engine.name in names],
                               f"[{number}/{len(chosen)}] {fault.name}")
        kept["finished"] = True
        state.save(self.state_file, kept)
        return kept

    def note_absence(self, kept, fault, reason, title):
        state.row_of(kept, fault.name, fault.digest()).update(done=True, does_not_apply=reason)
        self.progress.line(f"{title}: {reason}")

    def measurement(self, kept, chosen, clean, patched=(), expected=()):
        beside = not self.options.quick
        return Measurement(self.scratch, chosen, self.options.budget, clean, self.progress,
                           comparisons=beside and COMPARISONS not in self.options.without,
                           unit_tests=beside and UNIT_TESTS not in self.options.without, patched=patched, expected=expected,
                           keep=lambda: state.save(self.state_file, kept))

    def measure_control(self, kept, chosen):
        row = state.row_of(kept, CONTROL, "clean")
        self.progress.begin("[control]")
        if not row["done"]:
            try:
                self.measurement(kept, chosen, {}).run(CONTROL, row)
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
            try:
                changed = self.scratch.plant(fault)
                near = nearest.brought_near(chosen, self.scratch.tree, changed, fault.text())
                self.measurement(kept, near, kept["rows"][CONTROL]["clean"], changed,
                                 fault.description.get("engines", [])).run(fault.name, row)
                row["done"] = True
            finally:
                self.scratch.restore()
                state.save(self.state_file, kept)
        self.progress.line(f"{title}: {sentence_of(row)}")


def require_known_engines(options, known):
    for name in options.engine + options.without:
        if name not in known and not (name in BESIDE and name in options.without):
            raise CannotRun(f"there is no engine '{name}'; there are {', '.join(known)}")


def version_of_the_runner():
    """A text that changes with the rules of measuring: rows of different rules do not belong into one table."""
    here = pathlib.Path(__file__).parent
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(here.glob("*.py")))).hexdigest()[:16]


def sentence_of(row):
    if row.get("does_not_build"):
        return "does not build"
    if row.get("caught_by_compiler"):
        return f"caught by the compiler: {row['caught_by_compiler'][:160]}"
    first = verdicts.first_detection(row)
    times = f"engines {row.get('engine_seconds', 0):.1f} s, build {row.get('build_seconds', 0):.0f} s"
    if first is None:
        return f"NOT DETECTED ({times})"
    others = len(verdicts.detecting(row)) - 1
    return (f"{first[0]} after {first[1]['seconds_to_detection']:.2f} s: {first[1]['message'][:120]}"
            f"{f' (and {others} more)' if others else ''} ({times})")


def verdict(faults, rows):
    """Exit status and the closing sentence. What was found out outweighs what could not be: a false alarm, or a fault that
    all engines that could have noticed it have missed."""
    outcomes = {fault.name: verdicts.outcome(rows[fault.name]) for fault in faults}
    having = {outcome: [name for name, its in outcomes.items() if its == outcome] for outcome in verdicts.OUTCOMES}
    missed = having[verdicts.MISSED]
    alarms, troubles = verdicts.false_alarms(rows[CONTROL]), verdicts.troubles(rows[CONTROL])
    unsure = [name for name in missed if verdicts.troubles(rows[name])]
    sentence = f"{len(having[verdicts.DETECTED])} of {len(faults)} faults detected, {len(alarms)} false alarms"
    for outcome, words in ((verdicts.MISSED, "NOT detected"), (verdicts.UNBUILT, "do not build"),
                           (verdicts.BY_COMPILER, "caught by the compiler, neither detected nor missed"),
                           (verdicts.ABSENT, "whose code did not exist there")):
        if having[outcome]:
            sentence += f"; {words}: {', '.join(having[outcome])}"
    if unsure:
        sentence += f"; engines that could not run under: {', '.join(unsure)}"
    if troubles:
        sentence += f"; could not run on the clean tree: {'; '.join(troubles)}"
    if alarms or len(unsure) < len(missed):
        return NOT_ALL, sentence
    return (COULD_NOT_RUN if unsure or having[verdicts.UNBUILT] or troubles else ALL_DETECTED), sentence
