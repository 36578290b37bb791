"""The recipe for a GET resource: one module in `app/public`, and nothing else to edit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.visitor import Visitor

from app import public

MODULE = '''
"""Opening hours."""

from quart import Blueprint, Response

from app.http import parameters
from app.http.responses import respond
from app.openapi.operation import operation
from knowledge.content_view import ContentView
from knowledge.resources.base import Resource

routes = Blueprint("hours", __name__)


class Hours(Resource):
    """When the offices are open."""

    country_code: str
    opens: str


def hours(view: ContentView) -> Hours:
    """Return the hours of a country."""
    return Hours(country_code=view.locale.country, opens="09:00")


@routes.get("/opening-hours")
@operation(Hours, hours, query=parameters.LOCALE)
def get_hours() -> Response:
    """Get when the offices of a country are open."""
    return respond(hours(parameters.view()))
'''
PATH = "/api/public/v1/opening-hours"


@pytest.fixture
def visitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visitor]:
    """The service with the sample content and one more module, as if it were in `app/public`."""
    (tmp_path / "hours.py").write_text(MODULE)
    monkeypatch.setattr(public, "__path__", [*public.__path__, str(tmp_path)])
    with Visitor() as visitor:
        yield visitor
    del sys.modules["app.public.hours"]


def test_it_is_served_in_both_forms_with_the_headers_of_the_api(visitor: Visitor) -> None:
    """It is counted, cached, and readable by scripts of every origin."""
    first, again = (visitor.get(f"{PATH}?country=SA") for _ in range(2))
    assert first.json == {"countryCode": "SA", "opens": "09:00"}
    assert (again.body, again.headers["RateLimit-Limit"]) == (first.body, "120")
    assert first.headers["Cache-Control"].startswith("public")
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    markdown = visitor.get(PATH, {"Accept": "text/markdown"})
    assert "09:00" in markdown.text
    assert visitor.get(f"{PATH}?country=xx").status == 400


def test_it_is_in_the_contract_and_in_the_manual(visitor: Visitor) -> None:
    """With its parameters, its model and an example."""
    contract = visitor.get("/openapi.json").json
    operation = contract["paths"][PATH]["get"]
    assert [parameter.get("name") for parameter in operation["parameters"]][:2] == [
        "country",
        "lang",
    ]
    assert set(contract["components"]["schemas"]["Hours"]["properties"]) == {"countryCode", "opens"}
    assert contract["components"]["examples"][operation["operationId"]]["value"]["opens"] == "09:00"
    assert "/opening-hours" in visitor.get("/developers.md").text
