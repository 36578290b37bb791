"""Left out: a document that cannot be shown is missing where it is listed, and breaks nothing else.

Values are checked where they are read. This is the second line of defence, for what no check
foresees. It stands where many documents become one resource or one representation; the page of
such a document alone answers 500.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from knowledge.diagnostics import Diagnostic

log = logging.getLogger(__name__)

Thing = TypeVar("Thing")
Made = TypeVar("Made")

_REASON_CHARACTERS = 200


class LeftOut:
    """The documents of one edition that could not be shown, by path; each is logged once."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    def note(self, path: str, error: Exception) -> None:
        """Remember what went wrong with a document."""
        if path in self._reasons:
            return
        self._reasons[path] = f"{type(error).__name__}: {error}"[:_REASON_CHARACTERS]
        log.error("%s is left out of lists: %s", path, self._reasons[path])

    def each(
        self,
        things: Iterable[Thing],
        make: Callable[[Thing], Made],
        path_of: Callable[[Thing], str],
    ) -> Iterator[Made]:
        """What is made of each thing, without those of which nothing can be made."""
        for thing in things:
            try:
                made = make(thing)
            except Exception as error:  # whatever it is, the others are shown
                self.note(path_of(thing), error)
            else:
                yield made

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """What `majlis check` says of them."""
        for path, reason in self._reasons.items():
            yield unshowable(path, reason)


def unshowable(path: str, reason: str) -> Diagnostic:
    """The fault of a document that is served, but cannot be shown."""
    message = f"It cannot be shown: {reason}."
    return Diagnostic(path, message, "Simplify what was written last, and report this as a bug.")
