"""What a run has measured so far, kept in the scratch folder so that an interrupted run can go on."""

import hashlib
import json
import os

from .errors import CannotRun

FORMAT = 5
NOTHING_TO_GO_ON_WITH = "there is no interrupted run to go on with"


def new_state(options):
    return {"format": FORMAT, "options": options, "finished": False, "rows": {}}


def sum_of(state):
    """The checksum of all but itself, of the state as it is after having been written and read."""
    rest = {field: value for field, value in state.items() if field != "sum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def load(path):
    """The state of the previous run; CannotRun when there is none to go on with. A file that was written by anything else
    counts as damaged, so that the types in it need no further checks."""
    try:
        state = json.loads(path.read_text())
    except OSError:
        raise CannotRun(NOTHING_TO_GO_ON_WITH) from None
    except (ValueError, RecursionError):  # also bytes that are no text
        raise CannotRun(f"{path} is damaged; start anew without --resume") from None
    if not isinstance(state, dict):
        raise CannotRun(f"{path} is damaged; start anew without --resume")
    if state.get("format") != FORMAT:
        raise CannotRun("the interrupted run is of another version; start anew without --resume")
    if state.pop("sum", None) != sum_of(state):
        raise CannotRun(f"{path} is damaged; start anew without --resume")
    return state


def require_same(state, options):
    """Going on with other options would mix two measurements in one table."""
    for name, value in options.items():
        before = state["options"].get(name)
        if before != value:
            raise CannotRun(f"the interrupted run had {name} {before!r}, this one has {value!r}; "
                            "give the same or start anew without --resume")


def save(path, state):
    """Writes the file whole or not at all."""
    fresh = path.with_suffix(".new")
    try:
        fresh.write_text(json.dumps(dict(state, sum=sum_of(json.loads(json.dumps(state)))), indent=1) + "\n")
        os.replace(fresh, path)
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}") from None


def forget(path):
    """Removes the state of the previous run."""
    try:
        path.unlink(missing_ok=True)
    except OSError as reason:
        raise CannotRun(f"{path} cannot be written: {reason.strerror}") from None


def row_of(state, name, digest):
    """The row to fill in; what was measured with another patch is thrown away."""
    row = state["rows"].get(name)
    if row is None or row.get("digest") != digest:
        row = state["rows"][name] = {"digest": digest, "engines": {}, "done": False}
    return row
