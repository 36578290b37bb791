"""The route map: the endpoints of the API contract, and the additions named here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cases import cases
from contract.schemas import ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT
from contract.visitor import Visitor

# The endpoint table of the API contract (see docs/api.md): stable path, and legacy aliases.
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

# Endpoints that the service has in addition to the contract.
ADDITIONS = {
    ("GET", "/api/public/v1/search"),
    ("GET", "/api/public/v1/changes"),
}
# All kinds of a site, with its own as the clinic of tests/app/web/site/test_kinds.py has them.
OF_DECLARED_KINDS = {
    ("GET", "/api/public/v1/kinds"),
    ("GET", "/api/public/v1/kinds/{}"),
    ("GET", "/api/public/v1/kinds/{}/{}"),
}
WRITES = {("POST", "/api/public/v1/feedback")}

# The contract names this alias outside the table.
PAGE_ALIAS = "/api/page/{slug}"

# The partner interface (docs/partner.md) has its own tests.
PARTNER = re.compile(r"/api/(erp|orders|products)(/|$)")

Route = tuple[str, str]
_PARAMETER = re.compile(r"<(?:[^<>:]+:)?\w+>|\{\w+\}")


def anonymous(path: str) -> str:
    """Return a path template without parameter names: `/pages/{}`."""
    return _PARAMETER.sub("{}", path)


def table_routes() -> Iterator[Route]:
    """Yield method and path of every row and alias."""
    for row in TABLE.strip().splitlines():
        stable, aliases = (cell.strip() for cell in row.strip("| ").split(" | "))
        method, path = stable.split()
        yield method, anonymous(path)
        for alias in re.findall(r"/\S+", aliases):
            yield method, anonymous(alias)
    yield "GET", anonymous(PAGE_ALIAS)


def registered_routes(visitor: Visitor) -> Iterator[Route]:
    """Yield method and path of every rule under `/api/`, without HEAD and OPTIONS."""
    for rule in visitor.quart.url_map.iter_rules():
        path = anonymous(rule.rule)
        if path.startswith("/api/") and not PARTNER.match(path):
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield method, path


def test_the_table_is_complete() -> None:
    """22 rows, 21 aliases in the table and one outside it, without duplicates."""
    routes = list(table_routes())
    assert len(routes) == len(set(routes)) == 22 + 21 + 1


def test_the_get_routes_are_those_of_the_contract(sample: Visitor) -> None:
    """The table, with the additions, and the route map are the same set."""
    written = {route for route in table_routes() if route[0] == "GET"}
    assert written.isdisjoint(ADDITIONS)
    registered = {route for route in registered_routes(sample) if route[0] == "GET"}
    assert registered == written | ADDITIONS | OF_DECLARED_KINDS


def test_only_leads_and_feedback_can_be_written(sample: Visitor) -> None:
    """Leads under their two paths; feedback is an addition."""
    written = {route for route in registered_routes(sample) if route[0] != "GET"}
    assert written == {route for route in table_routes() if route[0] != "GET"} | WRITES


def test_every_row_has_a_schema() -> None:
    """So tests over ENDPOINTS cover the whole table."""
    rows = (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)
    described = {anonymous(path) for row in rows for path in (row.stable, *row.legacy)}
    routes = {*table_routes(), *ADDITIONS}
    assert described == {path for method, path in routes if method == "GET"}


def test_every_route_has_a_docstring_for_the_documentation(sample: Visitor) -> None:
    """It is the description in the OpenAPI document, so it must be a sentence."""
    functions = sample.quart.view_functions
    rules = [rule for rule in sample.quart.url_map.iter_rules() if rule.rule.startswith("/api/")]
    assert rules
    undocumented = [
        rule.rule
        for rule in rules
        if not (functions[rule.endpoint].__doc__ or "").strip().endswith(".")
    ]
    assert undocumented == []


@cases("alias", [alias for row in ENDPOINTS for alias in row.legacy])
def test_an_alias_and_its_stable_path_share_a_handler(sample: Visitor, alias: str) -> None:
    """So that they cannot differ."""
    stable = next(row.stable for row in ENDPOINTS if alias in row.legacy)
    functions = {
        anonymous(rule.rule): sample.quart.view_functions[rule.endpoint]
        for rule in sample.quart.url_map.iter_rules()
    }
    assert functions[anonymous(alias)] is functions[anonymous(stable)]
