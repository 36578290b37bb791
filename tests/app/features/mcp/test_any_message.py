"""Any body is answered as the protocol demands, and never with a failure of the service."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from agents import META, NEWEST, OLDER, posted
from contract.visitor import Visitor
from hypothesis import example, given
from hypothesis import strategies as st

METHODS = (
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/list",
    "notifications/initialized",
)
ANSWERS = {
    (200, None),
    (200, -32601),
    (200, -32602),
    (200, -32002),
    (202, None),
    (400, -32700),
    (400, -32600),
    (400, -32602),
    (400, -32020),
    (400, -32022),
    (404, -32601),
}
"""Every status with the error codes that it may have."""

TEXTS = st.text(max_size=20)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["search", "fetch", "find_passages", "list_pages", "", "x"])
ARGUMENTS = st.dictionaries(
    st.sampled_from(["query", "id", "country", "lang", "kind", "limit", "cursor", "max_tokens"])
    | TEXTS,
    VALUES,
    max_size=4,
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "_meta": st.just(META) | VALUES,
        "name": NAMES | VALUES,
        "arguments": ARGUMENTS | VALUES,
        "uri": st.just("https://www.wahat.example/ae/en/erp.md") | VALUES,
        "cursor": VALUES,
        "protocolVersion": st.sampled_from(OLDER) | VALUES,
    },
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | SCALARS, "method": st.sampled_from(METHODS) | VALUES},
    optional={"id": st.integers() | TEXTS | VALUES, "params": PARAMS | VALUES},
)
BODIES = (
    st.binary(max_size=60)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | MESSAGES.map(lambda message: json.dumps(message).encode())
    | st.tuples(MESSAGES, st.integers(0, 80)).map(lambda cut: json.dumps(cut[0]).encode()[: cut[1]])
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "MCP-Protocol-Version": st.sampled_from([NEWEST, *OLDER, "", "1999-01-01"]),
        "Mcp-Method": st.sampled_from(METHODS),
        "Mcp-Name": st.sampled_from(["search", "=?base64?c2VhcmNo?=", "=?base64??=", "x"]),
    },
)


def refused_as(body: bytes) -> tuple[int, int] | None:
    """Return the answer to what is no message, whatever its revision; None for a message."""
    try:
        value: Any = json.loads(body.decode(), parse_constant=_refuse)
    except ValueError:
        return 400, -32700
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return 400, -32600
    sent = value.get("id", 0)
    is_id = isinstance(sent, str | int) and not isinstance(sent, bool)
    if not is_id or not isinstance(value.get("method"), str):
        return 400, -32600
    params = value.get("params")  # some clients send null instead of none
    return None if params is None or isinstance(params, dict) else (400, -32602)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


@example(body=b'{"jsonrpc":"2.0","method":"","params":null}', headers={})
@given(body=BODIES, headers=HEADERS)
def test_every_body_has_the_answer_that_the_protocol_demands(
    site: Visitor, body: bytes, headers: dict[str, str]
) -> None:
    """Its error code, its status, and the id if it has one."""
    reply = posted(site, body, headers)
    answer = reply.json if reply.body else {}
    answered = reply.status, answer.get("error", {}).get("code")
    assert answered in ANSWERS
    expected = refused_as(body)
    if expected is not None:
        assert answered == expected
    elif reply.status != 202:
        value = json.loads(body)
        assert answer.get("id") == value.get("id")
        assert ("result" in answer) is (answered[1] is None)
    if reply.body:
        assert answer["jsonrpc"] == "2.0"
