"""What a run has measured so far, kept in the scratch folder so that an interrupted run can go on."""

import json
import os

from .errors import CannotRun

FORMAT = 4


def new_state(options):
    return {"format": FORMAT, "options": options, "finished": False, "rows": {}}


def load(path):
    """Of the run before; CannotRun when there is none to go on with."""
    try:
        state = json.loads(path.read_text())
    except OSError:
        raise CannotRun("there is no interrupted run to go on with") from None
    except ValueError:  # also bytes that are no text
        raise CannotRun(f"{path} is damaged; start anew without --resume") from None
    if not isinstance(state, dict):
        raise CannotRun(f"{path} is damaged; start anew without --resume")
    if state.get("format") != FORMAT:
        raise CannotRun("the interrupted run is of another version; start anew without --resume")
    if not all(isinstance(state.get(field), dict) for field in ("options", "rows")):
        raise CannotRun(f"{path} is damaged; start anew without --resume")
    return state


def require_same(state, options):
    """Going on with other options would mix two measurements in one table."""
    for name, value in options.items():
        before = state["options"].get(name)
        if before != value:
            raise CannotRun(f"the interrupted run had {name} {before!r}, this one has {value!r}; "
                            "say the same or start anew without --resume")


def save(path, state):
    """Whole or not at all."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(state, indent=1) + "\n")
    os.replace(fresh, path)


def row_of(state, name, digest):
    """The row to fill in; what was measured with another patch is thrown away."""
    row = state["rows"].get(name)
    if row is None or row.get("digest") != digest:
        row = state["rows"][name] = {"digest": digest, "engines": {}, "done": False}
    return row
