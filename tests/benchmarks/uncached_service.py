"""Majlis as `majlis serve` runs it, with a response cache that holds nothing."""

from __future__ import annotations

from app.operations.cli import main
from app.publishing import response_cache

if __name__ == "__main__":
    response_cache.PLAIN_BYTES = response_cache.QUERIED_BYTES = 0
    main(["serve"])
