"""The route table: what follows from the method and the path of a request, cached by both."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from inspect import iscoroutinefunction
from typing import Any, cast

from quart import Quart
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import Rule

from app.platform.asgi.request_target import path_problem
from app.platform.asgi.scope import HeaderBlock, HTTPApp
from app.platform.limits.rate_limits import UNCACHED
from app.services import services_of
from app.web.http.parameters import AnyParameter
from app.web.http.request_context import Route
from app.web.http.response_headers import deprecated_paths, headers_of
from app.web.http.route_policy import UNSECURED, Cors, RoutePolicy, declared_policy, default_policy
from app.web.openapi.operation import declared_operation
from app.web.site.paths import SitePath
from knowledge.addresses.addresses import split_locale
from knowledge.fields.page_type import PageTypes
from llms.mcp_server import McpServer
from renderers.representation import split_suffix

_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer paths are matched each time, to limit the memory of the cache."""

Match = tuple[Rule | None, Mapping[str, Any], tuple[str, ...]]
"""Rule and arguments; or None, no arguments, and the methods that the path supports."""

AppFor = Callable[[RoutePolicy, bool], HTTPApp]
"""Returns what handles the requests of a policy: the valid ones, or with False the others."""


class RouteTable:
    """Finds the route of a request; recent results are cached."""

    def __init__(self, quart: Quart, app_for: AppFor) -> None:
        self._quart = quart
        self._app_for = app_for
        self._urls = quart.url_map.bind("")
        services = services_of(quart)
        self._settings = services.settings
        self._content_store = services.content_store
        self._has_mcp = services.find(McpServer) is not None
        self._deprecated = deprecated_paths(quart)
        self._cached = lru_cache(_CACHE_SIZE)(self._find)

    def __call__(self, method: str, raw_path: bytes, path: str) -> Route:
        """Return the route of a path, also if no rule matches it."""
        find = self._cached if len(raw_path) <= _MAX_CACHED_LENGTH else self._find
        return find(method, raw_path, path, self._content_store.page_types)

    def takes_bodies(self, path: str) -> bool:
        """Return whether a route accepts a POST to this path."""
        rule, _, _ = self._match("POST", path)
        return rule is not None

    def _find(self, method: str, raw_path: bytes, path: str, pages: PageTypes) -> Route:
        routed = "/" + path.lstrip("/")  # as the router reads it
        rule, matched, methods = self._match(method, path)
        arguments = {
            name: value.among(pages) if isinstance(value, SitePath) else value
            for name, value in matched.items()
        }
        policy = self._policy_of(rule) if rule else self._policy_without_rule(routed, methods)
        if path != routed:  # it is no path of the API, though the router reads it so
            policy = replace(policy, bucket=UNCACHED)
        is_read = method in ("GET", "HEAD")
        is_api = routed.startswith("/api/") or policy.message_form is not None
        blocks = rule is not None and (  # coroutines await such work
            policy.serves_files or not iscoroutinefunction(self._handler(rule))
        )
        sent = raw_path.decode("ascii", "replace")
        parameters = self._query(rule, policy, arguments)
        deprecation = self._deprecated.headers_of(sent) if is_api else []  # no page is an alias
        return Route(
            rule=rule,
            arguments=arguments,
            methods=methods,
            policy=policy,
            page=policy.page_of(**arguments) if rule and is_read and policy.page_of else None,
            app=self._app_for(policy, True),
            refusing_app=self._app_for(policy, False),
            query=tuple(parameter.name for parameter in parameters),
            repeated=tuple(each.name for each in parameters if getattr(each, "repeats", False)),
            is_read=is_read,
            reads_referer=bool(rule and policy.reads_referer and policy.reads_referer(**arguments)),
            admits=is_read and blocks,
            is_api=is_api,
            negotiates=policy.negotiates(**arguments)
            if rule and policy.negotiates
            else is_api or "." not in routed.rpartition("/")[2],
            is_well_formed=path == routed and path_problem(raw_path, path) is None,
            headers=HeaderBlock(
                headers_of(
                    policy,
                    self._settings.public_url,
                    deprecation,
                    is_api=is_api and policy.message_form is None,
                    mcp=self._has_mcp,
                    in_locale=_is_in_locale(routed),
                )
            ),
        )

    def _match(self, method: str, path: str) -> Match:
        try:
            rule, arguments = self._urls.match(path, method, return_rule=True)
        except MethodNotAllowed as error:
            return None, {}, tuple(error.valid_methods or ())
        except HTTPException:
            return None, {}, ()
        return rule, arguments, ()

    def _handler(self, rule: Rule) -> Callable[..., Any]:
        return self._quart.view_functions[rule.endpoint]

    def _policy_of(self, rule: Rule) -> RoutePolicy:
        return declared_policy(self._handler(rule)) or default_policy(rule.rule)

    def _policy_without_rule(self, path: str, methods: tuple[str, ...]) -> RoutePolicy:
        """Return the policy of the path's reads; a request that writes nothing is no write."""
        if methods:
            rule, _, _ = self._match("GET" if "GET" in methods else methods[0], path)
            policy = self._policy_of(cast(Rule, rule))
            if policy.secured:  # counted by token, which no method without a handler asks for
                return UNSECURED
            is_read = "GET" in methods
            return policy if is_read else replace(policy, bucket=default_policy(path).bucket)
        is_private = f"{path}/".startswith(self._private_prefixes)
        return UNSECURED if is_private else default_policy(path)

    @cached_property
    def _private_prefixes(self) -> tuple[str, ...]:
        """The beginnings of the paths that scripts of no origin may read."""
        rules = self._quart.url_map.iter_rules()
        private = [rule.rule for rule in rules if self._policy_of(rule).cors is Cors.NOBODY]
        return tuple({"/".join(rule.split("/")[:3]) + "/" for rule in private})

    def _query(
        self, rule: Rule | None, policy: RoutePolicy, arguments: Mapping[str, Any]
    ) -> tuple[AnyParameter, ...]:
        if rule is None:
            return ()
        if policy.parameters_of:
            return policy.parameters_of(**arguments)
        operation = declared_operation(self._handler(rule))
        return operation.query if operation else ()


def _is_in_locale(path: str) -> bool:
    """Return whether pages at a path are in a locale: below one, or the main home page."""
    return split_suffix(path)[0] in ("/", "/index") or split_locale(path)[0] is not None
