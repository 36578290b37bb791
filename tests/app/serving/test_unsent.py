"""Unsent bodies: each counts once, and the slowest client gives way."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from app.serving.unsent import UnsentBodies

BODY = bytes(10)


def test_a_body_that_several_are_sent_counts_once() -> None:
    """It is in memory once."""
    unsent = UnsentBodies(most_bytes=15)
    given_up: list[int] = []
    with unsent.sending(BODY, lambda: given_up.append(1)):
        with unsent.sending(BODY, lambda: given_up.append(2)):
            assert unsent.size == 10
        assert unsent.size == 10
    assert (unsent.size, given_up) == (0, [])


def test_who_has_taken_nothing_for_the_longest_is_given_up() -> None:
    """As soon as another body would be too much."""
    unsent = UnsentBodies(most_bytes=25)
    given_up: list[int] = []
    with ExitStack() as opened:
        for number in range(4):
            body = bytes([number]) * 10
            sending = unsent.sending(body, partial(given_up.append, number))
            moving = opened.enter_context(sending)
            if number == 0:
                first = moving
            if number == 2:
                first.moved()
        assert given_up == [0, 1]
    assert unsent.size == 0


def test_one_body_alone_may_be_larger() -> None:
    """It has to be sent somehow."""
    unsent = UnsentBodies(most_bytes=5)
    with unsent.sending(BODY, lambda: None):
        assert unsent.size == 10
