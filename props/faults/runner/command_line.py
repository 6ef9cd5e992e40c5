"""./dev faults: the words of the command line, the order of a run, its exit status."""

import argparse
import json
import pathlib
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
                       help="only test that every patch applies and every description is complete")
    words.add_argument("--scratch", metavar="FOLDER", help="where to work (default build/faults)")
    return words


def number_of_seconds(text):
    if not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise CannotRun(f"--budget={text} is no number of seconds from 1")
    return int(text)


def check_patches(root, faults):
    known = list(engines.discover(root))
    complaints = []
    for fault in faults:
        complaints += [f"{fault.name}: {what}" for what in catalogue.complaints_about(fault.description, known)]
        try:
            apply_patch(root, fault.patch, fault.name, dry_run=True)
        except CannotRun as reason:
            complaints.append(str(reason))
    for fault, names in catalogue.quick_faults(root, faults):
        complaints += [f"quick.txt: {fault.name}: there is no engine '{name}'" for name in names if name not in known]
    if complaints:
        print("\n".join(complaints))
        return NOT_ALL
    print(f"{len(faults)} patches apply and are described")
    return ALL_DETECTED


def show_list(root, faults):
    for fault in faults:
        print(f"{fault.name:44} {fault.description.get('summary', '')}")
    print(f"\nengines: {' '.join(engines.discover(root))}")
    return ALL_DETECTED


def chosen_faults(root, options):
    """Pairs of a fault and its engines, None for all."""
    if options.control_only:
        if options.names or options.patch or options.quick:
            raise CannotRun("--control-only measures no fault; leave the names out")
        return []
    known = catalogue.all_faults(root)
    if options.quick:
        if options.names or options.patch:
            raise CannotRun("--quick names its faults itself: corpus/faults/quick.txt")
        return catalogue.quick_faults(root, known)
    own = [catalogue.own_patch(path) for path in options.patch]
    named = catalogue.select(known, options.names) if options.names or not own else []
    return [(fault, None) for fault in own + named]


def main(root, words):
    options = parser().parse_args(words)
    options.budget = number_of_seconds(options.budget)
    if options.check_patches:
        return check_patches(root, catalogue.select(catalogue.all_faults(root), options.names))
    if options.list:
        return show_list(root, catalogue.select(catalogue.all_faults(root), options.names))
    for path in (options.json, options.markdown):
        if path and not pathlib.Path(path).resolve().parent.is_dir():
            raise CannotRun(f"{path} cannot be written: there is no such folder")
    chosen = chosen_faults(root, options)
    progress = Progress()
    if options.record_before and not options.tree:
        return before.record_each(root, [fault for fault, _ in chosen], options, progress)
    run = session.Session(root, options, progress)
    state = run.run(chosen)
    faults = [fault for fault, _ in chosen]
    if options.record_before:
        before.record(faults, state, options)
    return report(faults, state, options)


def report(faults, state, options):
    rows = state["rows"]
    if faults:
        print(table.text_table(faults, rows))
    print(table.control_text(rows[session.CONTROL]))
    tree = state["options"]["tree"]
    if options.markdown:
        pathlib.Path(options.markdown).write_text(
            f"{table.markdown_table(faults, rows)}\n\n{table.markdown_engines(faults, rows)}\n\n"
            f"{table.messages_text(faults, rows)}\n\n{table.control_text(rows[session.CONTROL])}\n")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(table.result_json(faults, state), indent=1) + "\n")
    status, sentence = session.verdict(faults, rows)
    print(f"{sentence} (tree: {tree})")
    return status


def entry(root):
    # A shell that starts this in the background leaves it deaf to the signal that ends it with its state kept.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
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
