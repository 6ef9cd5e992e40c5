"""Shares one budget of engine time fairly: every engine gets its turn before any gets a second."""

LEAST_SECONDS = 0.5  # a shorter turn is none


class Turn:
    """What an engine's turn came to."""

    def __init__(self, seconds, detected=False, finished=False):
        self.seconds, self.detected, self.finished = seconds, detected, finished


def share(left_seconds, engines_left):
    return max(left_seconds / max(engines_left, 1), LEAST_SECONDS)


def spend(engines, budget_seconds, run_turn):
    """`run_turn(engine, share, round)` gives a Turn. In the first round every engine has its turn, also when it takes
    the budget's last half second each; what one leaves over goes to those after it. Further rounds, for engines that
    draw at random, only while nobody has detected anything. Gives the seconds spent."""
    left, detected = float(budget_seconds), False
    for number, engine in enumerate(engines):
        turn = run_turn(engine, share(left, len(engines) - number), 0)
        left -= turn.seconds
        detected |= turn.detected
    round_number = 1
    random = [engine for engine in engines if engine.random]
    while not detected and random and left > LEAST_SECONDS * len(random):
        before = left
        for number, engine in enumerate(random):
            turn = run_turn(engine, share(left, len(random) - number), round_number)
            left -= turn.seconds
            detected |= turn.detected
            if detected or left <= 0:
                break
        if before - left < LEAST_SECONDS:  # they end at once: no use in turning for ever
            break
        round_number += 1
    return budget_seconds - left
