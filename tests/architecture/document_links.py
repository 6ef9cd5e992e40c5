"""Links of Markdown pages to files beside them."""

import os
import re

from tree import files_of

BLOCK = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
# [text](target), <a href="target"> and <img src="target">, [name]: target
LINK = re.compile(r'\]\(<?([^()\s>]+)|\b(?:href|src)="([^"]+)"|^ {0,3}\[[^\]\n]+\]:\s+(\S+)', re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#|//", re.IGNORECASE)


def links_of(text):
    """The targets of a page's links to files, without the part of the page that they lead to."""
    text = CODE.sub("", BLOCK.sub("", text))
    targets = [next(target for target in found if target) for found in LINK.findall(text)]
    return [re.split("[?#]", target)[0] for target in targets if not ELSEWHERE.match(target)]


def dead_links(root):
    """A sentence for each link of a page below the root that leads to no file there, and the number of links."""
    problems, count = [], 0
    for page in (path for path in files_of(root) if path.suffix == ".md"):
        for target in links_of((root / page).read_text(errors="replace")):
            count += 1
            reached = os.path.normpath(page.parent / target)
            if reached.startswith("..") or os.path.isabs(reached) or not (root / reached).exists():
                problems.append(f"{page} links {target}, which is not there")
    return problems, count
