#!/usr/bin/env python3
"""Makes docs/report.schema.json, the JSON schema of every report, from the tables of docs/json.md.

    report_schema.py            writes the schema
    report_schema.py --check    exit status 1 when the file is another than it would write
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
SCHEMA = DOCS / "report.schema.json"
REPORT = "report-of-"
VALUES = {
    "text": {"type": "string"},
    "number": {"type": "integer"},
    "fraction": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "numbers": {"type": "array", "items": {"type": ["number", "null"]}},
}
# What every report has, of a command that could not run too.
ALWAYS = ["command", "format_version", "tool_version", "exit_status"]


def anchor(heading):
    return re.sub("[^a-z0-9-]", "", heading.lower().replace(" ", "-"))


def read_tables():
    """{anchor: [(field, value, meaning)]}, in the order of the document."""
    tables, here = {}, None
    for line in (DOCS / "json.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("##"):
            here = anchor(line.lstrip("#").strip())
        row = re.fullmatch(r"\| `([^`]+)` \| (.+?) \| (.+) \|", line)
        if row:
            tables.setdefault(here, []).append(row.groups())
    return tables


def value_schema(value):
    if value in VALUES:
        return VALUES[value]
    link = re.fullmatch(r"(list of )?\[[^]]+\]\(#([^)]+)\)", value)
    if not link:
        raise SystemExit(f"docs/json.md: '{value}' is no kind of value; known are {', '.join(VALUES)} and links")
    target = {"$ref": "#/$defs/" + link.group(2)}
    return {"type": "array", "items": target} if link.group(1) else target


def object_schema(name, rows):
    schema = {"type": "object", "properties": {field: value_schema(value) for field, value, _ in rows}}
    required = [field for field, _, meaning in rows if "absent" not in meaning]
    if not name.startswith(REPORT):
        return schema | {"required": required}
    command = name.removeprefix(REPORT)
    schema["properties"]["command"] = {"const": command}
    # Of several models the report of `check` has little more than theirs; other commands leave out what a refusal
    # leaves no answer to.
    if command == "check":
        schema["anyOf"] = [{"required": required}, {"required": ["command", "exit_status", "models"]}]
    else:
        schema["required"] = ["command", "exit_status"]
    return schema


def make_schema():
    tables = read_tables()
    reports = [name for name in tables if name.startswith(REPORT)]
    choice = {}
    for name in reversed(reports):
        chosen = {
            "if": {"properties": {"command": {"const": name.removeprefix(REPORT)}}},
            "then": {"$ref": "#/$defs/" + name},
            "else": choice or False,
        }
        choice = chosen
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A report of arenaproof, format 1",
        "description": "Made from docs/json.md, which says what the fields mean. Readers ignore fields they do not know.",
        "type": "object",
        "properties": {"format_version": {"const": 1}},
        "required": ALWAYS,
        **choice,
        "$defs": {name: object_schema(name, rows) for name, rows in tables.items()},
    }


def main(words):
    text = json.dumps(make_schema(), indent=1) + "\n"
    if words == ["--check"]:
        if SCHEMA.read_text(encoding="utf-8") == text:
            return 0
        print(f"{SCHEMA} is not what docs/json.md says; {pathlib.Path(__file__).name} writes it anew")
        return 1
    if words:
        print(__doc__)
        return 2
    SCHEMA.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
