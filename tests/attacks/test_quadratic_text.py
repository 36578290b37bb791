"""Texts that made parsing quadratic take no longer than other texts."""

from __future__ import annotations

import pytest
from live.processes import cpu_seconds
from live.server import Server, eventually

pytestmark = [pytest.mark.slow, pytest.mark.any_server]

ALLOWED_SECONDS = 5.0
"""Processor time. Before the fix, each of the texts took at least twice as long."""

NUMBERS = "1,2," * 12_250
TABLES = "a|b\n-|-\n" * 3_000 + "a|b|c\n"
TICKS = "[a](b)" + "`" * 20_000


@pytest.mark.parametrize("text", [NUMBERS, TABLES, TICKS], ids=["numbers", "tables", "ticks"])
def test_a_page_with_such_a_text_is_served(server: Server, text: str) -> None:
    """As HTML and as Markdown."""
    before = cpu_seconds(server.process.pid)
    server.write("pages/quadratic.md", f"---\ntitle: Quadratic\n---\n{text}\n")
    eventually(lambda: server.client_get("/ae/en/quadratic.md").status_code == 200)
    assert server.client_get("/ae/en/quadratic").status_code == 200
    used = cpu_seconds(server.process.pid) - before
    server.delete("pages/quadratic.md")
    eventually(lambda: server.client_get("/ae/en/quadratic.md").status_code == 404)
    assert used < ALLOWED_SECONDS


def test_an_accept_header_with_many_quotes_is_cheap(server: Server) -> None:
    """Fifty headers of 12 kB, each of which used to take a quarter of a second."""
    before = cpu_seconds(server.process.pid)
    with server.client() as client:
        for number in range(50):
            header = 'text/html, a/b;c="' + '\\"' * 6_000 + str(number)
            assert client.get("/ae/en", headers={"Accept": header}).status_code in (200, 406)
    assert cpu_seconds(server.process.pid) - before < ALLOWED_SECONDS
