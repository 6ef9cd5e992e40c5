"""./dev faults: the arguments of the command line, the order of a run, its exit status."""

import argparse
import json
import pathlib
import os
import re
import signal
import stat
import sys
import tempfile
import traceback

from . import before, catalogue, engines, picture, session, table
from .errors import ALL_DETECTED, COULD_NOT_RUN, INTERNAL_ERROR, NOT_ALL, CannotRun
from .planting import Rehearsal
from .progress import Progress
from .tree_files import files_of_working_tree

DEFAULT_BUDGET = 60
MOST_SECONDS = 1_000_000
DESCRIPTION = """Plants each fault of corpus/faults/ into a scratch copy of the tree, rebuilds what changed, gives every engine a
share of the budget, and reports what detected it, when and with which message; the clean tree runs along as control,
plain ASan and plain Valgrind as comparison. docs/faults.md explains the table."""


class Once(argparse.Action):
    def __call__(self, words, options, value, word=None):
        if getattr(options, self.dest) is not None:
            words.error(f"{word} is given twice")
        setattr(options, self.dest, value)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise CannotRun(f"{message}; ./dev faults --help shows what is possible")


def parser():
    words = Parser(prog="./dev faults", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter,
                   epilog="Exit status: 0 all detected and the control clean; 1 not so; 2 could not run or did not build; "
                          "3 internal error.",
                   allow_abbrev=False)
    words.add_argument("names", nargs="*", metavar="NAME", help="faults, as shell patterns; all when none is named")
    words.add_argument("--budget", metavar="S", action=Once,
                       help="seconds of engine time for each fault, summed over all engines on one core (default 60)")
    words.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this engine (again: and this)")
    words.add_argument("--without", action="append", default=[], metavar="NAME",
                       help="not this engine, nor 'comparisons' or 'unit-tests'")
    words.add_argument("--patch", action="append", default=[], metavar="FILE", help="measure a patch of your own")
    words.add_argument("--json", action=Once, metavar="FILE", help="write the results there as JSON")
    words.add_argument("--markdown", action=Once, metavar="FILE", help="write the tables there as Markdown")
    words.add_argument("--picture", action=Once, metavar="FILE", help="draw there what noticed each fault (SVG)")
    words.add_argument("--resume", action="store_true", help="go on with an interrupted run, on the same copy of the tree")
    words.add_argument("--quick", action="store_true", help="the faults and engines of corpus/faults/quick.txt")
    words.add_argument("--tree", action=Once, metavar="COMMIT", help="plant into that commit instead of the working tree")
    words.add_argument("--record-before", action="store_true",
                       help="write what detected into 'before' of each description; without --tree each fault is planted "
                            "into the commit before the one that added it")
    words.add_argument("--control-only", action="store_true", help="only the clean tree")
    words.add_argument("--list", action="store_true", help="list faults and engines")
    words.add_argument("--check-patches", action="store_true",
                       help="only test that every patch applies and every description is complete; reports "
                            "which have no 'before'")
    words.add_argument("--scratch", action=Once, metavar="FOLDER", help="where to work (default build/faults)")
    return words


def number_of_seconds(text):
    if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= MOST_SECONDS:
        raise CannotRun(f"--budget={text} is no number of seconds from 1 to {MOST_SECONDS}")
    return int(text)


def require_writable(path):
    """Refuses a file that cannot be written before hours are spent on its contents."""
    file = pathlib.Path(path)
    try:
        existed = os.path.exists(file)  # a link to nothing is none
        if not os.path.isdir(os.path.dirname(os.path.realpath(file))):
            raise CannotRun(f"{path} cannot be written: there is no such folder")
        if existed and not is_file_or_device(file):  # a pipe would make us wait for its reader
            raise CannotRun(f"{path} cannot be written: it is neither a file nor a device")
        with file.open("ab"):
            pass
        if not existed:
            os.unlink(os.path.realpath(file))
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}") from None


def require_places(options):
    """Requires a file of its own for every result."""
    taken = {}
    for field in ("json", "markdown", "picture"):
        path = getattr(options, field)
        if path:
            require_writable(path)
            other = taken.setdefault(identity_of(path), field)
            if other != field:
                raise CannotRun(f"{word_of(other)} and {word_of(field)} name the same file")


def identity_of(path):
    """The same value for every name of a file that exists, links of both kinds too."""
    try:
        there = os.stat(path)
        return there.st_dev, there.st_ino
    except OSError:
        return os.path.realpath(path)


def is_file_or_device(file):
    mode = file.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISCHR(mode) or stat.S_ISDIR(mode)  # a folder is refused when it is opened


# The options that each question has no use for: none that was given is ignored.
OF_A_RUN = ["budget", "json", "markdown", "picture", "resume", "quick", "tree", "record_before", "control_only", "scratch", "engine",
            "without"]
WITHOUT_USE = {"list": ["check_patches", *OF_A_RUN], "check_patches": OF_A_RUN,
               "control_only": ["names", "patch", "picture", "quick", "record_before"], "quick": ["names", "patch"]}
WHY = {"list": "measures nothing", "check_patches": "measures nothing", "control_only": "measures no fault",
       "quick": "names its faults itself (corpus/faults/quick.txt)"}


def word_of(field):
    return "a name" if field == "names" else "--" + field.replace("_", "-")


def require_sense(root, options):
    """Refuses contradictory or useless options before anything else."""
    for field, value in vars(options).items():
        if value == "" or isinstance(value, list) and "" in value:
            raise CannotRun(f"{word_of(field)} is empty")
    require_places(options)
    if not options.tree:  # a commit's engines are found when it has been unpacked
        session.require_known_engines(options, engines.discover(root))
    for name in options.engine:
        if name in options.without:
            raise CannotRun(f"--engine={name} and --without={name} cannot both be meant")
    for question, others in WITHOUT_USE.items():
        for other in others if getattr(options, question) else []:
            if getattr(options, other) not in (None, False, []):
                raise CannotRun(f"{word_of(question)} {WHY[question]}; leave {word_of(other)} out")
    if options.record_before:
        before.require_sense(options)


def print_text(text):
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as reason:
        raise CannotRun(f"standard output cannot be written: {reason.strerror}") from None


def leave_standard_output():
    """What is left in its buffer has nowhere to go, and Python would try once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_patches(root, faults, known_faults):
    known = list(engines.discover(root))
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Rehearsal(folder, files_of_working_tree(root))
        for fault in faults:
            if not fault.is_own():
                complaints += [f"{fault.name}: {what}" for what in catalogue.complaints_about(fault.description, known)]
            try:
                rehearsal.changed_by(fault)
            except CannotRun as reason:
                complaints.append(str(reason))
    for fault, names in catalogue.quick_faults(root, known_faults):
        complaints += [f"quick.txt: {fault.name}: there is no engine '{name}'" for name in names if name not in known]
    if complaints:
        print_text("\n".join(complaints))
        return NOT_ALL
    described = [fault for fault in faults if not fault.is_own()]
    unmeasured = [fault.name for fault in described if "before" not in fault.description]
    if unmeasured:
        print_text(f"{len(unmeasured)} have no 'before' yet (--record-before): {', '.join(unmeasured)}")
    if described:
        print_text(f"{len(described)} patches apply and are described")
    if len(described) < len(faults):
        print_text(f"{len(faults) - len(described)} patches of your own apply")
    return ALL_DETECTED


def show_list(root, faults):
    print_text("\n".join(f"{fault.name:44} {fault.description.get('summary', '')}" for fault in faults))
    print_text(f"\nengines: {' '.join(engines.discover(root))}")
    return ALL_DETECTED


def chosen_faults(options, known):
    """The faults of the catalogue that are named, all when none is, and patches of the caller's own."""
    own = catalogue.own_patches(options.patch)
    chosen = own + (catalogue.select(known, options.names) if options.names or not own else [])
    if not chosen:
        raise CannotRun("there is no fault in corpus/faults/")
    return chosen


def faults_and_engines(root, options, known):
    """Pairs of a fault and its engines, None for all."""
    if options.control_only:
        return []
    if options.quick:
        return catalogue.quick_faults(root, known)
    return [(fault, None) for fault in chosen_faults(options, known)]


def main(root, words):
    options = parser().parse_args(words)
    if options.budget:
        options.budget = number_of_seconds(options.budget)
    require_sense(root, options)
    options.budget = options.budget or DEFAULT_BUDGET
    known = catalogue.all_faults(root)
    if options.check_patches:
        return check_patches(root, chosen_faults(options, known), known)
    if options.list:
        return show_list(root, chosen_faults(options, known))
    chosen = faults_and_engines(root, options, known)
    faults = [fault for fault, _ in chosen]
    progress = Progress()
    if options.record_before and not options.tree:
        status, sentences = before.record_each(root, faults, options, progress)
        print_text("\n".join(sentences))
        return status
    state = session.Session(root, options, progress).run(chosen)
    if options.record_before:
        before.record(faults, state, options)
    return report(faults, state, options)


def write(path, text):
    try:
        pathlib.Path(path).write_text(text, errors="backslashreplace")
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}; --resume reports the results again") from None


def report(faults, state, options):
    """Writes files first: standard output may have no room, or no reader."""
    rows = state["rows"]
    if options.markdown:
        write(options.markdown, "\n\n".join([
            table.markdown_table(faults, rows), table.markdown_engines(faults, rows), table.markdown_details(faults, rows),
            table.messages_text(faults, rows), table.control_text(rows[session.CONTROL])]) + "\n")
    if options.picture:
        write(options.picture, picture.svg(faults, rows))
    if options.json:
        write(options.json, json.dumps(table.result_json(faults, state), indent=1) + "\n")
    status, sentence = session.verdict(faults, rows)
    if faults:
        print_text(table.text_table(faults, rows))
    print_text(table.control_text(rows[session.CONTROL]))
    print_text(f"{sentence} (tree: {state['options']['tree']})")
    return status


def handle_signals():
    """A signal that ends this keeps the state and ends the engine that runs, in a session of its own, too. A shell that
    starts this in the background has it ignore the first of them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # set by nohup on purpose
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def entry(root):
    handle_signals()
    for stream in (sys.stdout, sys.stderr):  # names and descriptions may hold what no text can
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(root, sys.argv[1:]))
    except BrokenPipeError:  # the reader has gone
        leave_standard_output()
        sys.exit(COULD_NOT_RUN)
    except CannotRun as reason:
        leave_standard_output()
        print(f"./dev faults: {reason}", file=sys.stderr)
        sys.exit(COULD_NOT_RUN)
    except Exception:  # the runner's own fault must not look like a measurement
        traceback.print_exc()
        print("./dev faults: internal error", file=sys.stderr)
        sys.exit(INTERNAL_ERROR)
    except KeyboardInterrupt:
        print("\n./dev faults: interrupted; --resume goes on", file=sys.stderr)
        sys.exit(COULD_NOT_RUN)
