"""Eager starts: a coroutine runs without a task until it has to wait, and is then continued in one.

Code that needs a task before it waits, such as a timeout, first awaits `in_task`.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import copy_context
from functools import partial
from types import coroutine
from typing import Any


@coroutine
def in_task() -> Generator[None, None, None]:
    """Continue in a task; does nothing in a task already."""
    if asyncio.current_task() is None:
        yield


class EagerStart:
    """A coroutine that has run until it waits, and what remains of it."""

    def __init__(self, begin: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.context = copy_context()
        """The context variables of the coroutine, which those of its task must be."""
        self._awaited: Any = None
        self._error: Exception | None = None
        self.is_complete = False
        """Whether the coroutine has returned, without an error."""
        try:
            self.context.run(self._take, begin)
        except StopIteration:
            self.is_complete = True
        except Exception as error:
            self._error = error

    @coroutine
    def rest(self) -> Generator[Any, None, None]:
        """Continue in the task that awaits it; raises the errors of the coroutine."""
        if self._error is not None:
            raise self._error
        awaited = self._awaited
        while not self.is_complete:
            try:
                yield awaited
                step = partial(self._coroutine.send, None)
            except BaseException as error:
                step = partial(self._coroutine.throw, error)
            try:
                awaited = step()
            except StopIteration:
                self.is_complete = True

    def close(self) -> None:
        """End the coroutine where it is; only its `finally` blocks run."""
        self.context.run(self._coroutine.close)

    def _take(self, begin: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._coroutine = begin()
        self._awaited = self._coroutine.send(None)
