"""The manual at `/developers`, for programmers who use the API, and the facts that it states.

The templates `developers.md` and `developers.ar.md` hold the prose; the app passes in all paths,
statuses and limits as `ApiFacts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from babel.lists import format_list
from babel.units import format_unit

from knowledge.fields.interface_texts import catalog
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locales
from llms.mcp_server import McpServer
from llms.phrases import render_text
from renderers.l10n.translation import API_DOMAIN
from renderers.representation import SUFFIXED_MEDIA_TYPES, suffixed_path

_TEMPLATES = {Language.EN: "developers.md", Language.AR: "developers.ar.md"}


def developers_text(facts: ApiFacts, locales: Locales, language: Language = Language.EN) -> str:
    """Return the manual without its title, as CommonMark with tables."""
    if language is not Language.EN:
        facts = _translated(facts, language)
    stable = [endpoint for endpoint in facts.endpoints if not endpoint.successor]
    public = [endpoint for endpoint in stable if not endpoint.secured]
    return render_text(
        _TEMPLATES[language],
        facts=facts,
        language=language,
        **_of_site(locales, language),
        groups=_by_group(public),
        lead=_post(public, "/leads"),
        feedback=_post(public, "/feedback"),
        secured=[endpoint for endpoint in facts.endpoints if endpoint.secured],
    )


def _translated(facts: ApiFacts, language: Language) -> ApiFacts:
    """Return the facts in a language; code, paths and numbers stay, and what has no translation."""
    localized = catalog(language, API_DOMAIN).gettext
    return replace(
        facts,
        endpoints=[
            replace(each, group=localized(each.group), summary=localized(each.summary))
            for each in facts.endpoints
        ],
        statuses=[replace(each, meaning=localized(each.meaning)) for each in facts.statuses],
        limits=[replace(each, scope=localized(each.scope)) for each in facts.limits],
        contracts=[replace(each, subject=localized(each.subject)) for each in facts.contracts],
        webhooks=[localized(each) for each in facts.webhooks],
    )


def _post(endpoints: Sequence[Endpoint], suffix: str) -> Endpoint | None:
    """Return the endpoint that stores what is posted to a path with this end, if there is one."""
    posts = (each for each in endpoints if each.method == "POST" and each.path.endswith(suffix))
    return next(posts, None)


def _of_site(locales: Locales, language: Language) -> Mapping[str, object]:
    """Return what the examples and rules say of the countries and the home page."""
    home = locales.default.path
    examples = [f"`{suffixed_path(f'{home}/contact', each)}`" for each in SUFFIXED_MEDIA_TYPES]
    other = locales.other
    return {
        "countries": locales.countries,
        "country_names": [cldr.country_name(each, language) for each in locales.countries],
        "default": locales.default,
        "home": home,
        "other": other,
        "other_country": cldr.country_name(other.country, language) if other.country else "",
        "other_language": cldr.language_name(other.language, language),
        "languages": [
            cldr.language_name(each, language) for each in sorted(locales.languages, reverse=True)
        ],
        "query": f"country={other.country}&" if other.country else "",
        "per_format_paths": format_list(examples, locale=cldr.formats(None, language)),
    }


def _by_group(endpoints: Sequence[Endpoint]) -> dict[str, list[Endpoint]]:
    groups: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        groups.setdefault(endpoint.group, []).append(endpoint)
    return groups


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API operation; `variables` are the names of its query parameters or body fields.

    `successor` is the stable path if the operation is deprecated. A `secured` operation needs a
    credential.
    """

    method: str
    path: str
    group: str
    summary: str
    variables: tuple[str, ...] = ()
    successor: str | None = None
    secured: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """The OpenAPI document of one tag: its path, and what the tag is about."""

    path: str
    subject: str


@dataclass(frozen=True, slots=True)
class Status:
    """An HTTP error status, its code in the error envelope, and its meaning."""

    number: int
    code: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate limit: the requests it counts, the maximum per client, and the window in seconds."""

    scope: str
    requests: int
    seconds: int

    def window(self, language: Language) -> str:
        """Return the window in minutes or seconds, in words.

        >>> Limit("", 12, 600).window(Language.EN), Limit("", 120, 60).window(Language.EN)
        ('10 minutes', '60 seconds')
        """
        minutes, rest = divmod(self.seconds, 60)
        in_seconds = rest or minutes < 2
        number, unit = (self.seconds, "second") if in_seconds else (minutes, "minute")
        return format_unit(number, f"duration-{unit}", locale=language)


@dataclass(frozen=True, slots=True)
class ApiFacts:
    """The facts that the manual states.

    `root` is the path prefix of the stable API, `legacy_contract` the path of the OpenAPI document
    of the aliases.
    """

    base_url: str
    root: str
    contract_version: str
    legacy_contract: str
    contracts: Sequence[Contract]
    sunset: str
    endpoints: Sequence[Endpoint]
    statuses: Sequence[Status]
    limits: Sequence[Limit]
    error_example: str
    page_caching: str
    api_caching: str
    markdown_caching: str
    mcp: McpServer | None = None
    """The MCP server, if it runs."""
    tools: Sequence[str] = ()
    """The tools of that server."""
    webhooks: Sequence[str] = ()
    """What the deployment sends to webhooks, such as `leads`."""
