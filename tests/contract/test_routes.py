"""Laws of the route map: it is the seed's table, no route more and none less."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from contract.schemas import ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT
from contract.visitor import Visitor

# The seed's endpoint table, its first and last column word for word.
TABLE = """
| GET /api/public/v1/health | /api/health |
| GET /api/public/v1/site-settings | /api/site-settings |
| GET /api/public/v1/countries | /api/public/countries |
| GET /api/public/v1/homepage | /api/homepage and /api/public/homepage |
| GET /api/public/v1/site | /api/public/site |
| GET /api/public/v1/navigation | /api/public/navigation |
| GET /api/public/v1/pages | /api/public/pages |
| GET /api/public/v1/pages/{slug} | /api/public/pages/{slug} |
| GET /api/public/v1/locale-content/{slug} | /api/public/locale-content/{slug} |
| GET /api/public/v1/locale-content/software/{kind}/{slug} | \
/api/public/locale-content/software/{kind}/{slug} |
| GET /api/public/v1/locale-content/city/{citySlug}/{pageSlug} | none |
| GET /api/public/v1/cities | /api/public/cities |
| GET /api/public/v1/testimonials | /api/public/testimonials |
| GET /api/public/v1/blog/categories | /api/public/blog/categories |
| GET /api/public/v1/blog/posts | /api/public/blog/posts |
| GET /api/public/v1/blog/posts/{slug} | /api/public/blog/posts/{slug} |
| GET /api/public/v1/blog/homepage | /api/public/blog/homepage |
| GET /api/public/v1/locale-hint | /api/public/locale-hint |
| GET /api/public/v1/locale-routing | /api/public/locale-routing |
| GET /api/public/v1/seo-page | /api/public/seo-page |
| POST /api/public/v1/leads | /api/leads |
| GET /api/software-detail/{kind}/{slug} | legacy only; stable equivalent: not shown |
"""

# Rule 4 of the seed names one path that its table does not.
RULE_4 = "/api/page/{slug}"

# The endpoints of the second seed have laws of their own.
PARTNER = re.compile(r"/api/(erp|orders|products)(/|$)")

Route = tuple[str, str]
_PARAMETER = re.compile(r"<(?:[^<>:]+:)?\w+>|\{\w+\}")


def anonymous(path: str) -> str:
    """A path template whose parameters have no names: `/pages/{}`."""
    return _PARAMETER.sub("{}", path)


def table_routes() -> Iterator[Route]:
    """Method and path of every row, aliases too."""
    for row in TABLE.strip().splitlines():
        stable, aliases = (cell.strip() for cell in row.strip("| ").split(" | "))
        method, path = stable.split()
        yield method, anonymous(path)
        for alias in re.findall(r"/\S+", aliases):
            yield method, anonymous(alias)
    yield "GET", anonymous(RULE_4)


def registered_routes(visitor: Visitor) -> Iterator[Route]:
    """Method and path of every rule under `/api/`, HEAD and OPTIONS left out as implied."""
    for rule in visitor.quart.url_map.iter_rules():
        path = anonymous(rule.rule)
        if path.startswith("/api/") and not PARTNER.match(path):
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield method, path


def test_the_copy_of_the_table_is_whole() -> None:
    """22 rows, 22 aliases and rule 4's: a slip in the copy shows here."""
    routes = list(table_routes())
    assert len(routes) == len(set(routes)) == 22 + 21 + 1


def test_every_get_of_the_seed_is_a_route_and_every_such_route_is_in_the_seed(
    sample: Visitor,
) -> None:
    """The table of the seed and the route map are the same set."""
    written = {route for route in table_routes() if route[0] == "GET"}
    assert {route for route in registered_routes(sample) if route[0] == "GET"} == written


def test_nothing_is_written_but_leads(sample: Visitor) -> None:
    """The one write operation, under its two paths."""
    written = {route for route in registered_routes(sample) if route[0] != "GET"}
    assert written <= {route for route in table_routes() if route[0] != "GET"}


def test_the_schemas_have_every_row_too() -> None:
    """So that the laws over ENDPOINTS are laws over the whole table."""
    rows = (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)
    described = {anonymous(path) for row in rows for path in (row.stable, *row.legacy)}
    assert described == {path for method, path in table_routes() if method == "GET"}


def test_every_route_has_a_docstring_for_the_documentation(sample: Visitor) -> None:
    """It becomes the API's description, so it is a sentence."""
    functions = sample.quart.view_functions
    rules = [rule for rule in sample.quart.url_map.iter_rules() if rule.rule.startswith("/api/")]
    assert rules
    silent = [
        rule.rule
        for rule in rules
        if not (functions[rule.endpoint].__doc__ or "").strip().endswith(".")
    ]
    assert silent == []


@pytest.mark.parametrize("alias", [alias for row in ENDPOINTS for alias in row.legacy])
def test_an_alias_and_its_stable_path_are_one_function(sample: Visitor, alias: str) -> None:
    """Same handler, so that they cannot drift apart."""
    stable = next(row.stable for row in ENDPOINTS if alias in row.legacy)
    functions = {
        anonymous(rule.rule): sample.quart.view_functions[rule.endpoint]
        for rule in sample.quart.url_map.iter_rules()
    }
    assert functions[anonymous(alias)] is functions[anonymous(stable)]
