"""The manual at `/developers`: what a person needs who writes a program against the service.

The words stand here; every path, status and figure comes in as a fact from what serves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge.locale import all_locales
from renderers.media_types import PAGE_MEDIA_TYPES, MediaType
from renderers.representation_urls import suffixed_path
from renderers.tokens import CHARACTERS_PER_TOKEN

READ, SEND = "GET", "POST"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation: `variables` are the names that may stand in its query or body.

    `successor` is the stable path of a deprecated one. `secured` ones need a credential.
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
    """One error status, its code in the envelope, and what it means."""

    number: int
    code: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Limit:
    """How many requests one client may send in a window, and which ones are counted."""

    scope: str
    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class ApiFacts:
    """What the manual is about; `root` is the path of the stable interface."""

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
    """The manual below its title, in CommonMark with tables."""
    sections = (
        _introduction(facts),
        _quick_start(facts),
        _resources(facts),
        _forms(facts),
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
Everything this site publishes can be read by a program: as JSON, as markdown, and as the pages
people see. Content is in English and Arabic, for {_countries()}. Reading needs no key and no
sign-up.

- [OpenAPI 3.1 contract](/openapi.json), version {facts.contract_version}: every path, parameter
  and schema. It is a map of this service, not a sandbox.
- [llms.txt](/llms.txt): the guide for agents, with every page as markdown.
- [API catalog](/.well-known/api-catalog) and [sitemap](/sitemap.xml): for programs that look
  around by themselves."""


def _quick_start(facts: ApiFacts) -> str:
    base, root = facts.base_url, facts.root
    home = all_locales()[0].path
    return f"""\
## Quick start

The newest posts for readers in Saudi Arabia, in Arabic:

```sh
curl '{base}{root}/blog/posts?country=SA&lang=ar&pageSize=2'
```

The same as markdown, for a language model to read:

```sh
curl -H 'Accept: text/markdown' \\
  '{base}{root}/blog/posts?country=SA&lang=ar&pageSize=2'
```

A page as its readers see it, in markdown and in JSON:

```sh
curl -H 'Accept: text/markdown' {base}{home}
curl -H 'Accept: application/json' {base}{home}
```

Ask again later without loading again what has not changed:

```sh
curl --etag-compare home.etag --etag-save home.etag \\
  -o home.json '{base}{root}/homepage'
```"""


def _resources(facts: ApiFacts) -> str:
    parts = [
        f"""\
## Resources

All paths below are stable; those of the public interface begin with `{facts.root}`. HEAD is
answered wherever GET is. The [contract](/openapi.json) has the schemas."""
    ]
    stable = [each for each in facts.endpoints if not each.successor and not each.secured]
    for group in dict.fromkeys(each.group for each in stable):
        rows = (_resource_row(each) for each in stable if each.group == group)
        table = _table(("Request", "Answer", "Parameters"), rows)
        parts.append(f"### {group}\n\n{table}")
    return "\n\n".join(parts)


def _resource_row(each: Endpoint) -> tuple[str, ...]:
    variables = ", ".join(f"`{name}`" for name in each.variables)
    return f"`{each.method} {each.path}`", each.summary, variables or "none"


def _forms(facts: ApiFacts) -> str:
    home = all_locales()[0].path
    forms = ", ".join(f"`{form}`" for form in PAGE_MEDIA_TYPES)
    twins = [
        suffixed_path(f"{home}/contact", form) for form in (MediaType.MARKDOWN, MediaType.JSON)
    ]
    return f"""\
## Forms and their addresses

The `Accept` header chooses the form. The most specific range gives each form its quality, the
highest wins, `q=0` excludes. On a tie a form that is named beats one that only a wildcard
matches, and between two named forms the order of the header counts.

| Address | Forms | Without a preference |
|---|---|---|
| Public pages | {forms} | `{MediaType.HTML}` |
| Paths under `/api/` | `{MediaType.JSON}`, `{MediaType.MARKDOWN}` | `{MediaType.JSON}` |

A page answers 406 to a client that accepts none of its forms; a path under `/api/` then answers
JSON. The language of an answer stands in `Content-Language`.

Every page also has twins, addresses that always answer in one form whatever the header says:
`{twins[0]}` and `{twins[1]}` for `{home}/contact`, and `{suffixed_path(home, MediaType.MARKDOWN)}`
for
the
home page `{home}`. An answer that was chosen by `Accept` names its twin in `Content-Location`. Cite
the address without the suffix: twins are not indexed. The twins of this page are
[/developers.md](/developers.md) and [/developers.json](/developers.json), which is the contract."""


def _parameters() -> str:
    return f"""\
## Country and language

- `country` is one of {_countries()}; slugs such as `sa` and any case are understood. Without it
  the answer is for AE.
- `lang` is `en` or `ar`. Without it the answer is in English.
- A value that is not allowed is a 400 that names the parameter. Unknown parameters are ignored,
  and an empty value counts as none.
- A page that is not translated is answered in its other language: `Content-Language` and
  `meta.fallbackUsed` tell. Posts, categories and testimonials never are: lists hold only what is
  in the language asked.
- A field without a value is left out. Null stands only where the contract says so."""


def _errors(facts: ApiFacts) -> str:
    rows = ((str(each.number), f"`{each.code}`", each.meaning) for each in facts.statuses)
    table = _table(("Status", "`error.code`", "Meaning"), rows)
    return f"""\
## Errors

Every fault of a path under `/api/` has one shape. `message` says what is wrong and `resolution`
what to do next; rely on `code`, as the texts may change.

```json
{facts.error_example}
```

{table}

Where a localized page is published, but not for the locale asked, the 404 also has `slug`,
`countryCode`, `lang`, `meta`, and `fallback` with the nearest locale that has it: `countryCode`,
`lang` and an absolute `href`. A method that a path does not take is a 405 with `Allow`."""


def _limits(facts: ApiFacts) -> str:
    if not facts.limits:
        return ""
    rows = ((each.scope, str(each.requests), _duration(each.seconds)) for each in facts.limits)
    table = _table(("Requests counted together", "Allowed per client address", "In"), rows)
    return f"""\
## Limits

{table}

Every counted answer, errors too, carries `RateLimit-Limit`, `RateLimit-Remaining` and
`RateLimit-Reset`, the seconds until the window ends; `RateLimit-Policy` has the rule itself. HEAD
and 304 count as requests. Over the limit the answer is a 429 with the code `RATE_LIMITED`: wait
the seconds in `Retry-After`, then go on. Pages, maps and files that come from the service's cache
are not counted; of those that do not, only the 429 carries these fields. A 503 tells to come back
later, when the service has too much to do."""


def _caching(facts: ApiFacts) -> str:
    rows = (
        ("JSON under `/api/`", f"`{facts.api_caching}`"),
        ("Pages in HTML, and all twins", f"`{facts.page_caching}`"),
        (
            "Markdown under `/api/`; pages in a form chosen by `Accept`",
            f"`{facts.markdown_caching}`",
        ),
    )
    table = _table(("Answer", "`Cache-Control`"), rows)
    return f"""\
## Caching and conditional requests

Each answer has a strong `ETag` of its own for its form, language and compression. Send it back in
`If-None-Match`: as long as it holds, the answer is a 304 without a body.

{table}

`Vary: Accept, Accept-Encoding` stands on every answer. What is not HTML at a page's own address is
private, because some shared caches ignore `Vary`. Errors are never to be stored. Bodies are
compressed with brotli or gzip for clients that accept it. Any site may read the interface from a
browser: `Access-Control-Allow-Origin` is `*`."""


def _tokens() -> str:
    rates = CHARACTERS_PER_TOKEN
    rows = (
        ("Latin letters", f"{rates['latin']}"),
        ("Arabic letters", f"{rates['arabic']}"),
        ("Digits", f"{rates['digits']}"),
        ("Other signs", f"{rates['signs']}"),
    )
    table = _table(("Characters", "To one token"), rows)
    return f"""\
## Token estimate

Markdown answers carry `X-Markdown-Tokens`, about how many tokens of a language model's context
the text below the front matter takes. Characters are counted by script, as models cut Arabic into
smaller pieces than English, and divided:

{table}

The sum is rounded up. White space belongs to the word after it and is not counted. The figures
are means over common tokenizers on prose: plan a fetch with them, do not bill by them."""


def _enquiries(facts: ApiFacts) -> str:
    sending = [each for each in facts.endpoints if each.method == SEND and not each.secured]
    stable = [each for each in sending if not each.successor]
    if not stable:
        return ""
    lead = stable[0]
    fields = ", ".join(f"`{name}`" for name in lead.variables)
    return f"""\
## Sending an enquiry

`{lead.method} {lead.path}` takes a contact or demo enquiry as JSON and answers `ok` and `id` once
it is stored. Send one only when a person asks for it. Fields: {fields}.

```sh
curl -X POST -H 'Content-Type: application/json' -H 'Idempotency-Key: 6d0f0f9c' \\
  --data '{{"email": "reader@example.com", "topic": "demo", "message": "Please call me."}}' \\
  '{facts.base_url}{lead.path}'
```

Only `email` is required. A wrong field is a 400 that names all wrong fields at once. Repeat a
request that got no answer with the same `Idempotency-Key`: it is stored once."""


def _partners(facts: ApiFacts) -> str:
    secured = [each for each in facts.endpoints if each.secured]
    if not secured:
        return ""
    table = _table(("Request", "Answer", "Parameters"), map(_resource_row, secured))
    return f"""\
## Partner interface

For the ERP systems of approved partners. The operator issues the token; there is no sign-up. Send
it as `Authorization: Bearer`, or as `X-Ecom-Api-Token`.

{table}

Orders come by ascending `id`. Keep the last one, send it as `since_id`, and no order is skipped or
met twice. `nextSinceId` leads to the next page and is null on the last. Money is a decimal string
at the digits of its currency. A pushed order is signed after Standard Webhooks, arrives at least
once, and keeps its `webhook-id` when it is sent again."""


def _versioning(facts: ApiFacts) -> str:
    return f"""\
## Versioning

- Stable paths begin with `{facts.root}`. A change that could break a client comes only under a new
  prefix, such as `{facts.root.removesuffix("1")}2`.
- New fields, new parameters and new paths may come at any time: ignore what you do not know.
- The contract's version is {facts.contract_version}; `info.version` in
  [/openapi.json](/openapi.json) has it.
- Unversioned paths are aliases of the stable ones. Each answer of an alias carries
  `Deprecation: true`, `Sunset: {facts.sunset}`, and `Link` headers to this section and, as
  `rel="successor-version"`, to the stable path.
- Paths under `/api/admin/` and `/cms/` are private and no part of this interface."""


def _deprecations(facts: ApiFacts) -> str:
    old = [each for each in facts.endpoints if each.successor]
    rows = ((f"`{each.method} {each.path}`", f"`{each.successor}`") for each in old)
    table = _table(("Alias", "Use instead"), rows)
    return f"""\
## Deprecations

These aliases are served until {facts.sunset}. An alias has the same handler, body and limits as its
successor; only the legacy software detail has a body of its own shape.

{table}"""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _countries() -> str:
    codes = dict.fromkeys(locale.country for locale in all_locales())
    return ", ".join(codes)


def _duration(seconds: int) -> str:
    """A window in words.

    >>> _duration(600), _duration(60)
    ('10 minutes', '60 seconds')
    """
    return f"{seconds // 60} minutes" if seconds > 60 and not seconds % 60 else f"{seconds} seconds"
