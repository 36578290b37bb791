"""The configuration of nginx with a cache in front of the service, and its header rules.

Each rule names the function that it stands for. A header that no rule matches is not decided, and
its request does without the cache. The rules hold for PCRE and for Python, where a test compares
them with what the service chooses.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import NamedTuple

from app.platform.asgi import caching
from app.platform.asgi.caching import Caching, is_storable
from knowledge.locales.locale import Language
from renderers.representation import (
    ALIASES,
    NAMED_BY_BROWSERS,
    PAGE_MEDIA_TYPES,
    MediaType,
    choose,
    forms_of_text,
)

UNDECIDED = ""
"""The value for a header that no rule matches."""

NO_LANGUAGE = "none"
OTHER_LANGUAGE = "other"

MAX_EXACT_LETTERS = 46
"""Longer texts do not fit into the buckets of nginx's hash tables, as they are by default."""


_MAX_RANGES = 30
"""The ranges of an Accept header before the one that decides; a client sends fewer."""

_POSITIVE = r"(?:\s*;\s*q=(?:1(?:\.0{0,3})?|0\.(?=\d{0,2}[1-9])\d{1,3}))?"
_CODING = r"[a-z0-9-]+"


class HeaderRule(NamedTuple):
    """A pattern, which ignores case, and what a header that it matches chooses.

    A rule for one header only has its `text` too; it is empty if the header is absent.
    """

    pattern: str
    value: str
    text: str | None = None


def _exactly(text: str, value: str) -> HeaderRule:
    return HeaderRule(f"^{re.escape(text)}$", value, text)


_HTML = "(?:" + "|".join(map(re.escape, sorted(NAMED_BY_BROWSERS))) + ")"
_NAMES_HTML = rf'(?=(?:[^,"]*,){{0,{_MAX_RANGES}}}\s*{_HTML}\s*(?:[;,]|$))'
_WITHOUT_HTML = f"(?!.*{_HTML})"


_FREQUENT_ACCEPT = (
    *("*/*", "text/html", "text/markdown", "application/json", "text/plain"),
    *("application/xml", "text/xml"),
    *("text/markdown, text/html, */*", "text/markdown, text/plain;q=0.9, */*;q=0.8"),
    "application/json, text/plain, */*",
)
_FREQUENT_CODINGS = (
    *("gzip, deflate, br, zstd", "gzip, deflate, br", "gzip, deflate", "deflate, gzip, br, zstd"),
    *("gzip,deflate", "gzip", "br", "identity"),
)
"""What many clients send. nginx finds it in a hash table, which costs less than patterns do."""


def accept_rules() -> Iterator[HeaderRule]:
    """Yield the rules for Accept, which name a media type of pages."""
    for accept in ("", *_FREQUENT_ACCEPT):
        yield _exactly(accept, _form(choose(accept, PAGE_MEDIA_TYPES) or PAGE_MEDIA_TYPES[0]))
    for media_type in _OF_BROWSERS:
        pattern = _first_of_quality_1(media_type, _OF_BROWSERS)
        yield HeaderRule(f"^{_NAMES_HTML}{pattern}", _form(media_type))
    for media_type in PAGE_MEDIA_TYPES:
        pattern = _first_of_quality_1(media_type, PAGE_MEDIA_TYPES)
        without_html = "" if media_type in _OF_BROWSERS else _WITHOUT_HTML
        yield HeaderRule(f"^{without_html}{pattern}", _form(media_type))
    yield HeaderRule(_any_alone(), _form(PAGE_MEDIA_TYPES[0]))


def _form(media_type: MediaType) -> str:
    return media_type.partition("/")[2]


def _names(media_type: MediaType) -> str:
    """Return a pattern of the names of a media type."""
    aliases = (alias for alias, name in ALIASES.items() if name is media_type)
    return "|".join(re.escape(name).replace(r"\-", "-") for name in (media_type, *aliases))


def _any_of(media_types: Iterable[MediaType]) -> str:
    return "(?:" + "|".join(map(_names, media_types)) + ")"


_NAMED = _any_of(PAGE_MEDIA_TYPES)
_OF_BROWSERS = forms_of_text(PAGE_MEDIA_TYPES)
"""The media types on offer to a client that names HTML."""


_PARAMETER = r"(?:\s*;\s*(?!q\s*=)[\w.+-]+=[\w.+-]*)*"
_QUALITY_1 = r"(?:\s*;\s*q=1(?:\.0{0,3})?)?"

_LESS = r"\s*;\s*q=0(?:\.\d{0,3})?"


def _first_of_quality_1(media_type: MediaType, offered: Iterable[MediaType]) -> str:
    """Return a pattern of headers in which a type is the first one on offer with quality 1.

    It is chosen whatever follows. A type on offer may stand before it with a lower quality.
    """
    on_offer = _any_of(offered)
    other = rf'\s*+(?!{on_offer}\s*(?:[;,]|$))[^,;"]*(?:;[^,"]*)?,'
    lower = rf"\s*+{on_offer}{_LESS}\s*,"
    named = rf"\s*(?:{_names(media_type)}){_PARAMETER}{_QUALITY_1}\s*"
    return rf'(?:{other}|{lower}){{0,{_MAX_RANGES}}}{named}(?:,[^"]*)?$'


def _any_alone() -> str:
    """Return a pattern of headers that accept anything, and name nothing that is on offer."""
    mains = "|".join({each.partition("/")[0]: None for each in PAGE_MEDIA_TYPES})
    other = rf'\s*+(?!{_NAMED}\s*(?:[;,]|$)|(?:{mains})/\*|\*)[^,;"]*(?:;[^,"]*)?'
    anything = rf"\s*\*/\*{_POSITIVE}\s*"
    return rf"^(?:{other},){{0,{_MAX_RANGES}}}{anything}(?:,{other}){{0,{_MAX_RANGES}}}$"


def coding_rules() -> Iterator[HeaderRule]:
    """Yield the rules for Accept-Encoding, which name a content coding.

    They are for lists without qualities, as browsers and libraries send.
    """
    for accept in ("", *_FREQUENT_CODINGS):
        yield _exactly(accept, caching.choose(accept))
    for coding in _by_preference():
        yield HeaderRule(
            rf"^(?:{_CODING}\s*,\s*)*{coding}(?:\s*,\s*{_CODING})*$",
            coding,
        )
    yield HeaderRule(rf"^{_CODING}(?:\s*,\s*{_CODING})*$", caching.IDENTITY)


def _by_preference() -> Iterator[str]:
    """Yield the content codings, the one first that is chosen if all are accepted."""
    left = set(caching.CODINGS)
    while left:
        best = caching.choose(", ".join(sorted(left)))
        left.remove(best)
        yield best


def language_rules() -> Iterator[HeaderRule]:
    """Yield the rules for Accept-Language, which name the language that the client prefers.

    The first of a list is preferred if it has no quality; one alone of those that sites have is
    preferred to the other, which is not in the list.
    """
    tag = r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*"
    item = rf"\s*{tag}{_POSITIVE}\s*"
    rest = rf"(?:,{item}){{0,{_MAX_RANGES}}}$"
    yield _exactly("", NO_LANGUAGE)
    for language in Language:
        yield HeaderRule(rf"^\s*{language}(?:-[a-z0-9]{{1,8}})*\s*{rest}", language)
    for language in Language:
        others = "".join(_has(other, negated=True) for other in Language if other is not language)
        yield HeaderRule(rf"^{others}{_has(language)}{item}{rest}", language)
    none = "".join(_has(language, negated=True) for language in Language)
    yield HeaderRule(rf"^{none}{item}{rest}", OTHER_LANGUAGE)


def _has(language: Language, *, negated: bool = False) -> str:
    """Return a lookahead for a language in a list."""
    return rf"(?{'!' if negated else '='}(?:.*,)?\s*{language}(?:[-;,\s]|$))"


def decide(rules: Iterator[HeaderRule], header: str) -> str:
    """Return the value of the first rule that matches a header, as nginx finds it."""
    for rule in rules:
        if re.search(rule.pattern, header, re.IGNORECASE | re.ASCII):
            return rule.value
    return UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class NginxOptions:
    """What differs between installations."""

    upstreams: Sequence[str] = ("127.0.0.1:8000",)
    listen: str = "80"
    server_name: str = "_"
    cache_path: str = "/var/cache/nginx/majlis"
    cache_size: str = "1g"
    renewal_port: int = 8090
    country_header: str = "CF-IPCountry"
    country_from: Sequence[str] = ()
    """The networks of the proxies that set this header."""


def nginx_configuration(options: NginxOptions) -> str:
    """Return the configuration, to be included in `http { }`."""
    return fill(
        "nginx.conf",
        upstreams="\n".join(_servers(options.upstreams)),
        tries=str(len(options.upstreams)),
        # Nobody else can be asked if there is one instance alone.
        read_timeout="5s" if options.upstreams[1:] else "60s",
        listen=options.listen,
        server_name=options.server_name,
        cache_path=options.cache_path,
        cache_size=options.cache_size,
        renewal_address=f"127.0.0.1:{options.renewal_port}",
        country_header=options.country_header,
        country_sources="\n".join(
            ["    default 0;", *(f"    {each} 1;" for each in options.country_from)]
        ),
        country=options.country_header.lower().replace("-", "_"),
        storable="|".join(
            each
            for each in Caching
            # A page with a suggestion is for one reader; the response cache has that in its key.
            if is_storable(each.encode()) and each != Caching.SUGGESTING
        ),
        forms=_map_lines(accept_rules()),
        codings=_map_lines(coding_rules()),
        languages=_map_lines(language_rules()),
        default_form=_form(PAGE_MEDIA_TYPES[0]),
    )


def _servers(upstreams: Sequence[str]) -> Iterator[str]:
    """Yield the lines of instances, which are asked in spite of it if all of them have failed."""
    yield from (f"    server {each} max_fails=1 fail_timeout=5s;" for each in upstreams)
    if upstreams[1:]:
        yield from (f"    server {each} max_fails=0 backup;" for each in upstreams)


def _map_lines(rules: Iterable[HeaderRule]) -> str:
    """Return the lines of a `map`; the default is the empty text."""
    return "\n".join(f"    {_key(rule)} {rule.value};" for rule in rules)


def _key(rule: HeaderRule) -> str:
    """Return the key of a rule in a map; nginx compares an empty value with no pattern."""
    if rule.text is not None:
        return f'"{rule.text}"'
    escaped = rule.pattern.replace('"', r"\"")
    return f'"~*{escaped}"'


class ConfigurationTemplate(Template):
    """A template whose placeholders differ from the variables of nginx and VCL."""

    delimiter = "@"


def fill(name: str, **values: str) -> str:
    """Return a template of this package with its values."""
    text = files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
    return ConfigurationTemplate(text).substitute(values)
