"""Holds JSON files against a JSON schema: validate_reports.py SCHEMA FILE_OR_FOLDER...

Exit status: 0 all are valid; 1 one is not; 77 python3-jsonschema is not installed.
"""
import json
import pathlib
import sys

try:
    import jsonschema.validators
except ImportError:
    sys.exit(77)


def main(words):
    schema = json.loads(pathlib.Path(words[0]).read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    files = []
    for word in words[1:]:
        path = pathlib.Path(word)
        files += sorted(path.iterdir()) if path.is_dir() else [path]
    bad = 0
    for path in files:
        for error in list(validator.iter_errors(json.loads(path.read_text(encoding="utf-8"))))[:5]:
            bad += 1
            print(f"{path}: {error.json_path}: {error.message[:300]}")
    print(f"{len(files)} files, {bad} errors")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
