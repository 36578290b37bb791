"""Newsletters: asked for by a form, confirmed and ended by signed links, kept for exports."""

from __future__ import annotations

import asyncio
import csv
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from cases import cases
from command_line import run_majlis
from conftest import Content, Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Reply, Visitor
from gulf import write_site
from live.server import DEADLINE
from storefront.clocks import FakeDatabaseClock
from storefront.mail_server import MailServer

from app.features.newsletter.service import Newsletter, SubscriberLinks
from app.features.newsletter.store import BETWEEN_MAILS, VALID, Subscriber, SubscriberStore
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Delivery, DeliveryStatus
from app.platform.deliveries.outbox import Outbox
from app.platform.deliveries.smtp import mail_address
from app.platform.keys import TOKEN_LIFE, TOKEN_SLOT
from app.services import services_of
from knowledge.checks.content_linter import check_content
from knowledge.snapshot.loading import load_content

FORM = """---
kind: newsletter
title: { en: The letter, ar: النشرة }
fields:
  email: { type: email, required: true }
  consent:
    type: consent
    label: { en: "As the [notice] says.", ar: "وفق [السياسة]." }
    link: /privacy
    required: true
---
Once a month.
"""
NEWS = "---\ntitle: News\n---\nText.\n\n:::{form} Stay informed\n:form: letter\n:::\n"
FILES = {
    "forms/letter.md": FORM,
    "forms/letter.ar.md": "---\ntitle: النشرة\n---\nمرة كل شهر.\n",
    "pages/privacy.md": "---\ntitle: { en: Privacy, ar: الخصوصية }\n---\nNothing.\n",
    "pages/news.md": NEWS,
    "posts/first.md": "---\ntitle: First\npublishedAt: 2026-01-01\n---\nText.\n",
    "site/blog.md": "---\nform: letter\n---\n",
    "site/settings.md": "---\nseo: { pageTitle: { en: Wahat, ar: واحات } }\n---\n",
    "site/navigation.md": "---\nheaderLinks:\n  - { label: Letter, href: /letter }\n---\n",
}
TYPED = {"email": "Noor@Example.com", "consent": "true", "website": ""}
FORM_PATH = "/ae/en/subscriptions/letter"
HTML = {"Accept": "text/html"}


@pytest.fixture
def server() -> Iterator[MailServer]:
    """A mail server, which runs in a thread."""
    mails = MailServer()
    asyncio.run(mails.__aenter__())
    yield mails
    asyncio.run(mails.__aexit__())


class Site:
    """A process of a site with a newsletter, and the mails that it sends."""

    def __init__(self, visitor: Visitor, server: MailServer) -> None:
        self.visitor = visitor
        self.server = server
        self.newsletter = services_of(visitor.quart).part(Newsletter)
        self._seen = len(server.received)

    def ask(self, path: str = FORM_PATH, peer: str | None = None, **typed: str) -> Reply:
        """Send the form as a browser does."""
        headers = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({**TYPED, **typed}).encode()
        return self.visitor.ask("POST", path, headers, peer, body)

    def press(self, url: str) -> Reply:
        """Send the button of the page at a URL, or that of a mail program."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.visitor.ask("POST", path_of(url), headers, body=b"List-Unsubscribe=One-Click")

    def mails(self) -> list[EmailMessage]:
        """Send what is due, and return the new mails."""
        self.visitor.run(self._deliver())
        new = self.server.received[self._seen :]
        self._seen += len(new)
        return new

    async def _deliver(self) -> None:
        """Send, or wait for the task of the application, which may be first."""
        (dispatcher,) = self.newsletter.dispatchers
        outbox = Outbox(services_of(self.visitor.quart).database)
        async with asyncio.timeout(DEADLINE):
            while any(map(self._is_due, await outbox.newest(100))):
                await dispatcher.deliver_due()

    def _is_due(self, delivery: Delivery) -> bool:
        """Return whether a mail is to go out now; a mail of PostgreSQL has its real time."""
        at = delivery.next_attempt_at
        is_now = at is not None and (at == delivery.created_at or at <= self.visitor.clock())
        return is_now and delivery.status is DeliveryStatus.PENDING

    def token(self, path: str = "/ae/en/letter") -> str:
        """Return the token of the form on a page."""
        reply = self.visitor.get(path, HTML)
        assert reply.headers["Cache-Control"].startswith("public")
        (token,) = re.findall('name="token" value="([^"]*)"', reply.text)
        return str(token)

    def subscribe(self, **typed: str) -> str:
        """Ask and confirm; return the URL to unsubscribe."""
        assert self.ask(**typed).status == 303
        (mail,) = self.mails()
        assert self.press(link_of(mail)).status == 200
        (mail,) = self.mails()
        return link_of(mail)

    def subscribers(self) -> list[Subscriber]:
        """Return all subscribers."""

        async def listed() -> list[Subscriber]:
            return [each async for each in self.newsletter.store.all(None, confirmed=False)]

        return self.visitor.run(listed())


def path_of(url: str) -> str:
    """Return the path of a URL of the site."""
    assert url.startswith(BASE_URL)
    return urlsplit(url).path


def link_of(mail: EmailMessage) -> str:
    """Return the URL in the text of a mail."""
    (url,) = re.findall(r"https://\S+", mail.get_content())
    return str(url)


def settings_of(server: MailServer, folder: Path) -> dict[str, Any]:
    """Return the settings of a site with a newsletter."""
    return {
        "smtp_url": f"smtp://127.0.0.1:{server.port}",
        "newsletter_key_file": folder / "newsletter.key",
        "newsletter_from": "news@wahat.example",
    }


@pytest.fixture
def site(visit: Visit, server: MailServer, migrated_url: str, tmp_path: Path) -> Site:
    """The site on SQLite and on PostgreSQL."""
    own = settings_of(server, tmp_path)
    return Site(visit(FILES, database_url=migrated_url, **own), server)


TEXTS: Mapping[str, tuple[str, str, str, str]] = {
    "/ae/en": (
        "Please confirm: The letter",
        "Confirm your subscription",
        "You are subscribed: The letter",
        "You are unsubscribed",
    ),
    "/sa/ar": (
        "يرجى تأكيد الاشتراك: النشرة",
        "تأكيد الاشتراك",
        "اكتمل الاشتراك: النشرة",
        "أُلغي الاشتراك",
    ),
}


def test_who_asks_confirms_by_mail_and_ends_it_by_a_click(site: Site) -> None:
    """In both languages; no GET changes anything, as programs open the links of mails."""
    for locale, (please, ask, subscribed, ended) in TEXTS.items():
        path = f"{locale}/subscriptions/letter"
        reply = site.ask(path)
        assert (reply.status, reply.headers["Location"]) == (303, f"{path}?sent=1#letter-answer")
        assert 'role="status"' in site.visitor.get(f"{path}?sent=1", HTML).text
        (mail,) = site.mails()
        assert (mail["Subject"], mail["To"]) == (please, "Noor@Example.com")
        assert mail["From"].addresses[0].addr_spec == "news@wahat.example"
        assert link_of(mail).startswith(f"{BASE_URL}{locale}/confirm-subscription/")
        page = site.visitor.get(path_of(link_of(mail)), HTML)
        assert page.status == 200
        assert re.search(rf"<h1[^>]*>{ask}", page.text)
        assert page.headers["Cache-Control"] == "no-store"
        assert [each.confirmed_at for each in site.subscribers()] == [None]
        assert site.press(link_of(mail)).status == 200
        (subscriber,) = site.subscribers()
        assert (subscriber.confirmed_at, subscriber.locale.path) == (site.visitor.clock(), locale)
        assert site.press(link_of(mail)).status == 200  # a second press changes nothing
        (welcome,) = site.mails()
        assert welcome["Subject"] == subscribed
        cancel = link_of(welcome)
        assert welcome["List-Unsubscribe"] == mail["List-Unsubscribe"] == f"<{cancel}>"
        assert welcome["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert ("List-Unsubscribe", f"<{cancel}>") in welcome.raw_items()  # in one line
        assert '<form method="post">' in site.visitor.get(path_of(cancel), HTML).text
        assert len(site.subscribers()) == 1
        assert ended in site.press(cancel).text
        assert site.subscribers() == []
        assert site.press(cancel).status == 200
        assert site.press(link_of(mail)).status == 410


def test_nobody_learns_who_is_on_the_list(site: Site) -> None:
    """The answer is the same; a subscriber gets another mail, and stays as they are."""
    answers = [site.ask()]
    assert len(site.mails()) == 1
    answers.append(site.ask(email="noor@example.com"))
    assert site.mails() == []  # as there was one within the hour
    site.visitor.clock.move(BETWEEN_MAILS)  # type: ignore[attr-defined]
    answers.append(site.ask("/sa/ar/subscriptions/letter"))
    (mail,) = site.mails()
    assert mail["Subject"] == TEXTS["/sa/ar"][0]
    site.press(link_of(mail))
    assert len(site.mails()) == 1
    (before,) = site.subscribers()
    site.visitor.clock.move(BETWEEN_MAILS)  # type: ignore[attr-defined]
    answers.append(site.ask())
    (mail,) = site.mails()
    assert mail["Subject"] == TEXTS["/sa/ar"][2]
    (after,) = site.subscribers()
    assert replace(after, mailed_at=None) == replace(before, mailed_at=None)
    assert {(each.status, each.body) for each in answers} == {(303, b"")}


def test_a_request_expires(site: Site) -> None:
    """The link after two days, and the address with it; a subscriber stays."""
    site.subscribe(email="omar@example.com")
    site.ask()
    (mail,) = site.mails()
    site.visitor.clock.move(VALID)  # type: ignore[attr-defined]
    assert site.visitor.get(path_of(link_of(mail)), HTML).status == 410
    assert site.press(link_of(mail)).status == 410
    now = site.visitor.clock()
    assert site.visitor.run(site.newsletter.store.purge(now - VALID + timedelta(seconds=1))) == 1
    assert [each.email for each in site.subscribers()] == ["omar@example.com"]


def test_a_link_is_for_one_thing_and_one_subscriber(site: Site) -> None:
    """Nobody makes one without the key, or turns one into the other."""
    cancel = path_of(site.subscribe())
    site.ask(email="omar@example.com")
    (mail,) = site.mails()
    first, other = sorted(site.subscribers(), key=lambda each: each.email)
    confirm, token = path_of(link_of(mail)), cancel.rpartition("/")[2]
    forged = [
        cancel.replace(first.id, other.id),
        f"/ae/en/unsubscribe/{confirm.rpartition('/')[2]}",
        f"/ae/en/confirm-subscription/{token}",
        confirm.replace(other.id, first.id),
        *("/ae/en/unsubscribe/x", "/ae/en/unsubscribe/.", "/ae/en/confirm-subscription/%D8%B9.1.x"),
    ]
    for path in forged:
        assert site.visitor.get(path, HTML).status == 410, path
        assert site.visitor.ask("POST", path).status == 410, path
    assert len(site.subscribers()) == 2
    links = replace(site.newsletter.links, key=lambda: b"another key")
    assert site.press(links.cancellation(first)).status == 410
    # A locale that the site no longer has still ends a subscription.
    assert site.visitor.ask("POST", f"/jp/en/unsubscribe/{token}").status == 200
    assert site.subscribers() == [other]


def test_what_is_wrong_is_said_and_nothing_is_kept(site: Site) -> None:
    """A bot that fills the hidden field gets the usual answer, and no mail."""
    wrong = {
        "": "Please fill this in.",
        "noor": "Please write a complete e-mail address: name@example.com.",
        "نور@a.example": "Please write a complete e-mail address: name@example.com.",
        "=?utf-8?q?x?=@a.example": "Please write a complete e-mail address: name@example.com.",
        f"{'n' * 60}@{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.example": "it is too long",
    }
    for email, text in wrong.items():
        reply = site.ask(email=email)
        assert (reply.status, text in reply.text) == (400, True), email
    reply = site.ask(consent="")
    assert (reply.status, 'id="letter-consent-error"' in reply.text) == (400, True)
    assert site.ask(website="https://spam.example").status == 303
    headers = {**HTML, "Content-Type": "application/x-www-form-urlencoded", "Origin": "https://x.y"}
    assert (
        site.visitor.ask("POST", FORM_PATH, headers, body=urlencode(TYPED).encode()).status == 403
    )
    assert (site.subscribers(), site.mails()) == ([], [])


def test_nobody_makes_the_site_flood_others(
    visit: Visit, server: MailServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One client is limited, and mails beyond those of an hour wait for a day at most."""
    own = settings_of(server, tmp_path)
    site = Site(visit(FILES, newsletter_mails_per_hour=1, newsletter_per_network=99, **own), server)
    for number in range(25):
        assert site.ask(email=f"{number}@example.com").status == 303
    assert len(site.mails()) == 1
    reply = site.ask(email="late@example.com")
    assert (reply.status, "send it again in a minute" in reply.text) == (503, True)
    assert "NEWSLETTER_MAILS_PER_HOUR=1" in caplog.text
    assert len(site.subscribers()) == 25
    statuses = [site.ask(email="x", peer="198.51.100.7").status for _ in range(13)]
    assert (statuses[0], statuses[-1]) == (400, 429)


def test_who_is_told_that_a_mail_was_sent_gets_it(
    visit: Visit, server: MailServer, tmp_path: Path
) -> None:
    """In turn, beyond the limit of an hour; the link is valid from then on."""
    own = settings_of(server, tmp_path)
    site = Site(visit(FILES, newsletter_mails_per_hour=3, **own), server)
    for number in range(7):
        assert site.ask(email=f"{number}@example.com").status == 303
    to: list[str] = []
    newest: list[EmailMessage] = []
    for expected in (3, 3, 1, 0):
        mails = site.mails()
        assert len(mails) == expected
        to += [each["To"] for each in mails]
        site.visitor.clock.move(BETWEEN_MAILS)  # type: ignore[attr-defined]
        newest = [*newest, *mails][-1:]
    assert sorted(to) == [f"{number}@example.com" for number in range(7)]
    site.visitor.clock.move(VALID - 3 * BETWEEN_MAILS)  # type: ignore[attr-defined]
    before = site.visitor.clock() - VALID
    assert site.visitor.run(site.newsletter.store.purge(before)) == 3
    assert site.press(link_of(newest[0])).status == 200


@cases(
    ("first", "others"),
    [
        (
            "victim@example.com",
            ["Victim+1@example.com", "victim+2@EXAMPLE.com", "victim+a+b@example.com"],
        ),
        (
            "v.ictim@gmail.com",
            ["victim@gmail.com", "vic.tim+3@googlemail.com", "victim+4@gmail.com"],
        ),
    ],
)
def test_a_mailbox_gets_one_mail_within_the_hour(
    visit: Visit, server: MailServer, tmp_path: Path, first: str, others: list[str]
) -> None:
    """By whichever of its addresses; one of the others waits, and is not forgotten."""
    site = Site(visit(FILES, **settings_of(server, tmp_path)), server)
    for email in (first, *others, *others):
        assert site.ask(email=email).status == 303
    near = (
        "victi@example.com",
        "vict_m@example.com",
        "v.ictim@example.com",
        "victim@gmail.example",
    )
    for email in near:  # those of other people
        assert site.ask(email=email).status == 303
    assert {each["To"] for each in site.mails()} == {first, *near}
    site.visitor.clock.move(BETWEEN_MAILS)  # type: ignore[attr-defined]
    assert [each["To"] for each in site.mails()] == [others[0]]
    site.visitor.clock.move(BETWEEN_MAILS)  # type: ignore[attr-defined]
    assert site.mails() == []


def test_a_network_has_a_share_as_have_those_without_the_token(
    visit: Visit, server: MailServer, tmp_path: Path
) -> None:
    """Others are served; who has an old page presses the button once more."""
    site = Site(visit(FILES, newsletter_per_network=2, **settings_of(server, tmp_path)), server)
    numbers = iter(range(99))

    def ask(peer: str | None, **typed: str) -> Reply:
        return site.ask(peer=peer, email=f"{next(numbers)}@example.com", **typed)

    token = site.token()
    statuses = [ask(f"198.51.100.{number}", token=token).status for number in range(3)]
    assert statuses == [303, 303, 429]
    refused = ask("198.51.100.9", token=token)
    assert refused.headers["Retry-After"].isdecimal()
    assert "send it again in 60 minutes" in refused.text
    assert ask("203.0.113.1", token=token).status == 303
    for made_up in ("", "1.x", token[:-1] + ("A" if token[-1] != "A" else "B")):
        reply = ask(None, token=made_up)
    assert (reply.status, "press the button once more" in reply.text) == (400, True)
    arabic = site.ask("/sa/ar/subscriptions/letter")
    assert (arabic.status, "اضغط" in arabic.text or "الضغط على الزر" in arabic.text) == (400, True)
    (fresh,) = re.findall('name="token" value="([^"]*)"', reply.text)
    assert ask(None, token=fresh).status == 303
    assert site.ask("/sa/ar/subscriptions/letter", token=token).status == 400  # of another page
    assert len(site.mails()) == len(site.subscribers()) == 6


def test_the_token_of_a_cached_page_is_renewed(site: Site) -> None:
    """Every six hours, for all visitors; it is valid for a day."""
    first = site.token()
    assert first == site.token() == site.token("/ae/en/news") == site.token("/ae/en/blog")
    site.visitor.clock.move(TOKEN_SLOT)  # type: ignore[attr-defined]
    second = site.token()
    assert second != first
    assert second == site.token("/ae/en/news")
    own = site.newsletter.share
    object.__setattr__(own, "limit", 0)  # so that only the token decides what is shown
    assert site.ask(token=first).status == 429
    site.visitor.clock.move(TOKEN_LIFE)  # type: ignore[attr-defined]
    assert site.ask(token=first).status == 400


async def test_machines_that_get_one_request_at_once_send_one_mail(
    database: Database, migrated_url: str
) -> None:
    """The database decides who enters an address, and who mails it."""
    clock = FakeClock()
    new = Subscriber("1", "letter", "noor@example.com", "en", "AE", NOW)
    async with Database(migrated_url, tables=database._tables) as other:
        outboxes = [Outbox(each, FakeDatabaseClock(clock)) for each in (database, other) * 3]
        stores = [SubscriberStore(box._database, box) for box in outboxes]
        asked = [store.ask(replace(new, id=str(n)), 200) for n, store in enumerate(stores)]
        assert all(await asyncio.gather(*asked))
        (subscriber,) = [each async for each in stores[0].all("letter", confirmed=False)]
        assert len(await outboxes[0].newest(10)) == 1
        confirmed = [store.confirm(subscriber.id, NOW) for store in stores]
        assert all(await asyncio.gather(*confirmed))
        assert len(await outboxes[0].newest(10)) == 1  # the first mail, which is not yet sent
    assert new.locale.path == "/ae/en"


def test_pages_with_the_form_stay_in_caches(site: Site) -> None:
    """Its token is that of all: below the blog and each post, on its page, and in sections."""
    for path in ("/ae/en/blog", "/ae/en/blog/first", "/sa/ar/letter", "/ae/en/news"):
        reply = site.visitor.get(path, HTML)
        action = f"{path[:6]}/subscriptions/letter"
        assert reply.text.count(f'method="post" action="{action}#letter-answer"') == 1, path
        assert reply.headers["Cache-Control"].startswith("public"), path
    assert "/ae/en/letter" in site.visitor.get("/sitemap.xml").text
    assert 'href="/ae/en/letter"' in site.visitor.get("/ae/en/news", HTML).text
    markdown = site.visitor.get("/ae/en/letter.md").text
    assert "/ae/en/letter" in markdown
    assert "/api/public/v1/leads" not in markdown
    assert site.visitor.get(FORM_PATH, HTML).headers["Location"] == "/ae/en/letter"


def test_its_answers_are_no_lead(site: Site) -> None:
    """Neither by the API nor by the path of other forms."""
    lead = {"form": "letter", "email": "noor@example.com"}
    assert site.visitor.post("/api/public/v1/leads", lead).status == 400
    assert site.ask("/ae/en/forms/letter").status == 404
    contract = site.visitor.get("/openapi.json").json
    assert '"letter"' not in json.dumps(contract["components"]["schemas"]["Lead"])
    assert site.ask("/ae/en/subscriptions/other").status == 404


def test_without_a_mail_server_there_is_nothing_of_it(visit: Visit) -> None:
    """No page, link, section, address or word."""
    visitor = visit(FILES)
    for path in ("/ae/en/blog", "/ae/en/blog/first", "/ae/en/news", "/sa/ar/news"):
        reply = visitor.get(path, HTML)
        assert reply.status == 200
        assert "letter" not in reply.text, path
        assert "Stay informed" not in reply.text
    for path in ("/sitemap.xml", "/llms.txt", "/ae/en/llms.txt", "/openapi.json", "/developers"):
        found = re.findall("/letter|The letter|subscri", visitor.get(path).text)
        assert found == [], path
    for path in ("/ae/en/letter", "/sa/ar/letter.md", "/ae/en/unsubscribe/x", FORM_PATH):
        assert visitor.get(path, HTML).status == 404, path
    assert visitor.ask("POST", FORM_PATH, HTML).status == 405
    names = [each.name for each in services_of(visitor.quart).settings.newsletter_key_file.parents]
    assert names[-2:] == ["var", ""]


def test_the_list_goes_to_other_programs(server: MailServer, tmp_path: Path) -> None:
    """With each one's URL to unsubscribe; who has not confirmed is not in it."""
    folder = write_site(tmp_path / "content", FILES)
    own = settings_of(server, tmp_path)
    url = f"sqlite:///{tmp_path}/own.db"
    variables = {
        "DATABASE_URL": url,
        "BASE_URL": BASE_URL,
        "NEWSLETTER_KEY_FILE": str(own["newsletter_key_file"]),
    }
    with ExitStack() as stack:
        visitor = stack.enter_context(Visitor(content_dir=folder, database_url=url, **own))
        site = Site(visitor, server)
        cancel = site.subscribe(email="+noor@example.com")
        site.ask("/sa/ar/subscriptions/letter", email="omar@example.com")

    def run(*arguments: str) -> str:
        done = run_majlis("newsletter", *arguments, folder=tmp_path, variables=variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert sorted(line.split() for line in run("list").splitlines()[1:]) == [
        ["2026-11-20", "letter", "AE", "en", "+noor@example.com"],
        ["no", "letter", "SA", "ar", "omar@example.com"],
    ]
    (row,) = csv.DictReader(StringIO(run("export").removeprefix("\ufeff")))
    instant = "2026-11-20T12:00:00+00:00"
    expected = {
        "email": "'+noor@example.com",
        "form": "letter",
        "language": "en",
        "country": "AE",
        "requestedAt": instant,
        "confirmedAt": instant,
        "unsubscribe": cancel,
    }
    assert row == expected
    exported = json.loads(run("export", "--format", "jsonl"))
    assert exported == {**expected, "email": "+noor@example.com"}
    assert run("export", "--form", "other", "--format", "jsonl") == ""
    Path(str(own["newsletter_key_file"])).unlink()
    done = run_majlis("newsletter", "export", folder=tmp_path, variables=variables)
    assert (done.returncode, "NEWSLETTER_KEY_FILE: there is no key" in done.stderr) == (1, True)
    assert run("erase", "--email", "+NOOR@example.com") == "Deleted from 1 lists.\n"
    assert len(run("list").splitlines()) == 2


WRONG = """---
kind: newsletter
title: Letter
topic: demo
requireOneOf: [name]
fields:
  name: { type: text }
  phone: { type: phone }
---
Text.
"""


def test_what_does_not_fit_a_newsletter_is_reported(content: Content) -> None:
    """And a blog that names a form which does not exist."""
    blog = "---\nform: nothing\n---\n"
    folder = content({"forms/letter.md": WRONG, "site/blog.md": blog, "forms/good.md": FORM})
    found = sorted(
        each.message
        for each in check_content(load_content(folder), NOW)
        if each.kind.name in ("INVALID_FORM", "UNKNOWN_REFERENCE")
    )
    assert found == [
        "No field of the newsletter is of the type email.",
        "fields.consent.link: the page /privacy does not exist.",
        "fields.name: a newsletter has one email, and perhaps consent.",
        "fields.phone: a newsletter has one email, and perhaps consent.",
        "form: there is no form “nothing”.",
        "requireOneOf: a newsletter has no such key.",
        "topic: a newsletter has no such key.",
    ]


@cases("address", ["not an address", "نور@a.example", "a@b"])
def test_the_sender_is_an_address(address: str, tmp_path: Path) -> None:
    """Of ASCII characters, as every mail server takes it."""
    done = run_majlis("newsletter", "list", folder=tmp_path, variables={"NEWSLETTER_FROM": address})
    assert (done.returncode, "NEWSLETTER_FROM: use an address" in done.stderr) == (1, True)


def test_a_domain_in_arabic_is_written_as_mail_servers_take_it() -> None:
    """One that cannot be is refused with the form."""
    assert mail_address("noor@مثال.example") == "noor@xn--mgbh0fb.example"
    assert mail_address(f"noor@{'ع' * 70}.example") is None
    links = SubscriberLinks(lambda: b"key", BASE_URL)
    assert links.cancelled("") is links.confirmed("", NOW) is None
