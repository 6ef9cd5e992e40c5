"""Shares one budget of engine time: every engine gets its turn before any gets a second, and once a fault is detected the
rest of the budget is not burnt on it."""

LEAST_SECONDS = 0.5  # a shorter turn is none
AFTER_DETECTION = 1 / 60  # of the budget: what an engine that draws at random gets once somebody has detected the fault
OF_THEIR_OWN = 1 / 3  # of what is left: what an engine that ends by itself may take


class Turn:
    """What an engine's turn came to. `finished`: it ended by itself."""

    def __init__(self, seconds, detected=False, finished=False):
        self.seconds, self.detected, self.finished = seconds, detected, finished


def share(engine, left_seconds, engines_left, budget_seconds, detected):
    equal = left_seconds / max(engines_left, 1)
    if not engine.random:
        equal = max(equal, left_seconds * OF_THEIR_OWN)
    elif detected:
        equal = min(equal, budget_seconds * AFTER_DETECTION)
    return max(equal, LEAST_SECONDS)


def spend(engines, budget_seconds, run_turn):
    """`run_turn(engine, share, round)` gives a Turn. In the first round every engine has its turn, also when it takes
    the budget's last half second each; what one leaves over goes to those after it. Further rounds only while nobody has
    detected anything: for engines that draw at random, and for those whose share ended before they did. Gives the seconds
    spent."""
    left, detected = float(budget_seconds), False
    round_number, going_on = 0, list(engines)
    while going_on:
        before, unfinished = left, []
        for number, engine in enumerate(going_on):
            turn = run_turn(engine, share(engine, left, len(going_on) - number, budget_seconds, detected), round_number)
            left -= turn.seconds
            detected |= turn.detected
            if engine.random or not turn.finished:
                unfinished.append(engine)
            if round_number > 0 and (detected or left <= 0):
                break
        going_on = unfinished
        if detected or left <= LEAST_SECONDS * len(going_on):
            break
        if round_number > 0 and before - left < LEAST_SECONDS:  # they end at once: no use in turning for ever
            break
        round_number += 1
    return budget_seconds - left
