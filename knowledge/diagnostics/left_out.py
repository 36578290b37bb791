"""Left-out documents: a document that cannot be rendered is omitted from lists.

Values are validated when they are parsed. This is the second line of defence, for unforeseen
errors. Use it wherever many documents become one resource or representation. Only the document's
own page answers 500.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.diagnostics.kinds import DiagnosticKind

log = logging.getLogger(__name__)

Item = TypeVar("Item")
Made = TypeVar("Made")

_MAX_REASON_CHARACTERS = 200


class LeftOut:
    """The documents of one edition that could not be rendered, by path; each is logged once."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    def note(self, path: str, error: Exception) -> None:
        """Record the first error of a document."""
        if path in self._reasons:
            return
        self._reasons[path] = f"{type(error).__name__}: {error}"[:_MAX_REASON_CHARACTERS]
        log.error("%s is left out of lists: %s", path, self._reasons[path])

    def each(
        self,
        items: Iterable[Item],
        make: Callable[[Item], Made],
        path_of: Callable[[Item], str],
    ) -> Iterator[Made]:
        """Yield `make(item)` for each item; record and omit items for which it raises."""
        for item in items:
            try:
                result = make(item)
            except Exception as error:  # one broken document must not affect the others
                self.note(path_of(item), error)
            else:
                yield result

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics for `majlis check`."""
        for path, reason in self._reasons.items():
            yield unshowable(path, reason)


def unshowable(path: str, reason: str) -> Diagnostic:
    """Return the diagnostic of a document that was loaded but cannot be rendered."""
    message = f"The document cannot be rendered: {reason}."
    suggestion = "Undo or simplify the last edit, and report this as a bug."
    return Diagnostic(path, message, suggestion, kind=DiagnosticKind.UNRENDERABLE)
