"""Denser codings: what is asked for again is compressed better, and remains the same page."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
from conftest import Visit
from contract.visitor import Reply, Visitor

from app.services import Services

PAGE = {"pages/x.md": "---\ntitle: T\n---\n" + "A text of many words. " * 40, "pages/y.md": "Y"}
BROTLI = {"Accept-Encoding": "br", "Accept": "text/html"}


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """A site with one long page."""
    return visit(PAGE)


def compress_what_is_in_demand(visitor: Visitor) -> None:
    """Let the background task do its work once."""
    services: Services = visitor.quart.extensions["majlis"]

    async def improve() -> None:
        with ThreadPoolExecutor(1) as executor:
            await services.denser_codings.improve(asyncio.Event(), executor)

    visitor.run(improve())


def asked(visitor: Visitor, times: int, **headers: str) -> Reply:
    """Return the last of several answers in brotli."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return [visitor.get("/ae/en/x", BROTLI | named) for _ in range(times)][-1]


def test_a_page_in_demand_is_compressed_better(visitor: Visitor) -> None:
    """The same text in fewer bytes, with the tag and the length of these."""
    before = asked(visitor, 2)
    compress_what_is_in_demand(visitor)
    after = asked(visitor, 1)
    assert brotli.decompress(after.body) == brotli.decompress(before.body)
    assert len(after.body) < len(before.body)
    assert after.headers["Content-Length"] == str(len(after.body))
    assert after.headers["ETag"] == f'{before.headers["ETag"][:-1]}11"'
    others = ("Content-Type", "Content-Encoding", "Cache-Control", "Vary")
    assert [after.headers[name] for name in others] == [before.headers[name] for name in others]


def test_both_forms_are_known_to_be_current(visitor: Visitor) -> None:
    """A client keeps what it has: also one whose tag comes from another process."""
    quick = asked(visitor, 2).headers["ETag"]
    denser = f'{quick[:-1]}11"'
    for _ in range(2):
        for tag in (quick, denser):
            reply = asked(visitor, 1, If_None_Match=tag)
            assert (reply.status, reply.headers["ETag"]) == (304, tag)
        assert asked(visitor, 1, If_None_Match='"other-br"').status == 200
        compress_what_is_in_demand(visitor)


def test_a_page_that_is_asked_for_once_is_left_alone(visitor: Visitor) -> None:
    """Most pages that a crawler reads are; compressing them well would take longer than all."""
    before = asked(visitor, 1)
    compress_what_is_in_demand(visitor)
    assert asked(visitor, 1).headers["ETag"] == before.headers["ETag"]


def test_other_codings_are_left_alone(visitor: Visitor) -> None:
    """Clients that choose them gain less."""
    for coding in ("gzip", "zstd", "identity"):
        before = asked(visitor, 2, Accept_Encoding=coding)
        compress_what_is_in_demand(visitor)
        assert asked(visitor, 1, Accept_Encoding=coding).body == before.body


def test_an_answer_that_is_replaced_meanwhile_stays(visitor: Visitor) -> None:
    """An edit between the two leaves no old text."""
    services: Services = visitor.quart.extensions["majlis"]
    asked(visitor, 2)
    [(key, response)] = services.cache.take_in_demand()
    services.content_store.reload()
    (services.settings.content_dir / "pages/x.md").write_text(PAGE["pages/x.md"] + "New.")
    services.content_store.reload()
    new = asked(visitor, 1)
    services.cache.replace(key, response, response)
    assert asked(visitor, 1).body == new.body
