"""./dev faults: the words of the command line, the order of a run, its exit status."""

import argparse
import json
import pathlib
import re
import signal
import sys
import traceback

from . import before, catalogue, engines, session, table
from .errors import ALL_DETECTED, COULD_NOT_RUN, INTERNAL_ERROR, NOT_ALL, CannotRun
from .progress import Progress
from .scratch import apply_patch

DESCRIPTION = """Plants each fault of corpus/faults/ into a scratch copy of the tree, rebuilds what changed, gives every engine a
share of the budget, and tells who detected what, when and with which words; the clean tree runs along as control, plain
ASan and plain Valgrind as comparison. docs/faults.md explains the table."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise CannotRun(f"{message}; ./dev faults --help shows what is possible")


def parser():
    words = Parser(prog="./dev faults", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter,
                   epilog="Exit status: 0 all detected and the control clean; 1 not so; 2 could not run; 3 internal error.",
                   allow_abbrev=False)
    words.add_argument("names", nargs="*", metavar="NAME", help="faults, as shell patterns; all when none is named")
    words.add_argument("--budget", default="60", metavar="S",
                       help="seconds of engine time for each fault, summed over all engines on one core (default 60)")
    words.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this engine (again: and this)")
    words.add_argument("--without", action="append", default=[], metavar="NAME",
                       help="not this engine, nor 'comparisons' or 'unit-tests'")
    words.add_argument("--patch", action="append", default=[], metavar="FILE", help="measure a patch of your own")
    words.add_argument("--json", metavar="FILE", help="write the results there as JSON")
    words.add_argument("--markdown", metavar="FILE", help="write the tables there as Markdown")
    words.add_argument("--resume", action="store_true", help="go on with an interrupted run, on the same copy of the tree")
    words.add_argument("--quick", action="store_true", help="the faults and engines of corpus/faults/quick.txt")
    words.add_argument("--tree", metavar="COMMIT", help="plant into that commit instead of the working tree")
    words.add_argument("--record-before", action="store_true",
                       help="write who detected into 'before' of each description; without --tree each fault is planted "
                            "into the commit before the one that added it")
    words.add_argument("--control-only", action="store_true", help="only the clean tree")
    words.add_argument("--list", action="store_true", help="list faults and engines")
    words.add_argument("--check-patches", action="store_true",
                       help="only test that every patch applies and every description is complete; tells which "
                            "have no 'before'")
    words.add_argument("--scratch", metavar="FOLDER", help="where to work (default build/faults)")
    return words


def number_of_seconds(text):
    if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= 1_000_000:
        raise CannotRun(f"--budget={text} is no number of seconds from 1")
    return int(text)


def require_writable(path):
    """Before hours are spent on what cannot be written."""
    file = pathlib.Path(path)
    if not file.resolve().parent.is_dir():
        raise CannotRun(f"{path} cannot be written: there is no such folder")
    existed = file.exists()
    try:
        with file.open("ab"):
            pass
        if not existed:
            file.unlink()
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}") from None


def require_sense(root, options):
    """Whatever is asked for, words that cannot be meant are refused first."""
    for path in filter(None, (options.json, options.markdown)):
        require_writable(path)
    if options.json and options.markdown and pathlib.Path(options.json).resolve() == pathlib.Path(options.markdown).resolve():
        raise CannotRun("--json and --markdown name the same file")
    if not options.tree:  # a commit's engines are known when it has been unpacked
        session.require_known_engines(options, engines.discover(root))
    if options.list and options.check_patches:
        raise CannotRun("--list and --check-patches are two questions; ask one")


def check_patches(root, faults, known_faults):
    known = list(engines.discover(root))
    complaints = []
    for fault in faults:
        if not fault.is_own():
            complaints += [f"{fault.name}: {what}" for what in catalogue.complaints_about(fault.description, known)]
        try:
            apply_patch(root, fault.patch, fault.name, dry_run=True)
        except CannotRun as reason:
            complaints.append(str(reason))
    for fault, names in catalogue.quick_faults(root, known_faults):
        complaints += [f"quick.txt: {fault.name}: there is no engine '{name}'" for name in names if name not in known]
    if complaints:
        print("\n".join(complaints))
        return NOT_ALL
    unmeasured = [fault.name for fault in faults if not fault.is_own() and "before" not in fault.description]
    if unmeasured:
        print(f"{len(unmeasured)} have no 'before' yet (--record-before): {', '.join(unmeasured)}")
    print(f"{len(faults)} patches apply and are described")
    return ALL_DETECTED


def show_list(root, faults):
    for fault in faults:
        print(f"{fault.name:44} {fault.description.get('summary', '')}")
    print(f"\nengines: {' '.join(engines.discover(root))}")
    return ALL_DETECTED


def chosen_faults(options, known):
    """Those of the catalogue that are named, all when none is, and patches of somebody's own."""
    own = catalogue.own_patches(options.patch)
    return own + (catalogue.select(known, options.names) if options.names or not own else [])


def faults_and_engines(root, options, known):
    """Pairs of a fault and its engines, None for all."""
    if options.control_only:
        if options.names or options.patch or options.quick:
            raise CannotRun("--control-only measures no fault; leave the names out")
        return []
    if options.quick:
        if options.names or options.patch:
            raise CannotRun("--quick names its faults itself: corpus/faults/quick.txt")
        return catalogue.quick_faults(root, known)
    return [(fault, None) for fault in chosen_faults(options, known)]


def main(root, words):
    options = parser().parse_args(words)
    options.budget = number_of_seconds(options.budget)
    require_sense(root, options)
    known = catalogue.all_faults(root)
    if options.check_patches:
        return check_patches(root, chosen_faults(options, known), known)
    if options.list:
        return show_list(root, chosen_faults(options, known))
    chosen = faults_and_engines(root, options, known)
    progress = Progress()
    if options.record_before and not options.tree:
        return before.record_each(root, [fault for fault, _ in chosen], options, progress)
    run = session.Session(root, options, progress)
    state = run.run(chosen)
    faults = [fault for fault, _ in chosen]
    if options.record_before:
        before.record(faults, state, options)
    return report(faults, state, options)


def write(path, text):
    try:
        pathlib.Path(path).write_text(text, errors="backslashreplace")
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}; --resume tells the results again") from None


def report(faults, state, options):
    rows = state["rows"]
    if faults:
        print(table.text_table(faults, rows))
    print(table.control_text(rows[session.CONTROL]))
    tree = state["options"]["tree"]
    if options.markdown:
        write(options.markdown, "\n\n".join([
            table.markdown_table(faults, rows), table.markdown_engines(faults, rows), table.markdown_details(faults, rows),
            table.messages_text(faults, rows), table.control_text(rows[session.CONTROL])]) + "\n")
    if options.json:
        write(options.json, json.dumps(table.result_json(faults, state), indent=1) + "\n")
    status, sentence = session.verdict(faults, rows)
    print(f"{sentence} (tree: {tree})")
    return status


def hear_signals():
    """Whoever ends this, the state is kept and the engine that runs, in a session of its own, is ended too. A shell that
    starts this in the background leaves it deaf to the first of them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup means it
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def entry(root):
    hear_signals()
    try:
        sys.exit(main(root, sys.argv[1:]))
    except CannotRun as reason:
        print(f"./dev faults: {reason}", file=sys.stderr)
        sys.exit(COULD_NOT_RUN)
    except Exception:  # the runner's own fault must not look like a measurement
        traceback.print_exc()
        print("./dev faults: internal error", file=sys.stderr)
        sys.exit(INTERNAL_ERROR)
    except KeyboardInterrupt:
        print("\n./dev faults: interrupted; --resume goes on", file=sys.stderr)
        sys.exit(COULD_NOT_RUN)
