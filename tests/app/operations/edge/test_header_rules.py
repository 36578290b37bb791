"""What nginx concludes from request headers is what the service would choose, or nothing."""

from __future__ import annotations

from cases import cases
from request_headers import CLIENTS, CODINGS, LANGUAGES, generated

from app.operations.edge import (
    MAX_EXACT_LETTERS,
    NO_LANGUAGE,
    OTHER_LANGUAGE,
    UNDECIDED,
    accept_rules,
    coding_rules,
    decide,
    language_rules,
)
from app.platform.asgi import caching
from app.web.http.request_context import ACCEPT_LANGUAGE, languages_of
from knowledge.locales.locale import Language
from renderers.representation import PAGE_MEDIA_TYPES, choose


def preferred(header: str) -> str:
    """Return the language that the service prefers for a reader of a site with all of them."""
    if not header:
        return NO_LANGUAGE
    tags = languages_of({ACCEPT_LANGUAGE: header.encode()})
    parsed = (Language.parse(tag) for tag in tags)
    return next((each for each in parsed if each), OTHER_LANGUAGE)


def test_generated_headers_are_decided_as_the_service_does_or_not_at_all() -> None:
    """A header that no rule decides does without the cache, which is slower and never wrong."""
    decided = 0
    of_accept, of_coding, of_language = map(
        list, (accept_rules(), coding_rules(), language_rules())
    )
    for headers in generated(seed=19, number=3_000):
        accept, coding, language = headers.values()
        form = (choose(accept, PAGE_MEDIA_TYPES) or "/").partition("/")[2]
        found = decide(iter(of_accept), accept)
        assert found in (UNDECIDED, form), accept
        wanted = caching.choose(coding)
        assert decide(iter(of_coding), coding) in (UNDECIDED, wanted), coding
        assert decide(iter(of_language), language) in (UNDECIDED, preferred(language)), language
        decided += found != UNDECIDED
    assert decided > 1_000


@cases("accept", CLIENTS.values())
def test_well_known_clients_are_decided(accept: str) -> None:
    """Browsers, agents and libraries."""
    form = choose(accept, PAGE_MEDIA_TYPES)
    assert form is not None
    assert decide(accept_rules(), accept) == form.partition("/")[2]


@cases("header", CODINGS)
def test_their_codings_are_decided(header: str) -> None:
    """Browsers send a list without qualities."""
    assert decide(coding_rules(), header) == caching.choose(header)


@cases("header", LANGUAGES)
def test_their_languages_are_decided(header: str) -> None:
    """Also those of readers who prefer a language that no site has."""
    assert decide(language_rules(), header) == preferred(header)


def test_exact_headers_fit_into_the_hash_tables_of_nginx() -> None:
    """Otherwise it does not start, unless its configuration has larger buckets."""
    rules = (*accept_rules(), *coding_rules(), *language_rules())
    texts = [rule.text for rule in rules if rule.text is not None]
    assert "text/markdown, text/html, */*" in texts
    assert max(map(len, texts)) <= MAX_EXACT_LETTERS


def test_a_long_header_is_decided_fast() -> None:
    """Patterns that try again and again would stop nginx."""
    for header in ("a" * 4_000, "a/b," * 1_000, "text/html;q=0," * 300, ";" * 4_000, "," * 4_000):
        for rules in (accept_rules, coding_rules, language_rules):
            assert decide(rules(), header) in (UNDECIDED, caching.IDENTITY)
            assert decide(rules(), f"{header} ;") == UNDECIDED
