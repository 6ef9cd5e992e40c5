"""Makes an input of a fuzz target smaller while the same goes wrong.

  minimize.py PROGRAM FILE OUT SECONDS    PROGRAM is the target's replay program
"""
import pathlib
import sys
import time

import finding


def without_pieces(content, keeps):
    """Leaves out what can be left out: halves, quarters, down to single bytes."""
    piece = max(len(content) // 2, 1)
    while piece > 0:
        begin = 0
        while begin < len(content):
            candidate = content[:begin] + content[begin + piece:]
            if keeps(candidate):
                content = candidate
            else:
                begin += piece
        piece //= 2
    return content


def with_zeros(content, keeps):
    for i, byte in enumerate(content):
        candidate = content[:i] + b"\0" + content[i + 1:]
        if byte != 0 and keeps(candidate):
            content = candidate
    return content


def minimized(content, keeps):
    before = None
    while before != content:
        before = content
        content = with_zeros(without_pieces(content, keeps), keeps)
    return content


def main():
    program, path, out, seconds = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), float(sys.argv[4])
    content = path.read_bytes()
    try:
        out.touch()
    except OSError as error:
        print(f"'{out}' cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    with finding.Replayer(program) as replayer:
        identity = replayer.identity(content)
        if not identity:
            if out.stat().st_size == 0:
                out.unlink()
            print(f"{path} passes: there is nothing to keep")
            return 2
        deadline = time.monotonic() + seconds
        tried, over = 0, False

        def keeps(candidate):
            nonlocal tried, over
            over = over or time.monotonic() >= deadline
            if over:
                return False
            tried += 1
            return replayer.identity(candidate) == identity

        smaller = minimized(content, keeps)
    out.write_bytes(smaller)
    print(f"{identity}\n{len(content)} bytes before, {len(smaller)} now, after {tried} inputs: {out}")
    if over:
        print("the time was over before every smaller input was tried; --seconds gives it more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
