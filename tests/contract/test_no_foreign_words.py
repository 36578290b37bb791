"""The law “no foreign word”: a site says nothing in the words of another trade than its own."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir
from itertools import chain, product, starmap
from pathlib import Path
from typing import Any

import pytest
from agents import modern
from cases import cases
from click.testing import CliRunner
from contract.adverts import LOCATION, Advert, advertised, target_of
from contract.test_openapi import closed, operations
from contract.visitor import Visitor
from examples import SITES
from live.server import until
from starters import STARTERS, starter
from storefront.mail_server import MailServer

from app.operations.cli import main
from app.services import services_of

WORDS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"(?<![^\W_])(?:{forms})(?![^\W_])", re.IGNORECASE)
    for name, forms in {
        "ERP": "erp|(?:ال)?تخطيط (?:ال)?موارد",
        "POS": "pos|point of sale|نقاط البيع|نقطة البيع|نقطة بيع",
        "till": "tills?|(?:ال)?كاشير",
        "rollout": "roll-?outs?",
        "module": "modules?|(?:ال)?وحدات(?![ -](?:ال)?لغوية)",
        "industry": "industry|industries|(?:ال)?قطاع(?:ات)?",
        "demo": "demos?|(?:ال)?عرض (?:ال)?(?:توضيحي|تجريبي)|عرضًا (?:توضيحيًا|تجريبيًا)",
        "hardware": "hardware|(?:ال)?عتاد",
        "testimonial": "testimonials?|(?:آراء|شهادات) العملاء",
    }.items()
}
"""Words of a vendor of software for shops, in English and Arabic."""

CAPITAL = re.compile("(?<=[a-z0-9])(?=[A-Z])")
"""Where a word begins within a name, as in `demoCta`."""

FORMS = ("text/html", "text/markdown", "application/json")
STARTS = (
    *("/", "/nothing", "/developers", "/developers/ar", "/openapi.json", "/openapi-legacy.json"),
    *("/llms.txt", "/llms-full.txt", "/robots.txt", "/sitemap.xml"),
)
NEW_SITES = tuple(each for each in STARTERS if each[1:] not in {("en", "sa,ae"), ("ar", "")})
"""All kinds in each language, and with and without countries."""

METHODS = (
    *("tools/list", "resources/list", "resources/templates/list", "prompts/list"),
    "server/discover",
)

VALUES: Mapping[str, str] = {
    r"(?<=[\"`=])demo(?=[\"`&) \n]|$)": "a topic of the lead request, which the contract has",
}
"""What any answer may have, each with its reason: the contract has these letters."""

NAMES: Mapping[str, str] = {
    r'"(?:modules|industries|testimonials|demoCta)"': "keys of the home page bundle",
    r"\b(?:Home)?(?:Modules?|Industr(?:y|ies)|Testimonials?)(?:Item)?(?=\")": "their schemas",
    r'DemoCta(?=")|^  - name: demoCta$': "that of `demoCta`",
    r'"industry"|name: industry\n\s+label: (?:Line of business|النشاط)': "a field of a testimonial",
}
"""What data may have besides, such as JSON and the configuration of editors."""


def answered(visitor: Visitor) -> Iterator[tuple[str, str]]:
    """Yield all that a site answers, by what was asked for."""
    pages = [Advert(url).path for url in LOCATION.findall(visitor.get("/sitemap.xml").text)]
    named = [*STARTS, *(f"/openapi/{each}.json" for each in _tags(visitor))]
    waiting = [*map(Advert, named), *starmap(Advert, product(pages, FORMS))]
    seen = set(waiting)
    while waiting:
        asked = waiting.pop()
        reply = visitor.get(asked.path, {"Accept": asked.media_type} if asked.media_type else None)
        if reply.headers.get("Content-Type", "").startswith(("image/", "font/")):
            continue
        yield f"{asked.path} {asked.media_type}", reply.text
        yield f"headers of {asked.path}", str(reply.headers)
        found = {target_of(each) for each in advertised(asked.path, reply)}
        new = {each for each in found - seen if each.path and "?" not in each.path}
        seen |= new
        waiting += new
    for each in operations(closed(visitor.get("/openapi.json").json)):
        if each.method == "get" and not each.operation["security"]:
            yield each.path, visitor.get(each.target()).text
    for method in METHODS:
        yield f"mcp {method}", modern(visitor, method).text


def _tags(visitor: Visitor) -> list[str]:
    return [each["name"] for each in visitor.get("/openapi.json").json["tags"]]


def configured(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what the command line tells the editors of a site."""
    environment = {"CONTENT_DIR": str(folder)}
    for words in (["words"], ["schema"], ["schema", "--decap"]):
        with chdir(folder.parent):
            done = CliRunner().invoke(main, words, env=environment)
        assert done.exit_code == 0, done.output
        yield f"majlis {' '.join(words)}", done.output
    for path in (folder / ".vscode").rglob("*.json"):
        yield path.name, path.read_text(encoding="utf-8")


def own_words(folder: Path) -> set[str]:
    """Return the words that are in the content of a site."""
    texts = [
        f"{path.relative_to(folder)} {path.read_text(encoding='utf-8')}"
        for path in folder.rglob("*")
        if path.suffix in (".md", ".css", ".yaml", ".txt") and ".vscode" not in path.parts
    ]
    return set(found("\n".join(texts)))


def found(text: str) -> dict[str, str]:
    """Return the foreign words in a text, each with its surroundings."""
    for name in chain(VALUES, NAMES if is_data(text) else ()):
        text = re.sub(name, "", text, flags=re.MULTILINE)
    apart = CAPITAL.sub(" ", text)
    return {
        name: " ".join(apart[max(0, match.start() - 60) : match.end() + 60].split())
        for name, pattern in WORDS.items()
        if (match := pattern.search(apart))
    }


def is_data(text: str) -> bool:
    """Return whether a text is JSON or the configuration of an editor."""
    return text.lstrip().startswith(("{", "backend:"))


def foreign(texts: Iterable[tuple[str, str]], own: set[str]) -> dict[str, dict[str, str]]:
    """Return the foreign words by what was asked for; a line of several pages is read once."""
    named: dict[str, dict[str, str]] = defaultdict(dict)
    seen: set[str] = set()
    for asked, text in texts:
        lines = {text} if is_data(text) else {*text.splitlines()}
        for name, around in found("\n".join(lines - seen)).items():
            if name not in own:
                named[name][asked] = around
        seen |= lines
    return dict(named)


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    """A mail server, which runs in a thread."""
    mails = MailServer()
    asyncio.run(mails.__aenter__())
    yield mails
    asyncio.run(mails.__aexit__())


def mailed(visitor: Visitor, server: MailServer) -> Iterator[tuple[str, str]]:
    """Yield the mails about an enquiry, in the language of its page."""
    snapshot = services_of(visitor.quart).content_store.current.snapshot
    server.received.clear()
    languages = snapshot.locales.languages
    for language in languages:
        lead = {"email": "noor@example.com", "topic": "demo", "localeLang": language}
        assert visitor.post("/api/public/v1/leads", lead).status == 200
    visitor.run(until(lambda: len(server.received) == len(languages)))
    for mail in server.received:
        yield "mail", f"{mail['Subject']}\n{mail.get_content()}"


def problems(folder: Path, server: MailServer) -> dict[str, dict[str, str]]:
    """Return the foreign words in all that a site answers."""
    mails: dict[str, Any] = {
        "smtp_url": f"smtp://127.0.0.1:{server.port}",
        "leads_email_to": "team@a.example",
    }
    own = own_words(folder)
    with Visitor(content_dir=folder, mcp=True, leads_email_language="page", **mails) as visitor:
        texts = (answered(visitor), mailed(visitor, server), configured(folder))
        return foreign(chain.from_iterable(texts), own)


def test_a_company_has_no_foreign_word(tmp_path: Path, server: MailServer) -> None:
    """One site of `majlis init`, as the others take longer."""
    assert problems(starter(tmp_path / "site", "company", "both", ""), server) == {}


@pytest.mark.slow
@pytest.mark.timeout(900)  # reads all answers of sixteen sites
@cases(("kind", "language", "countries"), NEW_SITES)
def test_a_new_site_has_no_foreign_word(
    tmp_path: Path, server: MailServer, kind: str, language: str, countries: str
) -> None:
    """All that `majlis init` can make, in each language."""
    folder = starter(tmp_path / f"{kind}-{language}-{countries}", kind, language, countries)
    assert problems(folder, server) == {}


@pytest.mark.slow
@cases("site", SITES)
def test_an_example_has_no_foreign_word(server: MailServer, site: Path) -> None:
    """The sites of declared kinds."""
    assert problems(site, server) == {}
