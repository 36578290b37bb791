"""Pages of other sites make their readers' browsers send leads; none is stored."""

from __future__ import annotations

import pytest
from live.server import Server

LEAD = {"email": "victim@example.test", "message": "Sent by a page of somebody else"}
FOREIGN = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}


@pytest.mark.parametrize("path", ["/api/public/v1/leads", "/api/leads"])
def test_a_browser_of_another_site_sends_no_lead(server: Server, path: str) -> None:
    """403 in the envelope; its preflight allows nothing, and a server goes on."""
    asked = {**FOREIGN, "Access-Control-Request-Method": "POST"}
    with server.client() as client:
        preflight = client.options(path, headers=asked)
        refused = [
            client.post(path, json=LEAD, headers=headers)
            for headers in (FOREIGN, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"})
        ]
        own = client.post(path, json=LEAD, headers={"Origin": server.url})
        program = client.post(path, json=LEAD)
    assert [each.status_code for each in refused] == [403] * 3
    assert "LEADS_ORIGINS" in refused[0].json()["error"]["resolution"]
    for reply in (preflight, *refused):
        assert "Access-Control-Allow-Origin" not in reply.headers
    assert (own.status_code, program.status_code) == (200, 200)
