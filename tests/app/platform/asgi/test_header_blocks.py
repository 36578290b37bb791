"""Header blocks: what is encoded once, and what the HTTP library has to send."""

from __future__ import annotations

import pytest
from cases import cases

from app.platform.asgi.scope import HeaderBlock, HeaderBlocks, blocks_of, with_blocks

DATE = HeaderBlock([(b"date", b"now")])


def test_a_block_is_encoded_once() -> None:
    """Also for the responses after the first one."""
    block = HeaderBlock([(b"content-length", b"2"), (b"etag", b'"a"')])
    encoded = block.encoded()
    assert encoded is not None
    assert encoded.lines == b'content-length: 2\r\netag: "a"\r\n'
    assert encoded.content_length == b"2"
    assert block.encoded() is encoded


@cases(
    "header",
    [
        pytest.param((b"connection", b"close"), id="the connection"),
        pytest.param((b"transfer-encoding", b"chunked"), id="framing"),
        pytest.param((b"trailer", b"etag"), id="trailers"),
        pytest.param((b"link", b"a\r\nset-cookie: b"), id="a value of two lines"),
        pytest.param((b"link", b"a\nb"), id="a line feed"),
        pytest.param((b"link", b"a\rb"), id="a carriage return"),
        pytest.param((b"link", b"a\0b"), id="a NUL"),
    ],
)
def test_what_concerns_the_connection_or_breaks_its_line_is_left_to_the_library(
    header: tuple[bytes, bytes],
) -> None:
    """As it would be if the response were not plain."""
    assert HeaderBlock([(b"etag", b'"a"'), header]).encoded() is None


def test_a_response_shares_blocks_and_adds_its_own() -> None:
    """The shared ones stay as they are."""
    shared = HeaderBlocks(HeaderBlock([(b"etag", b'"a"')]))
    extended = with_blocks(shared, DATE)
    assert list(extended) == [(b"etag", b'"a"'), (b"date", b"now")]
    assert extended.blocks == (*shared.blocks, DATE)
    assert list(shared) == [(b"etag", b'"a"')]


def test_headers_of_an_application_are_one_block() -> None:
    """Whatever kind of iterable it sends."""
    headers = ((name, b"1") for name in (b"a", b"b"))
    [block] = blocks_of(headers)
    assert block.headers == [(b"a", b"1"), (b"b", b"1")]
