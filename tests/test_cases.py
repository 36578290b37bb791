"""Cases in one test: all run, and those that fail are told by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import cases

from knowledge.locales.locale import Language


def test_every_case_runs_and_each_failure_is_named() -> None:
    """Also where two decorators make products, and a value has an id."""
    seen = []

    @cases("second", [1, 2])
    @cases("first", [pytest.param("a", id="the a"), "b"])
    def law(first: str, second: int) -> None:
        seen.append((first, second))
        assert first == "a"

    with pytest.raises(ExceptionGroup) as raised:
        law()
    assert seen == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert "2 of 2 cases fail: second=1; second=2" in str(raised.value)
    assert raised.value.exceptions[0].__notes__ == ["In the case first='b'", "In the case second=1"]


def test_a_single_failure_is_raised_as_it_is() -> None:
    """With the name of its case; so is a call of `pytest.fail`."""

    @cases(("number", "is_right"), [(1, True), pytest.param(2, False, id="two")])
    def law(number: int, is_right: bool) -> None:
        if not is_right:
            pytest.fail(f"{number}")

    with pytest.raises(pytest.fail.Exception, match="2") as raised:
        law()
    assert raised.value.__notes__ == ["In the case two"]


async def test_a_coroutine_is_awaited_for_each_case() -> None:
    """Its failures are those of the test."""

    @cases("number", [1, 2])
    async def law(number: int) -> None:
        assert number == 1

    with pytest.raises(AssertionError) as raised:
        await law()
    assert raised.value.__notes__ == ["In the case number=2"]


def test_values_of_a_function_are_computed_when_the_test_runs() -> None:
    """None at all are a failure, as nothing would be tested."""
    computed = []

    def none() -> Iterator[int]:
        computed.append(True)
        yield from ()

    @cases("number", none)
    def law(number: int) -> None:
        raise NotImplementedError

    assert computed == []
    with pytest.raises(AssertionError, match="no values of number"):
        law()
    with pytest.raises(TypeError, match="lacks a parameter"):
        cases("other", [1])(law)


def test_the_members_of_an_enumeration_are_values() -> None:
    """The class of it is no function of values, though it can be called."""
    seen: list[Language] = []

    @cases("member", Language)
    def law(member: Language) -> None:
        seen.append(member)

    law()
    assert seen == list(Language)


@cases("number", [1, 2])
def test_fixtures_are_shared(request: pytest.FixtureRequest, tmp_path: Path, number: int) -> None:
    """They are arguments of the decorated test, and its cases are not."""
    assert "number" not in request.fixturenames
    assert [int(path.name) for path in tmp_path.iterdir()] == [1][: number - 1]
    (tmp_path / f"{number}").touch()
