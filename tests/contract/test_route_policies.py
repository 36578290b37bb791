"""Route policies: what every route is to the pipeline."""

from __future__ import annotations

import pytest
from cases import cases
from contract.visitor import Visitor
from werkzeug.routing import Rule

from app.features.changes.routes import CHANGES
from app.features.feedback.routes import FEEDBACK
from app.features.leads.contact_page import CONFIRMATION, FORM
from app.features.leads.routes import LEAD
from app.features.previews.routes import PREVIEW
from app.services import services_of
from app.web.http.route_policy import (
    API,
    HEALTH_CHECK,
    IMAGE,
    MAP,
    NEGOTIATED_MAP,
    PAGE,
    SEARCH,
    SECURED,
    UNSECURED,
    Cors,
    RoutePolicy,
    declared_policy,
    default_policy,
)
from app.web.openapi.operation import declared_operation
from app.web.routes import ROOT
from app.web.site.developers import documented_buckets
from app.web.site.discovery import SUGGESTIONS

POLICIES = {
    "get_health": HEALTH_CHECK,
    "post_lead": LEAD,
    "post_feedback": FEEDBACK,
    "get_form": CONFIRMATION,
    "post_contact": FORM,
    "post_form": FORM,
    **dict.fromkeys(("get_image", "get_card", "get_favicon", "get_touch_icon"), IMAGE),
    "get_preview": PREVIEW,
    "get_root": ROOT,
    **dict.fromkeys(("get_skills", "get_skill"), MAP),
    **dict.fromkeys(("get_openapi", "get_legacy_openapi", "get_tag_openapi"), MAP),
    **dict.fromkeys(("get_developers", "get_developers_in_arabic"), MAP),
    "get_erp_status": UNSECURED,
    "search_passages": SEARCH,
    "get_suggestions": SUGGESTIONS,
    "list_changes": CHANGES,
    **dict.fromkeys(("list_orders", "get_order", "list_products"), SECURED),
    **dict.fromkeys(("preview_order", "push_order"), SECURED),
}
"""Handlers with another policy than the default of their path, besides the maps."""


def rules(visitor: Visitor) -> list[Rule]:
    """Return all routes."""
    return list(visitor.quart.url_map.iter_rules())


def policy_of(visitor: Visitor, rule: Rule) -> RoutePolicy:
    """Return the policy of a route."""
    handler = visitor.quart.view_functions[rule.endpoint]
    return declared_policy(handler) or default_policy(rule.rule)


def test_every_route_has_its_policy(sample: Visitor) -> None:
    """The default follows from the path; add a handler that declares another one to POLICIES."""
    for rule in rules(sample):
        name = sample.quart.view_functions[rule.endpoint].__name__
        expected = POLICIES.get(name, API if rule.rule.startswith("/api/") else PAGE)
        if rule.endpoint.startswith("maps."):
            expected = POLICIES.get(name, NEGOTIATED_MAP if "sitemap" in name else MAP)
        if name != "get_site_path":
            assert policy_of(sample, rule) is expected, rule.rule


def test_every_route_is_counted(sample: Visitor) -> None:
    """By address in a documented bucket, or by token."""
    documented = documented_buckets(services_of(sample.quart))
    for rule in rules(sample):
        policy = policy_of(sample, rule)
        assert policy.secured if policy.bucket is None else policy.bucket in documented, rule.rule


def test_every_route_that_writes_declares_its_policy(sample: Visitor) -> None:
    """By default it would have that of a read, which caches may keep."""
    for rule in rules(sample):
        if (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}:
            assert declared_policy(sample.quart.view_functions[rule.endpoint]), rule.rule


def test_exactly_the_secured_operations_require_a_token(sample: Visitor) -> None:
    """They are private: not cacheable, and without CORS."""
    secured = 0
    for rule in rules(sample):
        operation = declared_operation(sample.quart.view_functions[rule.endpoint])
        policy = policy_of(sample, rule)
        assert policy.secured is bool(operation and operation.secured), rule.rule
        if policy.secured:
            secured += 1
            assert (policy.cacheable, policy.cors) == (False, Cors.NOBODY), rule.rule
    assert secured == 5


@cases(
    ("method", "target", "policy"),
    [
        pytest.param("GET", "/api/no-such", API, id="an unknown path of the API"),
        pytest.param("GET", "/api/erp/no-such", UNSECURED, id="an unknown path of partners"),
        pytest.param("GET", "/api/ordersheet", API, id="a path that begins with the same letters"),
        pytest.param("PUT", "/api/public/v1/pages", API, id="an unknown method"),
        pytest.param("PUT", "/api/orders", UNSECURED, id="an unknown method of partners"),
    ],
)
def test_what_no_route_matches_has_the_policy_of_its_place(
    sample: Visitor, method: str, target: str, policy: RoutePolicy
) -> None:
    """It counts, and scripts of other sites cannot read what partners may."""
    assert sample.context(method, target).route.policy == policy
