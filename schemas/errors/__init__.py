"""The error that a user can fix."""

from __future__ import annotations


class UserError(Exception):
    """An error of the run that its user can fix.

    The message is one or more plain sentences: the thing, the place and the remedy.
    The command line prints it without a traceback and exits with ``exit_code``.
    """

    exit_code = 1
