"""Cross-site requests: leads that pages of other sites make browsers send are not stored."""

from __future__ import annotations

import pytest
from live.server import Server

LEAD = {"email": "victim@example.test", "message": "Sent by a page of somebody else"}
FOREIGN = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}


@pytest.mark.any_server
@pytest.mark.parametrize("path", ["/api/public/v1/leads", "/api/leads"])
def test_a_lead_from_another_site_is_refused(server: Server, path: str) -> None:
    """With 403; the preflight allows nothing. Requests of programs are accepted."""
    preflight_headers = {**FOREIGN, "Access-Control-Request-Method": "POST"}
    with server.client() as client:
        preflight = client.options(path, headers=preflight_headers)
        refused = [
            client.post(path, json=LEAD, headers=headers)
            for headers in (FOREIGN, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"})
        ]
        own = client.post(path, json=LEAD, headers={"Origin": server.url})
        program = client.post(path, json=LEAD)
    assert [response.status_code for response in refused] == [403] * 3
    assert "LEADS_ORIGINS" in refused[0].json()["error"]["resolution"]
    for response in (preflight, *refused):
        assert "Access-Control-Allow-Origin" not in response.headers
    assert (own.status_code, program.status_code) == (200, 200)
