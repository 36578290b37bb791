"""What can go wrong when published knowledge is asked for.

    MajlisError
    ├── InvalidArgument      a value outside what its parameter allows
    ├── NotFound             nothing of that name is published anywhere
    │   └── NotPublishedHere published, but not for the locale asked
    │                        (with its body, in `knowledge.resources.missing`)
    └── ContentUnavailable   there is no edition to answer from

None of them knows an HTTP status; `app.error_handlers` has the table.
"""

from __future__ import annotations


class MajlisError(Exception):
    """Root of the tree: `message` says what is wrong, `resolution` what to do next."""

    def __init__(self, message: str, resolution: str) -> None:
        super().__init__(message)
        self.message = message
        self.resolution = resolution


class InvalidArgument(MajlisError):
    """A caller's value is outside what the named parameter allows."""

    def __init__(self, parameter: str, problem: str, allowed: str) -> None:
        super().__init__(f"{parameter}: {problem}", f"Send {parameter} as {allowed}.")
        self.parameter = parameter


class NotFound(MajlisError):
    """Nothing of that name is published in any locale."""


class ContentUnavailable(MajlisError):
    """The content cannot be read at the moment; asking again later may work."""
