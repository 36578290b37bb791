"""The text of the manual at `/developers`, for programmers who use the API.

This module holds the prose; the app passes in all paths, statuses and limits as `ApiFacts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge.locale import all_locales
from knowledge.tokens import CHARACTERS_PER_TOKEN
from renderers.media_types import PAGE_MEDIA_TYPES, MediaType
from renderers.representation_urls import suffixed_path


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


@dataclass(frozen=True, slots=True)
class ApiFacts:
    """The facts that the manual states; `root` is the path prefix of the stable API."""

    base_url: str
    root: str
    contract_version: str
    sunset: str
    endpoints: Sequence[Endpoint]
    statuses: Sequence[Status]
    limits: Sequence[Limit]
    error_example: str
    page_caching: str
    api_caching: str
    markdown_caching: str


def developers_text(facts: ApiFacts) -> str:
    """Return the manual without its title, as CommonMark with tables."""
    sections = (
        _introduction(facts),
        _quick_start(facts),
        _resources(facts),
        _media_types(facts),
        _parameters(),
        _errors(facts),
        _limits(facts),
        _caching(facts),
        _tokens(),
        _enquiries(facts),
        _partners(facts),
        _versioning(facts),
        _deprecations(facts),
    )
    return "\n\n".join(section for section in sections if section)


def _introduction(facts: ApiFacts) -> str:
    return f"""\
Programs can read everything that this site publishes: as JSON, as Markdown, and as the HTML pages
that people see. Content is in English and Arabic, for {_countries()}. Reading requires no key and
no sign-up.

- [OpenAPI 3.1 contract](/openapi.json), version {facts.contract_version}: every path, parameter
  and schema. It describes this service; there is no sandbox.
- [llms.txt](/llms.txt): the guide for agents, with links to every page as Markdown.
- [API catalog](/.well-known/api-catalog) and [sitemap](/sitemap.xml): for automatic discovery."""


def _quick_start(facts: ApiFacts) -> str:
    base, root = facts.base_url, facts.root
    home = all_locales()[0].path
    return f"""\
## Quick start

Get the newest posts for readers in Saudi Arabia, in Arabic:

```sh
curl '{base}{root}/blog/posts?country=SA&lang=ar&pageSize=2'
```

Get the same posts as Markdown, for a language model:

```sh
curl -H 'Accept: text/markdown' \\
  '{base}{root}/blog/posts?country=SA&lang=ar&pageSize=2'
```

Get a page of the site as Markdown and as JSON:

```sh
curl -H 'Accept: text/markdown' {base}{home}
curl -H 'Accept: application/json' {base}{home}
```

Send a conditional request, which downloads the body only if it has changed:

```sh
curl --etag-compare home.etag --etag-save home.etag \\
  -o home.json '{base}{root}/homepage'
```"""


def _resources(facts: ApiFacts) -> str:
    parts = [
        f"""\
## Resources

All paths below are stable; those of the public API begin with `{facts.root}`. HEAD is supported
wherever GET is. The [contract](/openapi.json) has the schemas."""
    ]
    stable = [
        endpoint for endpoint in facts.endpoints if not endpoint.successor and not endpoint.secured
    ]
    for group in dict.fromkeys(endpoint.group for endpoint in stable):
        rows = (_resource_row(endpoint) for endpoint in stable if endpoint.group == group)
        table = _table(("Request", "Response", "Parameters"), rows)
        parts.append(f"### {group}\n\n{table}")
    return "\n\n".join(parts)


def _resource_row(endpoint: Endpoint) -> tuple[str, ...]:
    variables = ", ".join(f"`{name}`" for name in endpoint.variables)
    return f"`{endpoint.method} {endpoint.path}`", endpoint.summary, variables or "none"


def _media_types(facts: ApiFacts) -> str:
    home = all_locales()[0].path
    media_types = ", ".join(f"`{media_type}`" for media_type in PAGE_MEDIA_TYPES)
    markdown_path = suffixed_path(f"{home}/contact", MediaType.MARKDOWN)
    json_path = suffixed_path(f"{home}/contact", MediaType.JSON)
    home_path = suffixed_path(home, MediaType.MARKDOWN)
    return f"""\
## Media types and per-format URLs

The `Accept` header selects the media type of the response. The most specific range sets the
quality of each media type. The highest quality wins, and `q=0` excludes a media type. On a tie, a
media type that the header names beats one that only a wildcard matches; between two named media
types, the order in the header decides.

| URLs | Media types | Default |
|---|---|---|
| Public pages | {media_types} | `{MediaType.HTML}` |
| Paths under `/api/` | `{MediaType.JSON}`, `{MediaType.MARKDOWN}` | `{MediaType.JSON}` |

If the client accepts none of the media types, a page returns 406, and a path under `/api/` returns
JSON. `Content-Language` is the language of the response.

Every page also has per-format URLs, which return one media type whatever the `Accept` header is.
For `{home}/contact` they are `{markdown_path}` and `{json_path}`. For the home page `{home}`, the
Markdown URL is `{home_path}`. A response that was selected by `Accept` has its per-format URL in
`Content-Location`. Cite the URL without the suffix: search engines do not index per-format URLs.
The per-format URLs of this page are [/developers.md](/developers.md) and
[/developers.json](/developers.json); the latter is the contract."""


def _parameters() -> str:
    return f"""\
## Country and language

- `country` is one of {_countries()}. Case does not matter, and slugs such as `sa` are accepted. The
  default is AE.
- `lang` is `en` or `ar`. The default is English.
- An invalid value returns a 400 that names the parameter. Unknown parameters are ignored, and an
  empty value counts as a missing one.
- A page that is not translated is returned in its other language, which `Content-Language` and
  `meta.fallbackUsed` show. Posts, categories and testimonials have no such fallback: lists contain
  only items in the requested language.
- A field without a value is omitted. It is null only if the contract says so."""


def _errors(facts: ApiFacts) -> str:
    rows = ((str(status.number), f"`{status.code}`", status.meaning) for status in facts.statuses)
    table = _table(("Status", "`error.code`", "Meaning"), rows)
    return f"""\
## Errors

All errors of paths under `/api/` have the same structure. `message` says what is wrong and
`resolution` what to do next. Use `code` in programs, because the texts may change.

```json
{facts.error_example}
```

{table}

If a localized page is published, but not for the requested locale, the 404 also has `slug`,
`countryCode`, `lang`, `meta` and `fallback`. `fallback` is the nearest locale that has the page,
with `countryCode`, `lang` and an absolute `href`. A method that a path does not support returns
405 with `Allow`."""


def _limits(facts: ApiFacts) -> str:
    if not facts.limits:
        return ""
    rows = ((limit.scope, str(limit.requests), _duration(limit.seconds)) for limit in facts.limits)
    table = _table(("Requests counted together", "Allowed per client address", "Window"), rows)
    return f"""\
## Limits

{table}

Every counted response, including errors, has the headers `RateLimit-Limit`, `RateLimit-Remaining`,
`RateLimit-Reset` (seconds until the window ends) and `RateLimit-Policy` (the limit itself). HEAD
requests and 304 responses count. Above the limit, the response is a 429 with the code
`RATE_LIMITED`: wait for the number of seconds in `Retry-After` before the next request. Pages,
discovery documents and files that come from the service's cache are not counted. If they do not
come from the cache, they are counted, but only a 429 has these headers. A 503 means that the
service is overloaded: try again later."""


def _caching(facts: ApiFacts) -> str:
    rows = (
        ("JSON under `/api/`", f"`{facts.api_caching}`"),
        ("Pages in HTML, and all per-format URLs", f"`{facts.page_caching}`"),
        (
            "Markdown under `/api/`; pages in other media types, selected by `Accept`",
            f"`{facts.markdown_caching}`",
        ),
    )
    table = _table(("Response", "`Cache-Control`"), rows)
    return f"""\
## Caching and conditional requests

Each response has a strong `ETag`, which differs by media type, language and compression. Send it in
`If-None-Match`: as long as the content is unchanged, the response is a 304 without a body.

{table}

Every response has `Vary: Accept, Accept-Encoding`. At the URL of a page, media types other than
HTML are private, because some shared caches ignore `Vary`. Error responses must not be stored.
Bodies are compressed with brotli or gzip for clients that accept it. Browsers may call the API from
any site: `Access-Control-Allow-Origin` is `*`."""


def _tokens() -> str:
    rates = CHARACTERS_PER_TOKEN
    rows = (
        ("Latin letters", f"{rates['latin']}"),
        ("Arabic letters", f"{rates['arabic']}"),
        ("Digits", f"{rates['digits']}"),
        ("Other signs", f"{rates['signs']}"),
    )
    table = _table(("Characters", "Characters per token"), rows)
    return f"""\
## Token estimate

Markdown responses have the header `X-Markdown-Tokens`: the estimated number of language model
tokens of the text below the front matter. Characters are counted by script, because models split
Arabic into smaller pieces than English, and divided by these rates:

{table}

The sum is rounded up. White space belongs to the word after it and is not counted. The rates are
means over common tokenizers on prose. Use the estimate to plan requests, not for billing."""


def _enquiries(facts: ApiFacts) -> str:
    leads = (
        endpoint
        for endpoint in facts.endpoints
        if endpoint.method == "POST" and not endpoint.secured and not endpoint.successor
    )
    lead = next(leads, None)
    if lead is None:
        return ""
    fields = ", ".join(f"`{name}`" for name in lead.variables)
    return f"""\
## Sending an enquiry

`{lead.method} {lead.path}` accepts a contact or demo enquiry as JSON. It returns `ok` and `id` when
the enquiry is stored. Send an enquiry only when a person asks for it. Fields: {fields}.

```sh
curl -X POST -H 'Content-Type: application/json' -H 'Idempotency-Key: 6d0f0f9c' \\
  --data '{{"email": "reader@example.com", "topic": "demo", "message": "Please call me."}}' \\
  '{facts.base_url}{lead.path}'
```

Only `email` is required. Invalid fields return a 400 that names all of them. Repeat a request that
got no response with the same `Idempotency-Key`: the enquiry is stored once."""


def _partners(facts: ApiFacts) -> str:
    secured = [endpoint for endpoint in facts.endpoints if endpoint.secured]
    if not secured:
        return ""
    table = _table(("Request", "Response", "Parameters"), map(_resource_row, secured))
    return f"""\
## Partner interface

This interface is for the ERP systems of approved partners. The operator issues the token; there is
no sign-up. Send the token as `Authorization: Bearer`, or as `X-Ecom-Api-Token`.

{table}

Orders are sorted by ascending `id`. Store the last `id` and send it as `since_id` in the next
request: no order is then skipped or returned twice. `nextSinceId` is the `since_id` of the next
page; it is null on the last page. Amounts are decimal strings with the number of decimals of their
currency. Pushed orders are signed as specified by Standard Webhooks and delivered at least once. A
repeated delivery has the same `webhook-id`."""


def _versioning(facts: ApiFacts) -> str:
    return f"""\
## Versioning

- Stable paths begin with `{facts.root}`. Breaking changes are made only under a new prefix, such as
  `{facts.root.removesuffix("1")}2`.
- New fields, parameters and paths may be added at any time: ignore those that you do not know.
- The version of the contract is {facts.contract_version}; it is also in `info.version` of
  [/openapi.json](/openapi.json).
- Unversioned paths are aliases of the stable paths. Each response of an alias has the headers
  `Deprecation: true`, `Sunset: {facts.sunset}`, and `Link`, which links to this section and, as
  `rel="successor-version"`, to the stable path.
- Paths under `/api/admin/` and `/cms/` are private and not part of this API."""


def _deprecations(facts: ApiFacts) -> str:
    rows = (
        (f"`{endpoint.method} {endpoint.path}`", f"`{endpoint.successor}`")
        for endpoint in facts.endpoints
        if endpoint.successor
    )
    table = _table(("Alias", "Use instead"), rows)
    return f"""\
## Deprecations

These aliases are available until {facts.sunset}. An alias has the same handler, body and limits as
its successor, except for the legacy software detail, whose body has a different structure.

{table}"""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _countries() -> str:
    codes = dict.fromkeys(locale.country for locale in all_locales())
    return ", ".join(codes)


def _duration(seconds: int) -> str:
    """Return a duration in minutes or seconds, in words.

    >>> _duration(600), _duration(60)
    ('10 minutes', '60 seconds')
    """
    return f"{seconds // 60} minutes" if seconds > 60 and not seconds % 60 else f"{seconds} seconds"
