"""A real Varnish with a VCL of the guides."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live.documents import blocks
from live.server import DEADLINE, eventually, free_port, is_open
from live.tools import program

_DELIVER = "sub vcl_deliver {"


@contextmanager
def varnish(guide: str, service_port: int, work: Path) -> Iterator[str]:
    """Run the VCL of a guide in front of a service; yield its URL.

    `X-Cache` tells how often a response was sent from the cache.
    """
    port = free_port()
    text = next(text for text in blocks(guide, "vcl") if text.startswith("vcl 4.1;"))
    assert '.port = "8000"' in text
    text = text.replace('.port = "8000"', f'.port = "{service_port}"')
    text = text.replace("/etc/varnish/", f"{work}/")
    vcl = work / "majlis.vcl"
    told = text.replace(_DELIVER, f"{_DELIVER}\n    set resp.http.X-Cache = obj.hits;")
    vcl.write_text(told, encoding="utf-8")
    work.chmod(0o755)
    command = [
        program("varnishd", "/usr/sbin/varnishd"),
        *("-F", "-f", str(vcl), "-n", str(work / "n"), "-j", "none"),
        *("-a", f"127.0.0.1:{port}", "-s", "malloc,50m"),
        *("-p", "thread_pool_min=10", "-p", "http_gzip_support=off"),
    ]
    with (work / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        eventually(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (work / "log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(DEADLINE)
