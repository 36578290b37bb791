"""Messages to MCP that arrive in parts, slowly or not at all, and tools that fail."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any, cast

import pytest
from agents import HOST
from contract.visitor import Visitor

from app.features.mcp.endpoint import BodyTooSlow, McpEndpoint, read_body
from app.features.mcp.methods import Methods
from app.features.mcp.tool import Arguments, Manual, Tool, ToolContext
from app.platform.asgi.scope import Receive
from app.services import services_of
from app.web.http.bodies import MAX_BYTES, BodyTooLarge
from app.web.http.request_context import RequestContext

SECONDS = 0.01


class Nothing(Arguments):
    """No arguments."""


def _fail(_: ToolContext, __: Nothing) -> Nothing:
    raise ZeroDivisionError("a detail of the code")


def receiving(*parts: dict[str, Any]) -> Receive:
    """Return a client that sends these events, and then nothing."""
    events = iter(parts)

    async def receive() -> Any:
        event = next(events, None)
        if event is None:
            await asyncio.Event().wait()
        return event

    return cast(Receive, receive)


def part(body: bytes, more: bool) -> dict[str, Any]:
    """Return the event of a part of a body."""
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_may_come_in_parts() -> None:
    """They are joined."""
    receive = receiving(part(b"{", True), part(b"", True), part(b"}", False))
    assert asyncio.run(read_body(receive, SECONDS)) == b"{}"


@pytest.mark.parametrize("events", [(), (part(b"{", True),)])
def test_a_body_that_does_not_arrive_is_not_waited_for(events: Sequence[dict[str, Any]]) -> None:
    """The client gets 408."""
    with pytest.raises(BodyTooSlow):
        asyncio.run(read_body(receiving(*events), SECONDS))


def test_a_body_that_is_too_large_is_not_read_to_its_end() -> None:
    """The first byte above the limit ends it."""
    with pytest.raises(BodyTooLarge):
        asyncio.run(read_body(receiving(part(b" " * (MAX_BYTES + 1), True)), SECONDS))


def test_a_client_that_leaves_gets_no_answer() -> None:
    """Nobody would read it."""
    receive = receiving(part(b"{", True), {"type": "http.disconnect"})
    assert asyncio.run(read_body(receive, SECONDS)) is None


def test_a_tool_that_fails_is_an_internal_error(caplog: pytest.LogCaptureFixture) -> None:
    """The log has the cause, and the client does not."""
    broken = Tool("broken", "Broken", "Fails.", Nothing, Nothing, _fail)

    async def count(_: RequestContext) -> None:
        pass

    no_manual = cast(Manual, None)
    with Visitor(mcp=True) as visitor:
        endpoint = McpEndpoint(services_of(visitor.quart), Methods((broken,)), count, no_manual)
        message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "broken"}}
        context = visitor.context("POST", "/mcp", HOST)
        with caplog.at_level(logging.ERROR, "app.features.mcp.endpoint"):
            answer = asyncio.run(endpoint.answer(context, json.dumps(message).encode()))
    told = json.loads(answer.body)
    assert (answer.status, told["id"], told["error"]["code"]) == (500, 7, -32603)
    assert b"detail" not in answer.body
    assert "a detail of the code" in caplog.text
