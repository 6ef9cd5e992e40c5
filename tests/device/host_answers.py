"""What the host's command says of a model, in the lines of the device's program."""

import json
import pathlib
import struct
import subprocess
import tempfile

BYTES_OF_A_LINE = 64


class CouldNotRun(Exception):
    """There is nothing to compare."""


def run_host(arenaproof, *arguments):
    done = subprocess.run([arenaproof, *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CouldNotRun(f"arenaproof {' '.join(arguments)} ends with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def input_bytes(given, number):
    """As the device makes them (model_run.cc)."""
    values = [(37 * i + 11 * number + 5) % 256 for i in range(given["bytes"])]
    if given["type"] != "FLOAT32":
        return bytes(values)
    return b"".join(struct.pack("<f", (value - 128) / 64) for value in values[:given["bytes"] // 4])


def host_outputs(arenaproof, path):
    inputs = run_host(arenaproof, "run", path)["inputs"]
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--output-dir={folder}"]
        for number, given in enumerate(inputs):
            file = pathlib.Path(folder) / f"input_{number}.bin"
            file.write_bytes(input_bytes(given, number))
            options.append(f"--input={number}:{file}")
        outputs = run_host(arenaproof, "run", path, *options)["outputs"]
        return [(pathlib.Path(folder) / f"output_{number}.bin").read_bytes() for number in range(len(outputs))]


def output_lines(outputs, word):
    return [f"{word} {number} {output[begin:begin + BYTES_OF_A_LINE].hex()}"
            for number, output in enumerate(outputs) for begin in range(0, len(output), BYTES_OF_A_LINE)]


def expected_lines(arenaproof, models, name):
    """What the device has to print: before the canary runs; of the outputs under it; of what it watched."""
    path = str(models / f"{name}.tflite")
    size = run_host(arenaproof, "size", path, "--target=arm32")["faithful"]
    plan = [f"plan tensor {buffer['tensor']}" if buffer["tensor"] >= 0 else f"plan scratch {buffer['scratch']}"
            for buffer in size["plan"]]
    lines = [f"model {name}"]
    lines += [f"{who} offset {buffer['offset']} bytes {buffer['bytes']}" for who, buffer in zip(plan, size["plan"])]
    lines += [f"need {size['need_bytes']} head {size['head_bytes']} tail {size['tail_bytes']}"]
    outputs = host_outputs(arenaproof, path)
    operator_count = sum(len(graph["operators"]) for graph in run_host(arenaproof, "describe", path)["subgraphs"])
    # Reference kernels have no init: each operator's code runs in prepare and in invoke.
    watched = f"canary watched {2 * operator_count} runs of operators' code and not 0"
    return lines + output_lines(outputs, "output"), output_lines(outputs, "watched-output"), watched
