"""Errors of requests for published content.

    MajlisError
    ├── InvalidArgument      a parameter has a value that is not allowed
    ├── NotFound             nothing of that name is published in any locale
    │   └── NotPublishedHere published, but not in the requested locale
    │                        (with its body, in `knowledge.resources.missing`)
    └── ContentUnavailable   no content is loaded

`app.error_handlers` maps them to HTTP statuses.
"""

from __future__ import annotations


class MajlisError(Exception):
    """Base class: `message` says what is wrong, `resolution` what to do next."""

    def __init__(self, message: str, resolution: str) -> None:
        super().__init__(message)
        self.message = message
        self.resolution = resolution


class InvalidArgument(MajlisError):
    """A parameter has a value that is not allowed."""

    def __init__(self, parameter: str, problem: str, allowed: str) -> None:
        super().__init__(f"{parameter}: {problem}", f"Send {parameter} as {allowed}.")
        self.parameter = parameter


class NotFound(MajlisError):
    """Nothing of that name is published in any locale."""


class ContentUnavailable(MajlisError):
    """The content cannot be read at the moment; a later request may succeed."""
