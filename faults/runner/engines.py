"""The engines: programs of the tree that could notice a fault, in the order in which they get their turn. Fuzz targets,
property programs and corpora are found in the tree, so that a new one is measured without a change here."""

import pathlib
import re

from . import check_models, messages

CHECK = "check"
REPLAY = "replay"


class Step:
    """One run of one program. In arguments and environment are filled in: {tree}, {work} (a folder of the fault and
    engine), {found} (where findings go), {seed}. `detects(ended)`: whether something was found."""

    def __init__(self, name, preset, target, program, arguments=(), environment=None, detects=messages.found_by_report,
                 expectation=None, launcher=(), ends=True):
        self.name, self.preset, self.target, self.program = name, preset, target, program
        self.arguments, self.environment, self.detects = list(arguments), environment or {}, detects
        self.expectation = expectation  # of the engine `check`
        self.launcher = list(launcher)  # arguments before the program
        self.ends = ends  # by itself, in about the same time with any seed


class Engine:
    """`random`: goes on for as long as it may, and differently with another seed. Others end by themselves.
    `also_built`: (preset, target, program) that the steps run without naming them. `nearest`: it looks first at what the
    fault changed (nearest.py)."""

    def __init__(self, name, steps, random=False, also_built=()):
        self.nearest = False
        self.name, self.steps, self.random, self.also_built = name, steps, random, list(also_built)

    def built(self):
        """All (preset, target, program)."""
        return sorted({(step.preset, step.target, step.program) for step in self.steps} | set(self.also_built))


def read_options(file):
    """libFuzzer's options of a target, as flags."""
    flags = []
    if file.exists():
        for name, value in re.findall(r"(?m)^(max_len|dict|len_control|entropic)\s*=\s*(\S+)", file.read_text()):
            flags.append(f"-{name}={value if name != 'dict' else file.parent / value}")
    return flags


def fuzz_targets(tree):
    return sorted(path.stem for path in (tree / "fuzz").glob("fuzz_*.cc"))


def corpora_of(tree, target):
    folders = [tree / "corpus" / target, tree / "corpus" / "regressions" / target]
    return [str(folder) for folder in folders if folder.is_dir()]


SECONDS_FOR_AN_INPUT = 5  # of wall time, so that it is looked at again: EngineTurn.hang_of_input


def fuzz_engine(tree, target):
    flags = ["-seed={seed}", "-print_final_stats=1", f"-timeout={SECONDS_FOR_AN_INPUT}", "-rss_limit_mb=2048", "-max_total_time={wall}",
             "-artifact_prefix={found}/", *read_options(tree / "fuzz" / f"{target}.options")]
    return Engine(target, [Step(target, "fuzz", target, f"fuzz/{target}", [*flags, "{work}", *corpora_of(tree, target)],
                                detects=messages.found_by_fuzzer, ends=False)], random=True)


def replay_engine(tree):
    """Every corpus once, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    return Engine(REPLAY, [Step(target, "asan", target, f"fuzz/{target}", ["-runs=0", *corpora_of(tree, target)],
                                detects=messages.found_by_replay)
                           for target in fuzz_targets(tree) if corpora_of(tree, target)])


def check_engine(tree):
    worker = "tools/worker/arenaproof-worker"
    steps = []
    for expectation in check_models.read_expectations((tree / "corpus" / "main_job.txt").read_text()):
        model = tree / "corpus" / "models" / f"{expectation.model}.tflite"
        steps.append(Step(expectation.name, "release", "arenaproof", "tools/arenaproof",
                          ["check", str(model), f"--kernels={expectation.kernels}", "--json",
                           *expectation.options],
                          expectation=expectation))
    return Engine(CHECK, steps, also_built=[(preset, "arenaproof-worker", worker) for preset in ("asan", "shadow")])


def ledger_engine(tree):
    """What each model needs of an arena, to the byte, compared with corpus/memory/ledger.txt."""
    expected, written = tree / "corpus" / "memory" / "ledger.txt", "{work}/ledger.txt"
    compare = '"$0" "$1" "$2" && diff "$3" "$2"'
    return Engine("ledger", [Step("ledger", "release", "arenaproof-memory-ledger", "corpus/memory/arenaproof-memory-ledger",
                                  [str(tree / "corpus" / "models"), written, str(expected)],
                                  launcher=["sh", "-c", compare])])


def property_engines(tree):
    """Programs arenaproof-*-properties of props/, each with a fixed seed that a second turn changes."""
    engines = []
    for file in sorted((tree / "props").glob("*/CMakeLists.txt")):
        for target in re.findall(r"arenaproof_(?:executable|properties)\((arenaproof-\S+-properties)\b", file.read_text()):
            engines.append(property_engine(file.parent.name, target))
    return engines


SUCCESSES = (10, 40, 160, 640, 2560)  # the first ones are done in the share of a small budget
SHADOW = ("shadow",)
IN_SHADOW_TOO = ("operators",)  # only there every read and write of a kernel is checked
# What these ask is about numbers and texts, not about accesses: without AddressSanitizer so many times as many cases
# take no longer.
WITHOUT_INSTRUMENTS_TOO = ("host_planner", "model", "offline_plan", "planner", "plans", "sharing")
CASES_WITHOUT_INSTRUMENTS = 10


def property_engine(folder, target):
    """All properties with few cases first, then with more: the first must not use up the share of the others. A case
    that fails is reported as it is: to make it smaller may take longer than there is, and looks like a hang. The first
    property that fails ends the program: a step that is cut has reported nothing."""
    program = f"props/{folder}/{target}"
    presets = {"asan": 1}  # with how many times as many cases
    if folder in IN_SHADOW_TOO:
        presets = {"shadow": 1, **presets}  # the one that starts in no time first
    if folder in WITHOUT_INSTRUMENTS_TOO:
        presets["release"] = CASES_WITHOUT_INSTRUMENTS
    return Engine(folder.replace("arena_machine", "machine"),
                  [Step(f"{target} {successes * times}" + (f" ({preset})" if preset != "asan" else ""), preset, target,
                        program, environment={"RC_PARAMS": f"seed={{seed}}{number} max_success={successes * times} noshrink=1",
                                              "GTEST_FAIL_FAST": "1"})
                   for number, successes in enumerate(SUCCESSES) for preset, times in presets.items()], random=True)


def has_target(tree, folder, target):
    file = tree / "props" / folder / "CMakeLists.txt"
    return file.exists() and target in file.read_text()


def discover(tree):
    """Engines of this tree by name, short deterministic ones first. An old tree may lack some."""
    tree = pathlib.Path(tree)
    engines = []
    if (tree / "tools" / "worker").is_dir() and (tree / "corpus" / "main_job.txt").exists():
        engines.append(check_engine(tree))
    if has_target(tree, "proof", "arenaproof-prove"):
        engines.append(Engine("proof", [Step("proof", "release", "arenaproof-prove", "props/proof/arenaproof-prove",
                                             ["--quiet"])]))
    if any(corpora_of(tree, target) for target in fuzz_targets(tree)):
        engines.append(replay_engine(tree))
    if (tree / "corpus" / "memory" / "ledger.txt").exists():
        engines.append(ledger_engine(tree))
    if has_target(tree, "small_scope", "arenaproof-small-scope"):
        engines.append(Engine("small-scope", [Step("small-scope", "release", "arenaproof-small-scope",
                                                   "props/small_scope/arenaproof-small-scope")]))
    if has_target(tree, "failure_injection", "arenaproof-failure-injection"):
        engines.append(Engine("failure-injection", [Step("failure-injection", "asan", "arenaproof-failure-injection",
                                                         "props/failure_injection/arenaproof-failure-injection")]))
    if has_target(tree, "arena_machine", "arenaproof-arena-machine"):
        engines.append(property_engine("arena_machine", "arenaproof-arena-machine"))
    engines += property_engines(tree)
    engines += [fuzz_engine(tree, target) for target in fuzz_targets(tree)]
    return {engine.name: engine for engine in engines}


def fill(text, values):
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
