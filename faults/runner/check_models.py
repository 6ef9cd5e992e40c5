"""The engine `check`: the command with every instrument on the models of corpus/main_job.txt, compared with what that file
expects and with the clean tree's report. A finding is a violation where none is expected, an expected one that is not
seen at its distance, an instrument that does not see, an output that changed, a refusal or an internal error."""

import json
import re

REPORT = re.compile(r"(?s)\{.*\}")


class Expectation:
    def __init__(self, model, kernels, caught, before, after, options=()):
        self.model, self.kernels, self.caught, self.before, self.after = model, kernels, caught, before, after
        self.options = list(options)  # more arguments of the command

    @property
    def name(self):
        return " ".join([self.model, self.kernels, *self.options])


def read_expectations(text):
    """Lines of main_job.txt; models beside the repository are left out."""
    expectations = []
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or words[0].startswith("shared/") or len(words) < 3:
            continue
        options = [word for word in words[3:] if word.startswith("--")]
        distances = [int(word) for word in words[3:] if word not in options] + [0, 0]
        expectations.append(Expectation(words[0], words[1], words[2] == "caught", *distances[:2], options))
    return expectations


def parse_report(output):
    found = REPORT.search(output)
    try:
        return json.loads(found.group(0)) if found else None
    except ValueError:
        return None


def summary_of(report):
    """What has to be the same in a changed tree: the outputs, and how many operators the instruments saw (a branch that
    is not taken is not seen)."""
    return {f"{part['layout']} {part['instrument']}": {
        "outputs": [output["sha256"] for output in part.get("outputs", [])],
        "seen": sum(bool(operator.get("seen")) for operator in part.get("operators", []))}
        for part in report.get("parts", [])}


def violation_sentence(part, violation):
    operand = violation.get("operand", {})
    side = violation.get("side")
    distance = violation.get("distance_bytes", 0)
    where = {"inside": "inside", "far": "far from"}.get(side, f"{distance} byte{'s' * (distance != 1)} {side}")
    return (f"VIOLATION ({part['layout']}, {part['instrument']}): {violation.get('operator_name')} (operator "
            f"{violation.get('operator')}), kernel {violation.get('kernel')}, {violation.get('phase')}: "
            f"{violation.get('access')} {where} {operand.get('kind')} {operand.get('index')} "
            f"\"{operand.get('name', '')}\"; {violation.get('state', '')}")


def complaint_about_part(part, expectation):
    test = part.get("self_test") or {}
    if test and not test.get("sees"):
        return (f"the instrument {part['instrument']} ({part['layout']}) declares itself blind: missed "
                f"{', '.join(test.get('missed', []))}")
    if part["exit_status"] in (2, 3) or part.get("problem"):
        refusal = part.get("refusal") or {}
        return (f"{part['layout']}, {part['instrument']}: {part.get('problem') or ''} {refusal.get('code') or ''} "
                f"{refusal.get('sentence') or ''} {' '.join(part.get('diagnostics') or [])[-300:]}").strip()
    if part.get("capped"):
        return f"{part['layout']}, {part['instrument']}: {part['capped']}"
    if part.get("violations") and not expectation.caught:
        return violation_sentence(part, part["violations"][0])
    if expectation.caught and part["layout"] == "dilated":
        for side, distance in (("before", expectation.before), ("after", expectation.after)):
            furthest = max((violation["distance_bytes"] for violation in part.get("violations", [])
                            if violation["side"] == side and violation["access"] == "read"
                            and violation["operand"]["kind"] == "input"), default=0)
            if furthest != distance:
                return (f"an expected violation is not reported: reads {distance} bytes {side} an input, "
                        f"{part['layout']}, {part['instrument']} sees {furthest}")
    return None


def could_not_run(report, status):
    """The command did not get as far as a report; that is no result about the model, under a fault as
    on the clean tree."""
    return report is None and status in (2, 126, 127)


def complaint(expectation, report, status, baseline):
    """None when all is as on the clean tree and as expected; else a sentence. `baseline`: the clean tree's summary, None
    while the clean tree itself is checked."""
    where = f"{expectation.name}: "
    if report is None:
        return f"{where}no report, exit status {status}"
    if report.get("refusal"):
        return where + report["refusal"]
    for part in report["parts"]:
        sentence = complaint_about_part(part, expectation)
        if sentence:
            return where + sentence
    if report.get("output_differences"):
        return where + report["output_differences"][0]
    if status != (1 if expectation.caught else 0):
        return f"{where}exit status {status}, expected {1 if expectation.caught else 0}"
    if baseline is not None:
        now = summary_of(report)
        for part, clean in baseline.items():
            if now.get(part) is None:
                return f"{where}the part '{part}' is missing from the report"
            if now[part]["outputs"] != clean["outputs"]:
                return f"{where}an output changed: {part}, sha256 differs from the clean tree's"
            if now[part]["seen"] < clean["seen"]:
                return (f"{where}the instrument saw {now[part]['seen']} operators of {clean['seen']} run: {part}")
    return None
