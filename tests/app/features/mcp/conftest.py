"""Fixtures of the tests of MCP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from contract.visitor import Visitor


@pytest.fixture(scope="session")
def site() -> Iterator[Visitor]:
    """An application with the sample content and MCP; do not move its clock."""
    with Visitor(mcp=True, mcp_origins="https://app.example") as visitor:
        yield visitor
