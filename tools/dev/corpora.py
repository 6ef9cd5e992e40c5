"""What holds of the fuzz corpora without running them, and what they reach.

  corpora.py files ROOT               names, sizes, provenance, records of what is reached: are they in order?
  corpora.py reached ROOT TARGET LOG  compares a target's log of -print_coverage=1 with corpus/reached/TARGET.txt
  corpora.py record ROOT TARGET LOG   writes that file
"""
import csv
import hashlib
import pathlib
import re
import sys

REACHED = re.compile(r"^(UN)?COVERED_FUNC: hits: \d+ edges: \d+/\d+ (.*) (/.*)$")
SUBJECT = re.compile(r".*?/((?:core|kernels|tools)/.*?):\d+$")  # of a path anywhere: a compiler cache keeps another's


def targets_of(root):
    return sorted(path.stem for path in (root / "fuzz").glob("fuzz_*.cc"))


def most_bytes(root, target):
    options = (root / "fuzz" / f"{target}.options").read_text()
    return int(re.search(r"^max_len *= *(\d+)$", options, re.M).group(1))


def problems_of_corpus(root, target):
    folder, most = root / "corpus" / target, most_bytes(root, target)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    if not files:
        return [f"{target} has no corpus"]
    found, seen = [], {}
    named_first = sorted(files, key=lambda path: (len(path.name) == 40, path.name))
    for path in sorted((root / "corpus/regressions" / target).glob("*")) + named_first:
        content = path.read_bytes()
        name = hashlib.sha1(content).hexdigest()
        where = path.relative_to(root)
        grown = re.fullmatch(r"[0-9a-f]{40}", path.name)
        if grown and path.name != name:
            found.append(f"{where} holds another input than its name says; that one's is {name}")
        if len(content) > most:
            found.append(f"{where} has {len(content)} bytes; the options of {target} let an engine read {most}")
        if grown and name in seen:  # seeds and regressions have names that say more
            found.append(f"{where} is {seen[name]} once more")
        seen[name] = where
    return found


def problems_of_files(root):
    targets = targets_of(root)
    found = [problem for target in targets for problem in problems_of_corpus(root, target)]
    corpora = [path for path in (*(root / "corpus").glob("fuzz_*"), *(root / "corpus/regressions").iterdir())]
    found += [f"{path.relative_to(root)} is the corpus of no target" for path in corpora if path.name not in targets]
    with open(root / "corpus/provenance.csv", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    found += [f"corpus/provenance.csv does not say where the inputs of {target} come from" for target in targets
              if not any(row["target"] == target for row in rows)]
    found += [f"corpus/reached/{target}.txt is missing: ./dev corpus grow {target} writes it" for target in targets
              if not (root / "corpus/reached" / f"{target}.txt").is_file()]
    return found


def functions_of(log):
    """The functions of the subject that the log names: those that were reached, and the others."""
    reached, others = set(), set()
    for line in log.read_text(errors="replace").splitlines():
        match = REACHED.match(line)
        place = match and SUBJECT.match(match.group(3))
        if place:
            (others if match.group(1) else reached).add(f"{place.group(1)}  {match.group(2)}")
    return reached, others - reached


def main():
    command, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "files":
        found = problems_of_files(root)
        print("\n".join(found) or f"the corpora of {len(targets_of(root))} targets are in order")
        return 1 if found else 0
    target, log = sys.argv[3], pathlib.Path(sys.argv[4])
    reached, others = functions_of(log)
    record = root / "corpus/reached" / f"{target}.txt"
    if not reached:
        print(f"{log} names no function of core/, kernels/ or tools/ that was reached")
        return 2
    if command == "record":
        record.parent.mkdir(exist_ok=True)
        record.write_text("".join(f"{function}\n" for function in sorted(reached)))
        return 0
    known = set(record.read_text().splitlines())
    lost = sorted(known & others)
    for function in lost:
        print(f"{target} does not reach any more: {function}")
    print(f"{target}: {len(reached)} functions reached, {len(lost)} lost, {len(reached - known)} new, "
          f"{len(known - reached - others)} gone")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
