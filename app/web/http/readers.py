"""Readers: the country and the languages that the headers of a request tell of its sender."""

from __future__ import annotations

from functools import lru_cache

from quart import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from app.platform.asgi.scope import RequestHeaders
from app.services import Services, services
from app.web.http.request_context import current_request
from knowledge.locales.locale import Country, Language

ACCEPT_LANGUAGE = b"accept-language"

_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer headers are parsed each time, to limit the memory of that cache."""


def hinted_country() -> Country | None:
    """Return the country of the reader who sent the current request, if it is known."""
    return country_of(services(), request.remote_addr, current_request.get().headers)


def accepted_languages() -> tuple[str, ...]:
    """Return the language tags that the reader accepts, preferred ones first."""
    return languages_of(current_request.get().headers)


def country_of(services: Services, peer: str | None, headers: RequestHeaders) -> Country | None:
    """Return the country sent by a trusted proxy; None if it is absent or malformed."""
    if not services.proxies.trusts(peer):
        return None
    name = services.settings.country_header.lower().encode("latin-1")
    return Country.parse(headers.get(name, b"").decode("latin-1"))


def languages_of(headers: RequestHeaders) -> tuple[str, ...]:
    """Return the language tags of Accept-Language, preferred ones first."""
    header = headers.get(ACCEPT_LANGUAGE, b"")
    return _parse(header) if len(header) <= _MAX_CACHED_LENGTH else _parse.__wrapped__(header)


@lru_cache(_CACHE_SIZE)
def _parse(header: bytes) -> tuple[str, ...]:
    """Parse Accept-Language; malformed ranges and those with `q=0` are left out.

    `*` tells no preference, unless it stands beside a language that is refused.

    >>> _parse(b"en;q=0.5, ar-SA, fr;q=0"), _parse(b"en;q=0, *"), _parse(b"*, en;q=x")
    (('ar-SA', 'en'), (<Language.AR: 'ar'>,), ())
    """
    ranges = parse_accept_header(header.decode("latin-1"), LanguageAccept)
    accepted = tuple(tag for tag, quality in ranges if quality > 0)
    named = tuple(tag for tag in accepted if tag != "*")
    refused = {Language.parse(tag) for tag, quality in ranges if quality == 0} - {None}
    if len(named) == len(accepted) or not refused:
        return named
    return (*named, *(language for language in Language if language not in refused))
