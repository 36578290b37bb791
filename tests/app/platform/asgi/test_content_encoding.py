"""Content codings: the choice, and that every coding decodes to the same body."""

from __future__ import annotations

import gzip

import brotli
import pytest
from backports import zstd
from cases import cases
from contract.visitor import Reply, Visitor

from app.platform.asgi import caching

LONG = "/api/public/v1/locale-content/erp"
TEXT = "واحات Wahat ".encode() * 100


@cases(
    ("accept_encoding", "chosen"),
    [
        pytest.param(None, "identity", id="no header"),
        pytest.param("", "identity", id="empty header"),
        pytest.param("gzip", "gzip", id="gzip alone"),
        pytest.param("br", "br", id="brotli alone"),
        pytest.param("gzip, deflate, br, zstd", "br", id="a browser"),
        pytest.param("gzip, deflate, zstd", "zstd", id="Zstandard before gzip"),
        pytest.param("br;q=0.9, zstd", "zstd", id="Zstandard preferred"),
        pytest.param("zstd;q=0, gzip", "gzip", id="Zstandard refused"),
        pytest.param("GZIP", "gzip", id="case does not matter"),
        pytest.param("gzip;q=1.0, br;q=0.5", "gzip", id="the client's order of quality"),
        pytest.param("br;q=0, gzip", "gzip", id="brotli refused"),
        pytest.param("gzip;q=0, br;q=0", "identity", id="both refused"),
        pytest.param("*", "br", id="anything"),
        pytest.param("*;q=0", "identity", id="nothing"),
        pytest.param("br;q=0, *;q=0.5", "zstd", id="anything but brotli"),
        pytest.param("identity", "identity", id="identity alone"),
        pytest.param("identity;q=1, gzip;q=0.5", "identity", id="identity preferred"),
        pytest.param("deflate, compress", "identity", id="only unsupported codings"),
        pytest.param("gzip;q=nonsense, br;q=0.1", "br", id="malformed quality counts as none"),
    ],
)
def test_the_coding_is_the_best_that_the_client_accepts(
    accept_encoding: str | None, chosen: str
) -> None:
    """RFC 9110, section 12.5.3; brotli before Zstandard before gzip among equals."""
    assert caching.choose(accept_encoding) == chosen


@cases("coding", ["identity", "gzip", "br", "zstd"])
def test_the_same_body_is_encoded_the_same_each_time(
    monkeypatch: pytest.MonkeyPatch, coding: str
) -> None:
    """A strong ETag promises equal bytes, so no time of day may get into them."""
    first = caching.encode(TEXT, coding)
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    assert caching.encode(TEXT, coding) == first


def test_a_browser_can_decode_a_large_body_of_zstandard() -> None:
    """Browsers refuse windows over 8 MiB (RFC 9659)."""
    body = caching.encode(TEXT * 5_000, "zstd")
    limits: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
    assert len(zstd.decompress(body, options=limits)) == len(TEXT) * 5_000 > 8 * 1024 * 1024


def decoded(reply: Reply) -> bytes:
    """The body without its coding."""
    coding = reply.headers.get("Content-Encoding")
    if coding == "gzip":
        return gzip.decompress(reply.body)
    if coding == "zstd":
        return bytes(zstd.decompress(reply.body))
    return bytes(brotli.decompress(reply.body)) if coding == "br" else reply.body


@cases("coding", ["gzip", "br", "zstd"])
def test_an_encoded_answer_decodes_to_the_identity_answer(sample: Visitor, coding: str) -> None:
    """The content is the same in every coding."""
    plain = sample.get(LONG)
    encoded = sample.get(LONG, {"Accept-Encoding": coding})
    assert encoded.headers["Content-Encoding"] == coding
    assert decoded(encoded) == plain.body
    assert len(encoded.body) < len(plain.body)
    assert int(encoded.headers["Content-Length"]) == len(encoded.body)


def test_each_coding_has_its_own_etag(sample: Visitor) -> None:
    """A strong ETag identifies the bytes sent; Vary names the headers they depend on."""
    replies = [
        sample.get(LONG, {"Accept-Encoding": name}) for name in ("identity", "gzip", "br", "zstd")
    ]
    assert len({reply.headers["ETag"] for reply in replies}) == len(replies)
    assert all("Accept-Encoding" in reply.headers["Vary"] for reply in replies)
    assert "Content-Encoding" not in replies[0].headers


@cases("coding", ["identity", "gzip", "br", "zstd"])
def test_an_etag_matches_in_its_own_coding(sample: Visitor, coding: str) -> None:
    """304 is decided on the representation that would be sent."""
    headers = {"Accept-Encoding": coding}
    etag = sample.get(LONG, headers).headers["ETag"]
    again = sample.get(LONG, {**headers, "If-None-Match": etag})
    assert (again.status, again.headers["ETag"]) == (304, etag)
    assert "Content-Encoding" not in again.headers


def test_an_etag_of_one_coding_is_not_taken_for_another(sample: Visitor) -> None:
    """A client that has the gzip bytes does not have the brotli bytes."""
    etag = sample.get(LONG, {"Accept-Encoding": "gzip"}).headers["ETag"]
    assert sample.get(LONG, {"Accept-Encoding": "br", "If-None-Match": etag}).status == 200


def test_a_client_that_refuses_every_coding_gets_the_plain_bytes(sample: Visitor) -> None:
    """An uncompressed response is better than an error."""
    reply = sample.get(LONG, {"Accept-Encoding": "gzip;q=0, br;q=0, zstd;q=0"})
    assert reply.status == 200
    assert reply.json == sample.get(LONG).json
