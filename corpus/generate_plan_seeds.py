"""Seeds of the fuzz targets of plans: problems of our own and of models, and their plans, in every format that the
command reads. The same bytes each time.

  generate_plan_seeds.py ARENAPROOF CORPUS           writes fuzz_plan_text/seed_* and fuzz_plan_problem/seed_* in CORPUS
  generate_plan_seeds.py ARENAPROOF CORPUS --check   fails when a file there is another, or one is missing or too many
"""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# By what fuzz_plan_text.cc makes of its first byte.
PROBLEM, PLANNED_PROBLEM, PLAN, SOURCE, JSON = b"\x00", b"\x01", b"\x02", b"\x03", b"\x07"

PROBLEMS = {
    "chain": "id,lower,upper,size\na,0,2,48\nb,1,3,16\nc,2,4,48\nd,3,5,32\n",
    "mixed_alignments": "id,lower,upper,size,offset,alignment\na,0,3,7,-1,1\nb,1,4,5,-1,4\nc,2,5,8,-1,8\n",
    "fixed": "id,lower,upper,size,offset\nx,0,4,10,4\ny,1,3,6,-1\nz,2,5,2,0\n",
    "gaps": "id,lower,upper,size,gaps\nlong,-1,5,9,1-2\nin,1,2,9,\nafter,3,5,3,\n",
    "never_alive": "id,lower,upper,size\nn,2,2,11\no,0,6,0\np,-2,4,1\n",
    "none": "id,lower,upper,size\n",
    "pyramid": "id,lower,upper,size\n" + "".join(f"{i},{i - 2},{5 - i},{11 - 2 * i}\n" for i in range(4)),
    "any_order": 'end,size,id,lower\r\n3,4,"a,b",0\r\n5,6,"c ""d""",2\r\n',
}
# Read as they are, but no problems that fit the other target's small numbers.
TEXTS = {
    "largest_numbers": PROBLEM + b"id,lower,upper,size\n"
                                 b"m,-9223372036854775808,9223372036854775807,4611686018427387904\n",
    "groups": PLAN + b"id,offset,group\n0,0,\n1,0,0\n2,64,2\n",
    "open_offsets": PLANNED_PROBLEM + b"\xef\xbb\xbfid,lower,upper,size,offset\n0,0,2,8,\n1,1,3,8,-1\n",
    "source_of_64_bits": SOURCE + b"static const std::int64_t p[] = {\n    0, /* a */ 2147483648\n};\n",
    "refused_missing_column": PROBLEM + b"id,lower,size\n0,0,8\n",
    "refused_key_twice": JSON + b'{"buffers":[{"id":"0","id":"1","offset":0}]}',
}
MODELS = ("control_branches_float", "control_loop_float", "control_variables_float", "fixed_plan_float",
          "fully_connected_20_to_64_int8", "keyword_spotting_int8", "sine_regressor_int8")
UNITS = (1, 1, 16, 48)


def run(command, subject, *options):
    return subprocess.run([command, "plan", str(subject), *options], check=True, capture_output=True, text=True).stdout


def short_json(report):
    """What is read of a report, without what else it has."""
    fields = ("id", "offset", "bytes", "lower", "upper", "alignment", "gaps", "group")
    buffers = json.loads(report)["buffers"]
    buffers = [{field: buffer[field] for field in fields if field in buffer} for buffer in buffers]
    return json.dumps({"buffers": buffers}, separators=(",", ":"))


def rows_of(text):
    rows = []
    for row in csv.DictReader(io.StringIO(text)):
        rows.append({"lower": int(row["lower"]), "upper": int(row.get("upper") or row["end"]), "size": int(row["size"]),
                     "alignment": int(row.get("alignment") or 1), "offset": int(row.get("offset") or -1),
                     "gaps": row.get("gaps") or ""})
    return rows


def alignment_byte(wanted, unit):
    """The lowest byte of which that target makes this alignment, or the nearest to it."""
    def made(byte):
        return (1 + byte // 4 % 8) * (1 if byte // 32 % 4 == 3 else unit) if byte % 4 == 0 else 1
    return min(range(256), key=lambda byte: (abs(made(byte) - wanted), byte))


def problem_bytes(problem, plan):
    """As fuzz_plan_problem.cc reads it, in its small numbers: longer times and larger sizes become its largest."""
    problem, plan = problem[:10], plan[:10]
    sizes = [row["size"] for row in problem]
    unit = next((i for i in (0, 3, 2) if all(size % UNITS[i] == 0 and size <= 11 * UNITS[i] for size in sizes)), 2)
    out = [len(problem) + 11 * unit]
    for row in problem:
        lower = min(max(row["lower"], -2), 7)
        inside = min(max(row["upper"] - lower, 0), 6)
        place = 1 if row["offset"] < 0 else 8 * min(row["offset"] // row["alignment"], 31)
        gap = 1
        if row["gaps"] and inside >= 2:
            gap = 3 * min(int(row["gaps"].split("-")[0]) - lower, inside - 2)
        out += [lower + 2, inside, min(row["size"] // UNITS[unit], 11),
                alignment_byte(row["alignment"], UNITS[unit]), place, gap]
    for i, row in enumerate(plan):
        out += [i, min(row["offset"] + 4, 255)]
    return bytes(out)


def seeds_of(command, name, subject, problem_text, planner):
    """All formats of one problem and its plan, and the problem in the other target's bytes."""
    planned = run(command, subject, *planner, "--format=csv")
    report = run(command, subject, *planner, "--format=json").replace(str(subject), subject.name)
    report = re.sub(r'"seconds": [^,]*', '"seconds": 0', report)
    offsets = "".join(",".join(line.split(",")[i] for i in (0, 4)) + "\n" for line in planned.splitlines()
                      if '"' not in line)
    texts = {
        "planned_csv": PLANNED_PROBLEM + planned.encode(),
        "offsets_csv": PLAN + offsets.encode(),
        "json": JSON + short_json(report).encode(),
    }
    if name == "sine_regressor_int8":
        texts["whole_json"] = JSON + report.encode()
    if problem_text:
        texts["csv"] = PROBLEM + problem_text.encode()
    else:
        texts["c"] = SOURCE + run(command, subject, *planner, "--format=c").encode()
    found = {f"fuzz_plan_text/seed_{name}_{kind}": text for kind, text in texts.items()}
    problem = rows_of(problem_text) if problem_text else [{**row, "offset": -1} for row in rows_of(planned)]
    found[f"fuzz_plan_problem/seed_{name}"] = problem_bytes(problem, rows_of(planned))
    return found


def all_seeds(command, corpus):
    seeds = {f"fuzz_plan_text/seed_{name}": text for name, text in TEXTS.items()}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROBLEMS.items():
            subject = pathlib.Path(folder) / f"{name}.csv"
            subject.write_text(text, newline="")
            seeds |= seeds_of(command, name, subject, text, ["--planner=optimal", "--work-limit=1000"])
    for name in MODELS:
        model = corpus / "models" / f"{name}.tflite"
        seeds |= seeds_of(command, name, model, "", ["--planner=greedy", "--ignore-plan"])
    return seeds


def main():
    command, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    seeds = all_seeds(command, corpus)
    if sys.argv[3:] != ["--check"]:
        for name, content in seeds.items():
            (corpus / name).parent.mkdir(exist_ok=True)
            (corpus / name).write_bytes(content)
        return 0
    there = {f"{path.parent.name}/{path.name}": path for target in ("fuzz_plan_text", "fuzz_plan_problem")
             for path in (corpus / target).glob("seed_*")}
    wrong = [f"{name} is no seed any more" for name in sorted(there.keys() - seeds.keys())]
    wrong += [f"{name} is missing or another than this makes" for name, content in sorted(seeds.items())
              if name not in there or there[name].read_bytes() != content]
    print("\n".join(wrong) or f"{len(seeds)} seeds are what this makes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
