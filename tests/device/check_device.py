#!/usr/bin/env python3
"""What the device's program prints under qemu-system-arm, held against what the command says on the host.

    check_device.py PROGRAM ARENAPROOF MODELS

PROGRAM is arenaproof-device-canary, ARENAPROOF the host's command, MODELS the folder of the models that the program
carries. Of each model the plan, the arena's need and the outputs have to be the host's to the byte, by `arenaproof size
--target=arm32` and `arenaproof run`, and the canary has to find nothing; of kernels that overwrite on purpose it has to
find each write, and nothing of those that stay inside. That the comparison notices what is altered is shown first.

Exit status: 0 all of it holds; 1 it does not; 2 could not run.
"""
import pathlib
import re
import shutil
import subprocess
import sys

from host_answers import CouldNotRun, expected_lines

EMULATOR = "qemu-system-arm"
MACHINE = "mps2-an386"  # a Cortex-M4, as the preset cortex-m compiles for
SECONDS = 120
CARRIED = pathlib.Path(__file__).parent / "device_models.inc"

# Operator 0 writes 64 bytes at 0, in front of its input; operator 1 reads these and writes 4 bytes where the input was.
OVERWRITTEN = "fully_connected_20_to_64_int8"
FINDING = "VIOLATION FULLY_CONNECTED (operator {}), kernel overwriting, writes {} in invoke"
INSIDE = "{} inside input tensor {} ({} bytes), which it may only read"
PLANTED = {
    "behind=1": [(0, INSIDE.format("1 byte", 0, 20)), (1, "up to 1 byte after output tensor 6 (4 bytes)")],
    "behind=4": [(0, INSIDE.format("4 bytes", 0, 20)), (1, "up to 4 bytes after output tensor 6 (4 bytes)")],
    "before=3": [(0, "up to 3 bytes before output tensor 3 (64 bytes)"), (1, INSIDE.format("3 bytes", 3, 64))],
}
LEGAL = "inside=3"
LEGAL_BYTES = "1a1a1a"


def carried_models():
    return re.findall(r"^ARENAPROOF_DEVICE_MODEL\((\w+)\)", CARRIED.read_text(), re.MULTILINE)


def run_device(program, words):
    """The lines that the program prints and its exit status."""
    arguments = ",".join(f"arg={word}" for word in words)
    command = [EMULATOR, "-M", MACHINE, "-display", "none", "-monitor", "none", "-serial", "none",
               "-chardev", "stdio,id=out", "-semihosting-config", f"enable=on,target=native,chardev=out,{arguments}",
               "-kernel", str(program)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
                              check=False)
    except subprocess.TimeoutExpired as error:
        raise CouldNotRun(f"the device's program does not end within {SECONDS} seconds ({' '.join(words)})") from error
    if done.stderr:
        raise CouldNotRun(f"{EMULATOR} says: {done.stderr.strip()}")
    return done.stdout.splitlines(), done.returncode


def differences(expected, found):
    """A sentence for each line that is another one."""
    count = max(len(expected), len(found))
    pairs = zip(expected + [None] * (count - len(expected)), found + [None] * (count - len(found)))
    return [f"line {number}: {wanted!r} is expected, the device says {device!r}"
            for number, (wanted, device) in enumerate(pairs, 1) if wanted != device]


def check_differences_are_found(expected):
    """Each line is altered once, left out once and doubled once."""
    missed = []
    for i, line in enumerate(expected):
        altered = line[:-1] + ("0" if line[-1] != "0" else "1")
        for what in [altered], [], [line, line]:
            if not differences(expected, expected[:i] + what + expected[i + 1:]):
                missed.append(f"the comparison does not notice {what} in the place of {line!r}")
    return missed


def without_limits(lines):
    return [line for line in lines if not line.startswith("canary cannot see ")]


def check_run(program, words, expected, expected_status):
    lines, status = run_device(program, words)
    wrong = differences(expected, without_limits(lines))
    if not any(line.startswith("canary cannot see reads") for line in lines):
        wrong.append("the canary does not say that it sees no reads")
    if status != expected_status:
        wrong.append(f"exit status {status} instead of {expected_status}")
    print(f"{' '.join(words)}: " + ("as expected" if not wrong else "NOT as expected"))
    if not wrong:
        print("".join(f"    {line}\n" for line in lines), end="")
    return [f"{' '.join(words)}: {sentence}" for sentence in wrong]


def check_planted(program, before, unchanged, watched):
    wrong = []
    for words, findings in PLANTED.items():
        found = [FINDING.format(*finding) for finding in findings]
        wrong += check_run(program, [OVERWRITTEN, words], before + unchanged + [watched, *found, "violations found"], 1)
    lines, status = run_device(program, [OVERWRITTEN, LEGAL])
    if status != 0 or lines[-1:] != ["clean"]:
        wrong.append(f"{OVERWRITTEN} {LEGAL}: kernels that stay inside are not called clean, exit status {status}")
    if not any(line.startswith("watched-output") and line.endswith(LEGAL_BYTES) for line in lines):
        wrong.append(f"{OVERWRITTEN} {LEGAL}: the kernels did not write what they were to")
    lines, status = run_device(program, [OVERWRITTEN, "no such word"])
    if status != 2:
        wrong.append(f"words that say nothing end with exit status {status} instead of 2")
    return wrong


def main(program, arenaproof, models):
    if shutil.which(EMULATOR) is None:
        raise CouldNotRun(f"there is no {EMULATOR}, so no device's program can run (Debian: qemu-system-arm)")
    if not pathlib.Path(program).is_file():
        raise CouldNotRun(f"there is no {program}")
    if OVERWRITTEN not in carried_models():
        raise CouldNotRun(f"the program does not carry {OVERWRITTEN}, whose overwrites are expected")
    wrong = []
    for name in carried_models():
        before, outputs, watched = expected_lines(arenaproof, pathlib.Path(models), name)
        wrong += check_differences_are_found(before)
        wrong += check_run(program, [name], before + outputs + [watched, "clean"], 0)
        if name == OVERWRITTEN:
            wrong += check_planted(program, before, outputs, watched)
    print("\n".join(wrong) or "the device's plans, needs and outputs are the host's, and each planted overwrite is found")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        if len(sys.argv) != 4:
            raise CouldNotRun("the arguments are PROGRAM ARENAPROOF MODELS")
        sys.exit(main(*sys.argv[1:]))
    except CouldNotRun as error:
        print(f"check_device.py: {error}", file=sys.stderr)
        sys.exit(2)
