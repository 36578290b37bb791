"""A connection: Hypercorn's own, but given up as soon as its client has left."""

from __future__ import annotations

from hypercorn.asyncio import run
from hypercorn.asyncio.tcp_server import TCPServer


class Connection(TCPServer):
    """Hypercorn keeps the socket of a client who left until it has been idle for long enough.

    So whoever comes with new connections only, as many programs do, would have the process out
    of descriptors at some hundred requests a second.
    """

    async def _read_data(self) -> None:
        await super()._read_data()
        await self.idle_task.stop()


def use_connections() -> None:
    """Let Hypercorn serve on these; it knows no other way to choose them."""
    run.TCPServer = Connection  # type: ignore[attr-defined]
