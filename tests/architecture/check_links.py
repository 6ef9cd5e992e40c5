"""check_links.py FOLDER [LEAST]: whether each link of the Markdown pages below FOLDER to a file leads to one there. Fewer
than LEAST links (1) are not what was to be checked. Exit status: 0 yes, 1 no, 2 could not run."""

import pathlib
import sys

from document_links import dead_links


def main(folder, least=1):
    problems, count = dead_links(pathlib.Path(folder))
    for problem in problems:
        print(problem)
    print(f"{count} links, {len(problems)} lead nowhere")
    if count < least:
        print(f"at least {least} were expected: this is not the folder")
        return 2
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print("usage: check_links.py FOLDER [LEAST]")
        sys.exit(2)
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
