"""A finding of a fuzz target as SARIF 2.1.0, for code scanning."""
import hashlib
import json
import re

PLACE = re.compile(r"\b((?:core|kernels|tools|sanitizers|engine|fuzz|corpus)/[\w./]+\.\w+):(\d+)")


def place_of(target, said):
    """The first line of ours that a sanitizer names; the target's source when none does."""
    summary = re.search(r"^(SUMMARY: .*|\S+:\d+:\d+: runtime error: .*)$", said, re.M)
    match = summary and PLACE.search(summary.group(1))
    return (match.group(1), int(match.group(2))) if match else (f"fuzz/{target}.cc", 1)


def sarif_of(target, identity, said, base64_text):
    uri, line = place_of(target, said)
    result = {
        "ruleId": target,
        "level": "error",
        "message": {"text": f"{identity}. The input in base64: {base64_text}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}],
        "partialFingerprints": {"finding/v1": hashlib.sha256(f"{target}\n{identity}".encode()).hexdigest()},
    }
    driver = {"name": "arenaproof fuzz targets", "rules": [
        {"id": target, "shortDescription": {"text": f"What {target} asks is answered with no"}}]}
    return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                       "runs": [{"tool": {"driver": driver}, "results": [result]}]}, indent=2) + "\n"
