"""Texts that make a search begin again at each character cost what other texts do."""

from __future__ import annotations

import pytest
from live.processes import cpu_seconds
from live.server import Server, eventually

ALLOWED_SECONDS = 5.0
"""Of the processor. Before the repair each of the texts took at least twice as long."""

NUMBERS = "1,2," * 12_250
TABLES = "a|b\n-|-\n" * 3_000 + "a|b|c\n"
TICKS = "[a](b)" + "`" * 20_000


@pytest.mark.parametrize("text", [NUMBERS, TABLES, TICKS], ids=["numbers", "tables", "ticks"])
def test_a_page_of_such_a_text_is_read_shown_and_sent(server: Server, text: str) -> None:
    """As HTML and as markdown."""
    before = cpu_seconds(server.process.pid)
    server.write("pages/quadratic.md", f"---\ntitle: Quadratic\n---\n{text}\n")
    eventually(lambda: server.client_get("/ae/en/quadratic.md").status_code == 200)
    assert server.client_get("/ae/en/quadratic").status_code == 200
    spent = cpu_seconds(server.process.pid) - before
    server.delete("pages/quadratic.md")
    eventually(lambda: server.client_get("/ae/en/quadratic.md").status_code == 404)
    assert spent < ALLOWED_SECONDS


def test_an_accept_header_of_quotes_costs_nothing(server: Server) -> None:
    """Fifty requests of 12 kB, each of which took a quarter of a second."""
    before = cpu_seconds(server.process.pid)
    with server.client() as client:
        for number in range(50):
            header = 'text/html, a/b;c="' + '\\"' * 6_000 + str(number)
            assert client.get("/ae/en", headers={"Accept": header}).status_code in (200, 406)
    assert cpu_seconds(server.process.pid) - before < ALLOWED_SECONDS
