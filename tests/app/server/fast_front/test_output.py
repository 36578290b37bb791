"""Unsent bodies: each counts once, and the slowest client is disconnected."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from app.server.fast_front.connections import UnsentBodies

BODY = bytes(10)


def test_a_body_sent_to_several_clients_counts_once() -> None:
    """It is in memory once."""
    unsent = UnsentBodies(max_bytes=15)
    given_up: list[int] = []
    with unsent.sending(BODY, lambda: given_up.append(1)):
        with unsent.sending(BODY, lambda: given_up.append(2)):
            assert unsent.size == 10
        assert unsent.size == 10
    assert (unsent.size, given_up) == (0, [])


def test_the_client_without_progress_for_the_longest_is_disconnected() -> None:
    """As soon as another body would exceed the limit."""
    unsent = UnsentBodies(max_bytes=25)
    given_up: list[int] = []
    with ExitStack() as stack:
        for number in range(4):
            body = bytes([number]) * 10
            give_up = partial(given_up.append, number)
            sending = stack.enter_context(unsent.sending(body, give_up))
            if number == 0:
                first = sending
            if number == 2:
                first.note_progress()
        assert given_up == [0, 1]
    assert unsent.size == 0


def test_a_single_body_may_exceed_the_limit() -> None:
    """Otherwise it could not be sent at all."""
    unsent = UnsentBodies(max_bytes=5)
    with unsent.sending(BODY, lambda: None):
        assert unsent.size == 10
