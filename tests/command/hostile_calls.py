"""Wrong and odd calls of every command with every option that its --help names.

  hostile_calls.py ARENAPROOF MODELS [--calls=N] [--seed=S]

MODELS is a folder with .tflite files. Of each call: the exit status is 0, 1 or 2, and no signal; with 2 there is one
sentence on standard error, of several models one each; it comes to an end; and it leaves nothing behind, in the folder
where it runs and in the temporary one, but files that an option names for writing. Calls have to come to 0, 1 and 2. Prints
a table of statuses by command. Exit status: 0 all calls are answered so; 1 one is not; 2 could not run.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

LONGEST_SECONDS = 60  # of one call, under a sanitizer on a machine that does other work
SUBCOMMAND = re.compile(r"^  ([a-z]+)  ", re.M)
WRITING = "--report", "--write-baseline", "--embed", "--output-dir"
LEAST_CALLS_FOR_EVERY_STATUS = 100
OPTION = re.compile(r"^  +(?:(-\w),)?(--[a-z][a-z-]*)(.*)$", re.M)
NUMBERS = ("0", "-1", "1", "7", "010", "1e3", "0x10", "18446744073709551616", "4294967296", "64K", "K", "1.5", "nan", "٣")
CHOICES = ("faithful", "dilated", "both", "shadow", "asan", "guard", "canary", "twofill", "valgrind", "none", "all-available",
           "optimal", "greedy", "linear", "arena", "reference", "aligned", "aligned-faulty", "text", "json", "csv", "svg",
           "html", "c", "host64", "arm32", "precomputed:", "precomputed:plan.c", "precomputed:-")
WORDS = ("", " ", "-", "--", "folder/..", "/proc", "/dev/null", "/dev/null/at/all", "folder", "a'b\"c", "new\nline", "\udcff\udcfe", "%s%n",
         "x" * 5000, "0:0", "0:values.npy", "0:values.bin", "9:values.bin", ":", "ADD:64", "0:0:64", "ADD:-1",
         "model.tflite", "cut.tflite", "text.csv", "plan.c", "noise.bin", "baseline.json", "library.so", "sound.csv")
MODELS = ("model.tflite",) * 14 + ("damaged.tflite", "cut.tflite", "sound.csv", "overlap.csv", "text.csv", "folder", "-", "",
                                   "/dev/null/x", "noise.bin", "\udcff")
# What is right for an option now and then, so that its command goes on and meets what is wrong behind it.
PLAUSIBLE = {
    "--layout": ("faithful", "dilated"), "--instrument": ("shadow", "asan", "guard", "canary", "none"),
    "--planner": ("greedy", "linear", "arena", "optimal", "precomputed:plan.c"), "--kernels": ("reference", "aligned",
    "aligned-faulty", "library.so"), "--format": ("text", "json", "csv", "svg", "html", "c"), "--input": ("0:values.bin",
    "0:values.npy"), "--expect": ("values.bin", "0:values.npy"), "--target": ("host64", "arm32"), "--baseline":
    ("baseline.json",), "--fallback": ("none", "reference"), "--scratch": ("ADD:64", "0:0"), "--tolerance": ("0", "1.5"),
    "--report": ("out.json", "out.sarif", "out.xml", "out.html"), "--embed": ("out.tflite",), "--output-dir": ("out",),
    "--write-baseline": ("out.json",),
}
FILES = ("out.json", "out.sarif", "out.xml", "out.html", "out.txt", "out", "folder/out.json", "/dev/null/out.json", "folder")


class CouldNotRun(Exception):
    pass


def commands_of(program):
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    found = SUBCOMMAND.findall(shown.stdout.partition("Subcommands:")[2])
    if shown.returncode != 0 or not found:
        raise CouldNotRun("the help names no command")
    return found


def options_of(program, command):
    """The options of a command, each with whether it takes a value."""
    shown = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=False)
    found = [(name, bool(re.match(r" (?!Excludes|Needs)\S", rest))) for _, name, rest in OPTION.findall(shown.stdout)]
    found = [one for one in found if one[0] != "--help"]
    if shown.returncode != 0 or not found:
        raise CouldNotRun(f"the help of '{command}' names no option")
    return found


def make_files(folder, models, chance):
    whole = chance.choice(models).read_bytes()
    (folder / "folder").mkdir()
    contents = {
        "model.tflite": whole,
        "cut.tflite": whole[: chance.randrange(len(whole))],
        "noise.bin": chance.randbytes(300),
        "values.bin": chance.randbytes(chance.choice((0, 3, 16, 400))),
        "values.npy": b"\x93NUMPY\x01\x00" + chance.randbytes(120),
        "text.csv": chance.choice((b"id,lower,upper,size\n1,2,1,4\n", b"\xef\xbb\xbfid,lower\n", b"id,lower,upper,size\n" * 3,
                                   b"id,lower,upper,size\n1,0,1,99999999999999999999\n", b"\x00", b"")),
        "sound.csv": b"id,lower,upper,size\na,0,2,16\nb,1,3,32\n",
        "overlap.csv": b"id,lower,upper,size,offset\na,0,2,16,0\nb,1,3,32,8\n",
        "plan.c": chance.choice((b"int x[] = {0, 16};\n", b"}{", b"/*", whole[:40])),
        "baseline.json": chance.choice((b"{", b"[]", b'{"baseline": 1}', b'{"format_version": 99}', b"null")),
        "library.so": chance.choice((b"\x7fELF", b"no library", whole[:100])),
    }
    damaged = bytearray(whole)
    for _ in range(chance.randrange(1, 6)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    contents["damaged.tflite"] = bytes(damaged)
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def value_for(name, chance):
    if chance.random() < 0.6:
        return chance.choice(PLAUSIBLE.get(name, ("1", "2", "64", "70000", "1M")))
    if name in ("--report", "--write-baseline", "--embed", "--output-dir") and chance.random() < 0.8:
        return chance.choice(FILES)
    if name == "--kernels" and chance.random() < 0.5:
        return chance.choice(("library.so", "shadow:library.so", "plain:model.tflite", "folder", "shadow:", "none"))
    return chance.choice(chance.choice((NUMBERS, CHOICES, WORDS)))


def draw_call(chance, all_options):
    command = chance.choice(list(all_options))
    words = [command]
    if command in ("plan", "verify") and chance.random() < 0.25:
        words.append("overlap.csv")
    elif command == "check" and chance.random() < 0.25:
        words += ["model.tflite", "--kernels=aligned-faulty"]
    elif command == "rules" and chance.random() < 0.7:
        words.append(chance.choice(("V20", "I6", "V99", "read-after-operand", "")))
    elif command not in ("operators", "flags", "rules") and chance.random() < 0.95:
        words.append(chance.choice(MODELS))
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 5))):
        owner = command if chance.random() < 0.96 else chance.choice(list(all_options))
        name, takes_value = chance.choice(all_options[owner])
        if takes_value == (chance.random() < 0.97):
            value = value_for(name, chance)
            words += [f"{name}={value}"] if chance.random() < 0.8 else [name, value]
        else:
            words.append(name)
    if chance.random() < 0.07:
        words.insert(chance.randrange(1, len(words) + 1), chance.choice(WORDS))
    if command == "plan" and chance.random() < 0.9:
        words.append("--work-limit=1000")
    return [word.replace("\0", "") for word in words]


def tree_of(folder):
    return {str(path.relative_to(folder)): path.is_dir() or path.read_bytes() for path in sorted(folder.rglob("*"))}


def asked_for(words, path):
    """Whether an option names the file, or the folder that it is in, as one that is to be written."""
    pairs = [word.split("=", 1) for word in words if "=" in word] + [list(pair) for pair in zip(words, words[1:])]
    texts = [os.path.normpath(value) for option, value in pairs if option in WRITING and value]
    return any(path == text or text == "." or path.startswith(text + "/") for text in texts)


def may_be_several(words, folder):
    """Whether a check may be one of several models: more than one word, or a folder."""
    behind = words.index("--") + 1 if "--" in words else len(words)
    named = [word for word in words[1:behind] if word == "-" or not word.startswith("-")] + words[behind:]
    return words[0] == "check" and (len(named) > 1 or any(word and (folder / word).is_dir() for word in named))


def problems_of(words, run, several, before, after, left):
    status, errors = run.returncode, run.stderr.decode("utf-8", "surrogateescape")
    found = [] if status in (0, 1, 2) else [f"it ends with {status}"]
    if status == 2:
        lines = errors.splitlines(keepends=True)
        if not lines or (len(lines) > 1 and not several) or not all(re.fullmatch(r"arenaproof.*\n", line) for line in lines):
            found.append("standard error is not one sentence")
        elif any(ord(c) < 32 for c in errors.replace("\n", "")):
            found.append("the sentence has characters that cannot be read")
    changed = [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
    found += [f"'{path}' was written, changed or removed and not asked for" for path in changed if not asked_for(words, path)]
    found += [f"'{path}' is gone" for path in changed if path not in after]
    return found + [f"'{path}' is left in the temporary folder" for path in left]


def run_call(program, words, folder, temporary, chance):
    stdin = chance.choice((b"", chance.randbytes(50), (folder / "model.tflite").read_bytes()))
    environment = os.environ | {"TMPDIR": str(temporary)}
    command = [os.fsencode(program)] + [word.encode("utf-8", "surrogateescape") for word in words]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=folder, env=environment,
                          timeout=LONGEST_SECONDS, check=False)


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    models = [path for path in sorted(arguments.models.glob("*.tflite")) if path.stat().st_size < 100_000]
    if not models or not program.exists():
        raise CouldNotRun("there is no program, or no model")
    all_options = {command: options_of(program, command) for command in commands_of(program)}
    statuses, wrong = collections.Counter(), 0
    for number in range(arguments.calls):
        chance = random.Random(f"{arguments.seed} {number}")
        words = draw_call(chance, all_options)
        with tempfile.TemporaryDirectory() as home:
            folder, temporary = pathlib.Path(home, "work"), pathlib.Path(home, "temporary")
            folder.mkdir()
            temporary.mkdir()
            make_files(folder, models, chance)
            before = tree_of(folder)
            try:
                run = run_call(program, words, folder, temporary, chance)
                problems = problems_of(words, run, may_be_several(words, folder), before, tree_of(folder), tree_of(temporary))
                statuses[words[0], run.returncode] += 1
            except subprocess.TimeoutExpired:
                run, problems = None, [f"it does not end in {LONGEST_SECONDS} s"]
        for problem in problems:
            wrong += 1
            said = run.stderr.decode("utf-8", "backslashreplace")[:600] if run else ""
            print(f"call {number}: {problem}\n  {ascii(shlex.join(words))[:600]}\n  {said}", flush=True)
    print(f"{'command':<12}{'calls':>8}{'0':>8}{'1':>8}{'2':>8}{'other':>8}")
    for command in sorted({command for command, _ in statuses}):
        row = {status: count for (name, status), count in statuses.items() if name == command}
        other = sum(row.values()) - sum(row.get(status, 0) for status in (0, 1, 2))
        print(f"{command:<12}{sum(row.values()):>8}" + "".join(f"{row.get(s, 0):>8}" for s in (0, 1, 2)) + f"{other:>8}")
    for status in (0, 1, 2):
        if arguments.calls >= LEAST_CALLS_FOR_EVERY_STATUS and not any(found == status for _, found in statuses):
            wrong += 1
            print(f"no call came to {status}")
    print(f"{arguments.calls} calls, {wrong} answered wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CouldNotRun as error:
        print(f"hostile_calls.py: {error}", file=sys.stderr)
        sys.exit(2)
