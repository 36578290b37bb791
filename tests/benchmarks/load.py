"""A load of keep-alive connections that each ask again as soon as they are answered."""

from __future__ import annotations

import asyncio
from time import perf_counter

CONNECTIONS = 16
SECONDS = 3.0


async def requests_per_second(port: int, path: str, headers: dict[str, str]) -> float:
    """Answers in a second from a server on loopback; raises where one is not 200."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    started = perf_counter()
    counts = await asyncio.gather(
        *(_ask(port, request, started + SECONDS) for _ in range(CONNECTIONS))
    )
    return sum(counts) / (perf_counter() - started)


async def _ask(port: int, request: bytes, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    try:
        while perf_counter() < until:
            writer.write(request)
            await _read_answer(reader)
            answered += 1
    finally:
        writer.close()
        await writer.wait_closed()
    return answered


async def _read_answer(reader: asyncio.StreamReader) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head[:16]:
        raise RuntimeError(head.decode("latin-1"))
    length = next(
        int(line.partition(b":")[2])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )
    await reader.readexactly(length)
