"""Many cases of one law in one test, as a test of each costs more than most laws themselves."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

Values = Iterable[Any] | Callable[[], Iterable[Any]]


def cases(
    names: str | tuple[str, ...], values: Values
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Run a test with each value, as `pytest.mark.parametrize` does, and report all that fail.

    Use it where cases share their fixtures: nothing is set up or undone between two cases. A
    function as `values` is called when the test runs, not while its module is imported.
    """
    parameters = (names,) if isinstance(names, str) else names

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(test)
        shared = [each for name, each in signature.parameters.items() if name not in parameters]
        if len(shared) + len(parameters) != len(signature.parameters):
            raise TypeError(f"{test.__name__} lacks a parameter of {parameters}.")

        def run(**fixtures: Any) -> None:
            failures = _Failures()
            for name, case in _cases(parameters, values):
                with failures.collected(name):
                    test(**fixtures, **case)
            failures.report()

        async def run_async(**fixtures: Any) -> None:
            failures = _Failures()
            for name, case in _cases(parameters, values):
                with failures.collected(name):
                    await test(**fixtures, **case)
            failures.report()

        runs: Any = run_async if inspect.iscoroutinefunction(test) else run
        decorated: Any = functools.wraps(test)(runs)
        decorated.__signature__ = signature.replace(parameters=shared)
        return decorated  # type: ignore[no-any-return]

    return decorate


def _cases(
    parameters: tuple[str, ...], values: Values
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the name of each case, and its arguments by parameter."""
    given = list(values if isinstance(values, Iterable) else values())
    assert given, f"There are no values of {', '.join(parameters)}."
    for value in given:
        if isinstance(value, type(pytest.param())):
            assert not value.marks, "Marks are for cases of parametrize."
            arguments, name = value.values, value.id
        else:
            arguments, name = value if len(parameters) > 1 else (value,), None
        case = dict(zip(parameters, arguments, strict=True))
        yield str(name or ", ".join(f"{key}={each!r:.200}" for key, each in case.items())), case


class _Failures:
    """The failures of the cases of one test."""

    def __init__(self) -> None:
        self._number_of_cases = 0
        self._named: list[tuple[str, BaseException]] = []

    @contextmanager
    def collected(self, name: str) -> Iterator[None]:
        """Keep the failure of a case until all have run."""
        self._number_of_cases += 1
        try:
            yield
        except (Exception, pytest.fail.Exception) as failure:  # a case may fail in any way
            failure.add_note(f"In the case {name}")
            self._named.append((name, failure))

    def report(self) -> None:
        """Raise what has failed, if anything."""
        if len(self._named) == 1:
            raise self._named[0][1]
        if self._named:
            names = "; ".join(name for name, _ in self._named)
            raise BaseExceptionGroup(
                f"{len(self._named)} of {self._number_of_cases} cases fail: {names:.1000}",
                [failure for _, failure in self._named],
            )
