"""Whether sources that shall not guide a fuzzer are where patterns look for them: a moved file would guide it again."""

import fnmatch
import re

from tree import files_of

SOURCE_PATTERN = re.compile(r"^src:([^=\s]+)", re.MULTILINE)


def stale_patterns(root, rooms, text):
    """A sentence for each 'src:' pattern of a room's files that matches no file. Patterns that do not begin with
    '*/<top-level room>/' are of files outside the tree."""
    tops = {name.split("/")[0] for name in rooms.names}
    files = [f"/{path}" for path in files_of(root)]
    problems = []
    for pattern in SOURCE_PATTERN.findall(text):
        begin, _, rest = pattern.partition("/")
        if begin == "*" and rest.split("/")[0] in tops and not fnmatch.filter(files, pattern):
            problems.append(f"fuzz/coverage_ignored.txt has src:{pattern}, which matches no file of the tree")
    return problems
