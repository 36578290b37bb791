"""Previews: one page before it is published, for whoever has its link, and nowhere else."""

from __future__ import annotations

import os
import re
import stat
from base64 import urlsafe_b64decode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cases import cases
from click.testing import CliRunner, Result
from conftest import Visit
from contract.visitor import BASE_URL, FakeClock, Visitor

from app.features.previews.routes import PATH, TOKEN, PreviewLink
from app.operations.cli import main
from app.platform.keys import InvalidKey, KeyFile

FILES = {
    "posts/draft.md": "---\ntitle: Secret plan\ndraft: true\ntags: [erp]\ncategory: news\n---\n\n"
    "Read ![shop](/images/shop.svg) [about us](/about).\n",
    "posts/future.md": "---\ntitle: Tomorrow\npublishedAt: 2027-02-01\ntags: [erp]\n---\n\nSoon.\n",
    "posts/public.md": "---\ntitle: Public\npublishedAt: 2026-01-01\ntags: [erp]\n"
    "category: news\n---\n\nNow.\n",
    "pages/about.md": "---\ntitle: About\n---\n\n## Team {#team}\n\nWe.\n",
    "pages/about.ar.md": "---\ntitle: من نحن\npublished: false\n---\n\nمسودة عربية.\n",
    "pages/here.md": "---\ntitle: Here\ncountries: [sa]\ndraft: true\n---\n\nOnly here.\n",
    "pages/gone.md": "---\ntitle: Gone\nunpublishAt: 2026-02-01\n---\n\nOver.\n",
    "cities/riyadh.md": "---\nname: Riyadh\ncountryCode: SA\npublished: false\n---\n\nA city.\n",
    "categories/news.md": "---\ntitle: News\npublished: false\n---\n",
    "products/till.md": "---\ntitle: Till\nid: 7\npublished: false\n---\nA.\n",
    "testimonials/x.md": "---\nquote: Fine.\ncustomerName: X\n---\n",
    "pages/broken.md": "---\ntitle: A\ntitle: B\n---\n",
    "images/shop.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}
HTML, MARKDOWN, JSON = "text/html", "text/markdown", "application/json"
TYPES = (HTML, MARKDOWN, JSON)

Preview = Callable[..., Result]


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Return the path of a key that does not exist yet."""
    return tmp_path / "var" / "preview.key"


@pytest.fixture
def visitor(visit: Visit, key_file: Path, clock: FakeClock) -> Visitor:
    """A service with drafts, at the time of the command line."""
    clock.now = datetime.now(UTC)
    return visit(FILES, preview_key_file=key_file)


@pytest.fixture
def preview(visitor: Visitor, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> Preview:
    """Run `majlis preview` with the settings of the service."""
    folder = visitor.quart.extensions["majlis"].settings.content_dir
    monkeypatch.setenv("CONTENT_DIR", str(folder))
    monkeypatch.setenv("PREVIEW_KEY_FILE", str(key_file))
    monkeypatch.setenv("BASE_URL", BASE_URL)
    return lambda *words: CliRunner().invoke(main, ["preview", *words])


def link(made: Result) -> str:
    """Return the path of the link that the command printed."""
    assert made.exit_code == 0, made.output
    assert made.stdout.count("\n") == 1
    return made.stdout.strip().removeprefix(BASE_URL)


def valid_until(target: str, clock: FakeClock) -> datetime:
    """Return the end of a link's validity, which its token carries."""
    signed = target.removeprefix(PATH).partition(".")[0]
    seconds = urlsafe_b64decode(signed + "==").split(b"\n")[0]
    assert clock.now.timestamp() < int(seconds)
    return datetime.fromtimestamp(int(seconds), UTC)


@cases(
    ("path", "text"),
    [
        pytest.param("posts/draft.md", "Secret plan", id="draft post"),
        pytest.param("posts/future.md", "Tomorrow", id="scheduled post"),
        pytest.param("pages/about.ar.md", "مسودة عربية", id="unpublished translation"),
        pytest.param("pages/here.md", "Only here", id="draft of one country"),
        pytest.param("pages/gone.md", "Over", id="withdrawn page"),
        pytest.param("cities/riyadh.md", "A city", id="city"),
        pytest.param("categories/news.md", "Public", id="category"),
        pytest.param("products/till.md", "Till", id="product"),
        pytest.param("/ae/en/blog/draft", "Secret plan", id="address"),
        pytest.param("/blog/draft", "Secret plan", id="address without a locale"),
        pytest.param(f"{BASE_URL}/sa/en/blog/draft", "Secret plan", id="URL"),
    ],
)
def test_a_preview_shows_the_page_in_every_representation(
    visitor: Visitor, preview: Preview, path: str, text: str
) -> None:
    """It is not stored, not indexed, and the site itself does not have the page."""
    target = link(preview(path))
    for media_type in TYPES:
        reply = visitor.get(target, {"Accept": media_type})
        assert reply.status == 200
        assert reply.headers["Content-Type"].startswith(media_type)
        assert text in reply.text
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["X-Robots-Tag"] == "noindex"


def test_the_page_says_that_it_is_a_preview(visitor: Visitor, preview: Preview) -> None:
    """In the language of the page, with the end of the link's validity."""
    english = visitor.get(link(preview("posts/draft.md")), {"Accept": HTML}).text
    arabic = visitor.get(link(preview("pages/about.ar.md")), {"Accept": HTML}).text
    text = visitor.get(link(preview("posts/draft.md")), {"Accept": MARKDOWN}).text
    assert re.search(r"Preview, not published; link valid until \d+ \w+ \d{4}, \d\d:\d\d", english)
    assert "معاينة غير منشورة؛ الرابط صالح حتى" in arabic
    assert "> Preview, not published; link valid until" in text
    assert '<meta name="robots" content="noindex, nofollow">' in english
    assert 'rel="canonical"' not in english


def test_links_and_images_of_a_preview_lead_to_what_is_public(
    visitor: Visitor, preview: Preview
) -> None:
    """Nothing leads to another draft or a scheduled post; a list may name the page itself."""
    for path in ("posts/draft.md", "pages/about.ar.md", "products/till.md", "categories/news.md"):
        page = visitor.get(link(preview(path)), {"Accept": HTML}).text
        targets = {*re.findall(r'(?:href|src)="(/[^"#]*)', page)} - {"/ae/en/blog/category/news"}
        assert targets
        dead = [target for target in targets if visitor.get(target).status >= 400]
        assert dead == []
        assert "Tomorrow" not in page


PUBLIC = [
    *("/ae/en/blog", "/ae/en/blog?search=secret", "/ae/en/search?q=secret", "/ae/en/blog/feed.xml"),
    *("/sitemap.xml", "/llms.txt", "/ae/en/llms.txt", "/llms-full.txt", "/ae/en/llms-full.txt"),
    *("/api/public/v1/blog/posts", "/api/public/v1/search?q=secret", "/ae/en", "/robots.txt"),
    *("/ae/en/blog/public", "/api/public/v1/blog/posts/public"),
]


def test_nothing_else_shows_a_draft_that_has_been_previewed(
    visitor: Visitor, preview: Preview
) -> None:
    """Not even while and after its preview is shown."""
    target = link(preview("posts/draft.md"))
    for _ in range(2):
        assert "Secret plan" in visitor.get(target).text
        for path in PUBLIC:
            reply = visitor.get(path)
            assert reply.status == 200
            assert "Secret plan" not in reply.text
            assert "blog/draft" not in reply.text
        assert visitor.get("/ae/en/blog/draft").status == 404
        assert visitor.get("/api/public/v1/blog/posts/draft").status == 404
        assert visitor.get("/ae/en/blog/draft.md").status == 404


def test_a_preview_follows_the_file(visitor: Visitor, preview: Preview, tmp_path: Path) -> None:
    """The response cache never has it."""
    target = link(preview("posts/draft.md"))
    assert "Secret plan" in visitor.get(target).text
    cache = visitor.quart.extensions["majlis"].cache
    looked_up = cache.hits, cache.misses
    assert visitor.context("GET", target).is_cacheable is False
    (tmp_path / "content/posts/draft.md").write_text("---\ntitle: Changed\ndraft: true\n---\nX.\n")
    visitor.quart.extensions["majlis"].content_store.reload()
    assert "Changed" in visitor.get(target).text
    assert (cache.hits, cache.misses) == looked_up


@pytest.mark.parametrize(
    ("words", "validity"),
    [
        pytest.param([], timedelta(days=7), id="default"),
        pytest.param(["--for", "1h"], timedelta(hours=1), id="given"),
    ],
)
def test_a_link_expires(
    visitor: Visitor, preview: Preview, clock: FakeClock, words: list[str], validity: timedelta
) -> None:
    """To the second."""
    before = datetime.now(UTC).replace(microsecond=0)
    made = preview("posts/draft.md", *words)
    target, until = link(made), valid_until(link(made), clock)
    assert before + validity <= until <= datetime.now(UTC) + validity
    assert f"until {until:%Y-%m-%d %H:%M} UTC" in made.stderr
    clock.now = until - timedelta(seconds=1)
    assert visitor.get(target).status == 200
    clock.now = until
    assert visitor.get(target).status == 404


def test_an_expired_link_and_a_forged_one_are_the_same_404(
    visitor: Visitor, preview: Preview, clock: FakeClock
) -> None:
    """Nobody learns whether a page exists, or why a link is refused."""
    target = link(preview("posts/draft.md", "--for", "1h"))
    clock.move(timedelta(hours=2))
    expired = visitor.get(target, {"Accept": HTML})
    forged = visitor.get(target[:-43] + "A" * 43, {"Accept": HTML})
    assert expired.status == forged.status == 404
    assert expired.body == forged.body
    assert "Secret" not in expired.text


def test_every_changed_character_of_a_link_makes_it_invalid(
    visitor: Visitor, preview: Preview
) -> None:
    """Also those whose bits base64 ignores."""
    target = link(preview("posts/draft.md"))
    for position in range(len(PATH), len(target)):
        for other in "Ab-":
            changed = target[:position] + other + target[position + 1 :]
            assert changed == target or visitor.get(changed).status == 404


def test_deleting_the_key_revokes_all_links_at_once(
    visitor: Visitor, preview: Preview, key_file: Path
) -> None:
    """A running service needs no restart, and a new key makes no old link valid."""
    old = link(preview("posts/draft.md"))
    assert visitor.get(old).status == 200
    key_file.unlink()
    assert visitor.get(old).status == 404
    new = link(preview("posts/draft.md"))
    assert visitor.get(new).status == 200
    assert visitor.get(old).status == 404


def test_a_file_that_is_no_key_makes_no_link_valid(
    visitor: Visitor, preview: Preview, key_file: Path
) -> None:
    """An empty file would else sign with an empty key."""
    target = link(preview("posts/draft.md"))
    for text in ("", "abcd\n", "no key", "ÿ"):
        key_file.write_text(text, encoding="utf-8")
        assert visitor.get(target).status == 404
        made = preview("posts/draft.md")
        assert made.exit_code == 1
        assert "holds no key. Delete it" in made.output


def test_a_page_is_shown_as_it_is_at_a_time(visitor: Visitor, preview: Preview) -> None:
    """A list has what is published by then; a draft is shown whenever."""
    later = visitor.get(link(preview("/ae/en/blog", "--at", "2027-02-02")), {"Accept": HTML}).text
    assert "Tomorrow" in later
    assert "Secret plan" not in later
    assert "Preview of 2 February 2027, 04:00; link valid until" in later
    assert visitor.get(link(preview("posts/future.md", "--at", "2027-02-01"))).status == 200
    assert visitor.get(link(preview("posts/draft.md", "--at", "2027-02-01"))).status == 200
    assert "Tomorrow" not in visitor.get("/ae/en/blog").text


REFUSED = [
    pytest.param(["posts/future.md", "--at", "2027-01-31"], "is not shown on 2027-01-31", id="at"),
    pytest.param(["/ae/en/here"], "for en-AE. Use /sa/en/here.", id="other country"),
    pytest.param(["posts/nothing.md"], "is not a content file of", id="no file"),
    pytest.param(["/ae/en/nothing"], "There is no page “nothing”", id="no page"),
    pytest.param(["nothing"], "is neither a file of", id="neither"),
    pytest.param(["testimonials/x.md"], "has no page of its own", id="without page"),
    pytest.param(["pages/broken.md"], "Duplicate key “title”", id="broken file"),
    pytest.param(["posts/draft.md", "--for", "0d"], "Use from 1h to 3650d", id="no time"),
    pytest.param(["posts/draft.md", "--at", "soon"], "not a valid date-time", id="no date"),
]


@cases(("words", "message"), REFUSED)
def test_what_cannot_be_previewed_is_told(
    preview: Preview, key_file: Path, words: list[str], message: str
) -> None:
    """No link is printed, and no key is made."""
    made = preview(*words)
    assert made.exit_code != 0
    assert message in made.stderr
    assert made.stdout == ""
    assert not key_file.exists()


def test_a_file_may_be_named_from_the_working_folder(
    preview: Preview, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the shell completes it."""
    monkeypatch.chdir(tmp_path)
    assert preview("content/posts/draft.md").exit_code == 0
    assert preview(str(tmp_path / "content/posts/draft.md")).exit_code == 0


def test_a_page_that_is_public_is_told(preview: Preview) -> None:
    """Its readers need no link."""
    assert f"This page is public already: {BASE_URL}/ae/en/about" in preview("/about").stderr


def test_a_file_of_the_content_folder_below_preview_is_served(visit: Visit) -> None:
    """Only a token is a preview."""
    visitor = visit({"preview/logo.svg": FILES["images/shop.svg"]})
    assert visitor.get("/preview/logo.svg").status == 200


def test_the_key_is_made_once_by_several_processes(tmp_path: Path) -> None:
    """Only its owner can read it, and nothing else is left in the folder."""
    path = tmp_path / "var" / "key"
    before = os.umask(0)
    try:
        with ThreadPoolExecutor(8) as threads:
            keys = set(threads.map(lambda _: KeyFile(path).read_or_make(), range(40)))
    finally:
        os.umask(before)
    assert len(keys) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    """It would be easy to guess."""
    path = tmp_path / "key"
    path.write_text("00" * 31)
    with pytest.raises(InvalidKey):
        KeyFile(path).read()


def test_a_token_carries_any_path() -> None:
    """Slugs may have any letter."""
    until = datetime(2026, 1, 1, tzinfo=UTC)
    for at in (None, until):
        made = PreviewLink("/sa/ar/blog/المكوّنات", at, until)
        token = made.token(b"k" * 32)
        assert re.fullmatch(TOKEN, token)
        assert PreviewLink.verified(token, b"k" * 32, until - timedelta(seconds=1)) == made
        assert PreviewLink.verified(token, b"k" * 32, until) is None
        assert PreviewLink.verified(token, b"j" * 32, until - timedelta(days=1)) is None
