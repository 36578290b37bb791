"""The recipe "A resource", performed on a copy of the packages with one module."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from recipes.copied_tree import Answer, CopiedTree

pytestmark = pytest.mark.slow

MODULE = '''
"""Opening hours."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.views.content_view import ContentView
from knowledge.resources.base import Resource

routes = Blueprint("hours", __name__)


class Hours(Resource):
    """When the offices are open."""

    country_code: str
    opens: str
    """When they open."""


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


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Answer]:
    """Add the module to a copy, and return its responses."""
    tree = CopiedTree(tmp_path_factory.mktemp("resource"))
    tree.write("app/web/public/hours.py", MODULE.lstrip())
    return tree.ask(
        (f"{PATH}?country=SA", {}),
        (PATH, {"Accept": "text/markdown"}),
        (f"{PATH}?country=xx", {}),
        ("/openapi.json", {}),
        ("/developers.md", {}),
    )


def test_it_is_served_in_both_forms_with_the_headers_of_the_api(answers: Sequence[Answer]) -> None:
    """It is counted, may be cached, and is readable by scripts of every origin."""
    found, markdown, refused, *_ = answers
    assert found.json == {"countryCode": "SA", "opens": "09:00"}
    assert found.headers["ratelimit-limit"] == "120"
    assert found.headers["cache-control"].startswith("public")
    assert found.headers["access-control-allow-origin"] == "*"
    assert "09:00" in markdown.text
    assert refused.status == 400


def test_it_is_in_the_contract_and_in_the_manual(answers: Sequence[Answer]) -> None:
    """With its parameters, its model and an example."""
    *_, contract, manual = answers
    operation = contract.json["paths"][PATH]["get"]
    names = [parameter["$ref"].rpartition("/")[2] for parameter in operation["parameters"]]
    assert names[:2] == ["Country", "Lang"]
    components = contract.json["components"]
    properties = components["schemas"]["Hours"]["properties"]
    assert set(properties) == {"countryCode", "opens"}
    assert properties["opens"]["description"] == "When they open."
    assert components["examples"][operation["operationId"]]["value"]["opens"] == "09:00"
    assert "/opening-hours" in manual.text
