"""Errors of requests for published content.

MajlisError
    ├── InvalidArgument      a parameter has a value that is not allowed
    ├── NotFound             nothing of that name is published in any locale
    │   └── NotPublishedHere published, but not in the requested locale
    │                        (with its body, in `knowledge.resources.document_page`)
    ├── Gone                 what was at this path has been removed on purpose
    └── ContentUnavailable   no content is loaded

Each class that is raised has the HTTP `status` of its response.
"""

from collections.abc import Mapping
from typing import ClassVar

from knowledge.diagnostics.messages import Text


class MajlisError(Exception):
    """Base class: `message` says what is wrong, `resolution` what to do next.

    `headers` are added to the response.
    """

    status: ClassVar[int]

    def __init__(
        self, message: str, resolution: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.resolution = resolution
        self.headers = headers or {}


class InvalidArgument(MajlisError):
    """A parameter has a value that is not allowed."""

    status = 400

    def __init__(self, parameter: str, problem: str, allowed: str) -> None:
        super().__init__(f"{parameter}: {problem}", Text("Send {} as {}.", parameter, allowed))
        self.parameter = parameter


class NotFound(MajlisError):
    """Nothing of that name is published in any locale."""

    status = 404


class Gone(MajlisError):
    """What was at this path has been removed on purpose."""

    status = 410


class ContentUnavailable(MajlisError):
    """The content cannot be read at the moment; a later request may succeed."""

    status = 503
