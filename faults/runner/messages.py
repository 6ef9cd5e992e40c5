"""Reads a program's output: whether it found something, with which message, after how many executions."""

import re
import signal

# The most specific first.
FINDINGS = [
    r"VIOLATED: +(.*\S)",
    r"(?m)^\s*(\S.*?\S) {2,}.*-bit VIOLATED",
    r"(?m)^(\w+\(.*\): .*\S)$",
    r"arena invariant broken by (.*\S)",
    r"DEFECT: +(.*\S)",
    r"KERNEL WRONG: +(.*\S)",
    r"(runtime error: .*\S)",
    r"ERROR: ((?:Address|Leak)Sanitizer: [^\n]*\S)",
    r"ERROR: (libFuzzer: [^\n]*\S)",
    r"(?m)^==\d+== ((?:Invalid|Conditional jump|Use of uninit|Syscall param|Process terminating)[^\n]*)$",
    r"SUMMARY: (.*\S)",
    r"(?m)^RC_FAIL\(.*\)\n+(\S.*\S)$",
    r"(?m)^(Assertion .* failed.*)$",
    r"(?m)^> (.*\S)$",
    r"(?m)^< (.*\S)$",
    r"(?m)^(RC_ASSERT.*\S)$",
    r"(?m)^\S+\.cc:\d+:\n(.*\S)$",
    r"(?m)^ *(?:Expected|Value of|Which is): *(.*\S)$",
    r"(?m)^\S+:\d+: Failure\n(?:Failed\n)?(.*\S)$",
]
FAILED_TEST = r"\[  FAILED  \] (\w+(?:[./]\w+)+)"
# A line that names the operator or the operand, wherever it stands.
CONTEXT = [r"(?m)^(VIOLATION \d+: .*)$", r"(?m)^(certifier: .*)$", r"(?m)^(found .*, expected .*)$",
           r"(?m)^(\w+ \(operator \d+\), kernel .*)$",
           r"(?m)^(\w+ \(operator \d+, kernel [^)]*\) (?:reads|writes) .*)$", rf"(?m)^{FAILED_TEST}"]
# The operation that a proof's refuted obligation is about, and the last call of a printed sequence.
SUBJECT = re.compile(r"(?m)^(\S[^\n]*)\n(?:  [^\n]*\n)*?  [^\n]*-bit VIOLATED")
CALL = re.compile(r"(?m)^ *(\w+\([^\n]*\)[^\n]* -> [^\n]*)$")
FRAME = re.compile(r"(?m)^\s*#\d+ 0x[0-9a-f]+ in (.+?) (\S+?:\d+)(?::\d+)?$")
VALGRIND_FRAME = re.compile(r"(?m)^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (.+?) \((\S+:\d+)\)$")
MOST_CHARACTERS = 700


def message_of(output):
    """The line of the finding, lines that give context, and the first frames that are in the tree's sources."""
    parts, output = [], without_gave_up(output)
    for expression in FINDINGS:
        found = re.search(expression, output)
        if found:
            parts.append(found.group(1).strip())
            break
    for expression in CONTEXT:
        found = re.search(expression, output)
        if found and found.group(1) not in parts:
            parts.append(found.group(1).strip())
    parts += [text for text in text_of_failure(output) if text not in parts]
    parts += [found.strip() for found in SUBJECT.findall(output)[:1] + CALL.findall(output)[-1:]]
    parts += frames_of(output)
    if not parts:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        parts = lines[-1:]
    return "; ".join(parts)[:MOST_CHARACTERS]


def text_of_failure(output):
    """The test's own text behind the values that differ."""
    block = re.search(r"(?m)^\S+:\d+: Failure\n((?:(?!\[|\S+:\d+: Failure).+\n)+)", output)
    last = block.group(1).splitlines()[-1] if block else ""
    return [] if not last or re.match(r"\s|Expected|Value of|Failed|Falsifiable|RC_|  ", last) else [last.strip()]


def message_for(ended):
    """As message_of(); a program that died without a report is described by its signal."""
    if crashed(ended.status) and not reports_finding(ended.output):
        last = message_of(ended.output)
        return f"died of {signal.Signals(-ended.status).name}" + (f" after: {last}" if last else "")
    return message_of(ended.output)


GAVE_UP = re.compile(r"(?ms)^[^\n]*: Failure\nFailed\nGave up after .*?^\[  FAILED  \] (\S+)[^\n]*$")


def without_gave_up(output):
    """A property that found too few cases to try has found nothing."""
    for name in GAVE_UP.findall(output):
        output = re.sub(rf"(?m)^\[  FAILED  \] {re.escape(name)}\b.*$", "", GAVE_UP.sub("", output))
    return output


def reports_finding(output):
    """Whether a line reports a finding."""
    output = without_gave_up(output)
    return any(re.search(expression, output) for expression in [*FINDINGS, FAILED_TEST])


def frames_of(output, most=3):
    frames = []
    for function, place in FRAME.findall(output) or VALGRIND_FRAME.findall(output):
        room = re.search(r"(?:^|/)((?:core|kernels|sanitizers|tools|engine|props|fuzz|faults/plain)/\S+)$", place)
        name = place.rpartition("/")[2]
        if not room and not VALGRIND_FRAME.search(output):
            continue
        if "/replay_main" in place or "fault_probe" in place:
            continue
        frames.append(f"in {re.sub(r'arenaproof::|[(]anonymous namespace[)]::', '', function)[:90]} {name}")
        if len(frames) == most:
            break
    return frames


# What differs from run to run, or with a line that a patch adds: addresses, processes, places in a file, seconds.
PASSING = [(r"\b0x[0-9a-fA-F]+", "0x"), (r"==\d+==", "== =="), (r"(\.\w+)(?::\d+)+", r"\1"), (r"\b\d+(?:\.\d+)? s\b", "s")]


def essence(message):
    """The message without what is passing and with the first frame only: equal for two messages of the same thing."""
    parts = message.split("; ")
    first = next((number for number, part in enumerate(parts) if part.startswith("in ")), len(parts))
    text = "; ".join(parts[:first + 1])
    for expression, instead in PASSING:
        text = re.sub(expression, instead, text)
    return text


def names_the_right_thing(expressions, message):
    """Whether the message names the right thing; None when the description does not hold what that is."""
    if not expressions:
        return None
    return any(re.search(expression, message) for expression in expressions)


COUNTS = [r"stat::number_of_executed_units:\s*(\d+)", r"replayed the empty input and (\d+) files", r"(\d+) obligations",
          r"(\d+) operators agree"]


def executions_of(output):
    """How many inputs, tests or transitions this process had tried; None when it does not report them."""
    for expression in COUNTS:
        found = re.search(expression, output)
        if found:
            return int(found.group(1))
    cases = re.search(r"max_success=(\d+)", output)  # of each property that held
    tried = int(cases.group(1)) * len(re.findall(r"(?m)^\[       OK \] ", output)) if cases else 0
    tried += sum(int(number) for number in re.findall(r"Falsifiable after (\d+) tests", output))
    return tried or sum(int(number) for number in SCOPE_TRANSITIONS.findall(output)) or None


# A line of the small-scope search: name, bytes, word, states, transitions, longest, seconds.
SCOPE_TRANSITIONS = re.compile(r"(?m)^\S.*? +\d+ +(?:32|64) +\d+ +(\d+) +\d+ +\d+\.\d\d$")
CRASH_SIGNALS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP}
FUZZER_FINDING = re.compile(r"ERROR: libFuzzer: (?:deadly signal|timeout|out-of-memory|fuzz target exited)"
                            r"|ERROR: (?:Address|Leak)Sanitizer|runtime error:|VIOLATED: |DEFECT: |arena invariant broken by "
                            r"|ERROR: libFuzzer: fuzz target overwrites")


def crashed(status):
    return status < 0 and -status in CRASH_SIGNALS


def found_by_report(ended):
    """A program of ours that ends with 1 for a violation and reports which: proof, searches, properties, tests."""
    if crashed(ended.status):
        return True
    return not ended.cut and ended.status in (1, 3) and reports_finding(ended.output)


def found_by_fuzzer(ended):
    """Also an abort before libFuzzer's handlers are installed."""
    return ended.status != 0 and (FUZZER_FINDING.search(ended.output) is not None or crashed(ended.status))


def found_by_replay(ended):
    return not ended.cut and found_by_fuzzer(ended)


def found_by_plain_asan(ended):
    """A report of AddressSanitizer itself or a crash; what UndefinedBehaviorSanitizer reports is not counted."""
    return "ERROR: AddressSanitizer" in ended.output or crashed(ended.status) and not stopped_by_ubsan(ended)


def input_without_end(output):
    """The file of the input at which libFuzzer timed out; None when it did not, "" when it does not name the file."""
    if "ERROR: libFuzzer: timeout" not in output:
        return None
    found = re.search(r"(?m)Test unit written to (.+)$", output)
    return found.group(1) if found else ""


def refusal_of_compiler(text):
    """The message of the tree's own static assertions when they are all that stops the build, else None."""
    errors = re.findall(r"(?m)\berror: (.*)$", text)
    return errors[0] if errors and all("static assertion" in error for error in errors) else None


def stopped_by_ubsan(ended):
    return "runtime error:" in ended.output and "ERROR: AddressSanitizer" not in ended.output


VALGRIND_EXIT = 99


def found_by_valgrind(ended):
    return ended.status == VALGRIND_EXIT or crashed(ended.status)
