"""What ends a run before its time, and the exit statuses of the command."""

ALL_DETECTED = 0  # and the control clean
NOT_ALL = 1
COULD_NOT_RUN = 2
INTERNAL_ERROR = 3


class CannotRun(Exception):
    """One sentence with the reason, for the caller of the command. Exit status 2."""


class DoesNotApply(CannotRun):
    """The tree has no place for a patch."""


class DoesNotBuild(Exception):
    """The patched tree does not build; the text is the compiler's."""
