"""Shares one budget of engine time: every engine gets its turn before any gets a second, and once a fault is detected the
rest of the budget is not burnt on it."""

LEAST_SECONDS = 0.5  # a shorter turn is none
AFTER_DETECTION = 1 / 60  # of the budget: what an engine that draws at random gets once the fault is detected
OF_THEIR_OWN = 1 / 3  # of what is left: what an engine that ends by itself may take
OF_THE_NEAREST = 1 / 3  # of what is left: what one of those that look first at what was changed may take


class Turn:
    """The result of an engine's turn. `finished`: it ended by itself. `needs_more_than`: seconds that its next turn has to
    be longer than, for else it would only do the same again."""

    def __init__(self, seconds, detected=False, finished=False, needs_more_than=0.0):
        self.seconds, self.detected, self.finished = seconds, detected, finished
        self.needs_more_than = needs_more_than


def share(engine, left_seconds, engines_left, budget_seconds, detected):
    equal = left_seconds / max(engines_left, 1)
    if engine.nearest and not detected:
        equal = max(equal, left_seconds * OF_THE_NEAREST)
    if not engine.random:
        equal = max(equal, left_seconds * OF_THEIR_OWN)
    elif detected:
        equal = min(equal, budget_seconds * AFTER_DETECTION)
    return max(equal, LEAST_SECONDS)


def fresh(engines, budget_seconds):
    """The record of a fault that no engine has run on yet; it outlives an interruption. `waiting`: engines whose turn in
    this round is still to come. `go_on`: those that have a turn in the next round."""
    return {"round": 0, "left": float(budget_seconds), "at_start": float(budget_seconds), "detected": False,
            "waiting": [engine.name for engine in engines], "go_on": [], "needs_more_than": {}, "over": False}


def spend(engines, budget_seconds, run_turn, kept=None, keep=lambda: None):
    """`run_turn(engine, share, round)` returns a Turn. In the first round every engine has its turn, also when it takes
    the budget's last half second each; what one leaves over goes to those after it. There are further rounds only while
    no engine has detected anything: for those that draw at random, and for those whose share ended before they did. `kept`, made by
    fresh(), is updated after every turn, then `keep` is called: with it an interrupted run goes on. Returns the seconds
    spent."""
    kept = fresh(engines, budget_seconds) if kept is None else kept
    known = {engine.name: engine for engine in engines}
    kept["waiting"] = [name for name in kept["waiting"] if name in known]
    while not kept["over"]:
        while kept["waiting"]:
            take_turn(known[kept["waiting"][0]], budget_seconds, run_turn, kept)
            keep()
            if kept["round"] > 0 and (kept["detected"] or kept["left"] <= 0):
                break
        next_round(kept)
    return budget_seconds - kept["left"]


def take_turn(engine, budget_seconds, run_turn, kept):
    seconds = share(engine, kept["left"], len(kept["waiting"]), budget_seconds, kept["detected"])
    if seconds <= kept["needs_more_than"].get(engine.name, 0.0):
        kept["go_on"].append(kept["waiting"].pop(0))  # its share may be larger when others have ended
        return
    turn = run_turn(engine, seconds, kept["round"])
    kept["waiting"].pop(0)
    kept["left"] -= turn.seconds
    kept["detected"] |= turn.detected
    kept["needs_more_than"][engine.name] = turn.needs_more_than
    if engine.random or not turn.finished:
        kept["go_on"].append(engine.name)


def next_round(kept):
    spent = kept["at_start"] - kept["left"]
    kept["over"] = (not kept["go_on"] or kept["detected"] or kept["left"] <= LEAST_SECONDS * len(kept["go_on"])
                    or kept["round"] > 0 and spent < LEAST_SECONDS)  # they end at once: further rounds would never end
    kept.update(round=kept["round"] + 1, at_start=kept["left"], waiting=kept["go_on"], go_on=[])
