"""`majlis serve` warns if it listens on a public address without BASE_URL."""

from __future__ import annotations

import logging

import pytest

from app.operations.cli.serve import _warn_of_links
from app.server.sockets import ListeningSockets, bind
from app.settings import Settings


@pytest.mark.parametrize(
    ("host", "base_url", "lines"),
    [
        pytest.param("0.0.0.0", "", 1, id="every address"),  # noqa: S104
        pytest.param("0.0.0.0", "https://a.example", 0, id="with BASE_URL"),  # noqa: S104
        pytest.param("127.0.0.1", "", 0, id="loopback"),
        pytest.param("localhost", "", 0, id="loopback by name"),
    ],
)
def test_a_public_start_without_base_url_is_told(
    caplog: pytest.LogCaptureFixture, host: str, base_url: str, lines: int
) -> None:
    """The actual address counts."""
    with bind(host, 0) as bound:
        settings = Settings(_env_file=None, host=host, base_url=base_url)
        _warn_of_links(settings, ListeningSockets([bound]))
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == lines
    assert all(record.getMessage().startswith("BASE_URL is not set") for record in warnings)
