"""What a fuzz target's input does, in words, and how to see it again.

  explain.py PROGRAM TARGET FILE [SARIF]    PROGRAM is the target's replay program; SARIF is a file to write
"""
import base64
import hashlib
import os
import pathlib
import sys

import finding
import finding_sarif

MOST_LINES = 40


def gtest_case(target, content):
    name = "".join(word.capitalize() for word in target.split("_"))
    text = base64.b64encode(content).decode()
    lines = "\n".join(f'                                     "{text[i:i + 76]}"' for i in range(0, max(len(text), 1), 76))
    return (f"TEST({name}, TakesInput{hashlib.sha1(content).hexdigest()[:8]}) {{\n"
            f'  const testing::ReplayedInput replay = testing::ReplayInput("{target}",\n{lines});\n'
            "  EXPECT_EQ(replay.exit_status, 0) << replay.said;\n}")


def main():
    program, target, path = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    content = path.read_bytes()
    status, words, said = finding.explained(program, path)
    identity = finding.identity_of(status, said)
    print(f"== what {path} does ({len(content)} bytes, {target})")
    print("\n".join(line for line in words.splitlines() if not line.startswith("replayed ")))
    if not identity:
        print("== nothing is wrong: the target takes it")
        return 0
    print(f"== what went wrong: {identity}")
    print("\n".join(line for line in said.splitlines()[:MOST_LINES]))
    if len(said.splitlines()) > MOST_LINES:
        print(f"({len(said.splitlines()) - MOST_LINES} lines more)")
    print("== to see it again")
    print(f"  {os.path.relpath(program)} {path}")
    print(f"  ./dev minimize {path} --target={target}    makes it smaller, the same goes wrong")
    print(f"== the input in base64: base64 -d > FILE\n{base64.b64encode(content).decode()}")
    print(f"== a test that fails, for tests/fuzz (#include \"tests/support/replayed_input.h\")\n{gtest_case(target, content)}")
    print(f"== once it is mended: cp {path} corpus/regressions/{target}/WHAT_IT_SHOWS")
    if sys.argv[4:]:
        try:
            pathlib.Path(sys.argv[4]).write_text(
                finding_sarif.sarif_of(target, identity, said, base64.b64encode(content).decode()))
        except OSError as error:
            print(f"the report '{sys.argv[4]}' cannot be written: {error.strerror}", file=sys.stderr)
            return 2
    return 1


if __name__ == "__main__":
    sys.exit(main())
