"""A server with MCP, for clients that know nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients.installed import require_all
from live.fixtures import SAMPLE, made_of_sample
from live.nginx import Nginx
from live.server import Server, free_port

# Clients cannot set an address of their own, and one address may not send so many requests.
_PROXY = """
  map $request_id $client {{
    "~^(?<a>.{{4}})(?<b>.{{4}})(?<c>.{{4}})" "fd00:$a:$b:$c::1";
  }}
  server {{
    listen 127.0.0.1:{{port}};
    location / {{
      proxy_pass http://127.0.0.1:{server};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $client;
    }}
  }}
"""


@pytest.fixture(scope="session")
def public_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the sample site, with MCP, behind a proxy.

    Each request comes from another client, so that no rate limit is reached.
    """
    require_all()
    work, port = tmp_path_factory.mktemp("mcp"), free_port()
    with Nginx(_PROXY.format(server=port), work / "nginx") as nginx:
        settings = made_of_sample() | {"MCP": "on", "BASE_URL": nginx.url}
        with Server(SAMPLE, work, "--port", str(port), **settings):
            yield nginx.url
