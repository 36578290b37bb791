"""The scripts of pages in a real browser: light or dark pages, suggestions, the hero's video."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from examples import SITES
from live.chromium import DESKTOP, PHONE, open_tab
from live.server import Server
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PAPER = "getComputedStyle(document.documentElement).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(14, 24, 24)"
SHOWN = """() => [...document.querySelectorAll('meta[name="theme-color"]')]
    .find(each => matchMedia(each.media).matches).content"""
SUGGESTED = "[...document.getElementById('titles').options].map(each => each.value)"
FIRST_PAPER = f'addEventListener("DOMContentLoaded", () => (window.first = {PAPER}))'
"""Keeps what a page shows as soon as it is parsed."""

LOGO = "document.querySelector('.logo img').currentSrc.includes('-dark.')"


def chosen(page: Page) -> str | None:
    """Return the value of the radio button that is chosen."""
    value: str | None = page.evaluate("document.querySelector('[name=scheme]:checked')?.value")
    return value


@pytest.mark.parametrize(
    ("size", "locale", "names"),
    [
        (DESKTOP, "/ae/en", ("Appearance", "Light", "Dark", "Automatic")),
        (PHONE, "/sa/ar", ("المظهر", "فاتح", "داكن", "تلقائي")),
    ],
)
def test_a_visitor_chooses_light_or_dark_pages_by_keyboard(
    browser: Browser, site: Server, size: dict[str, object], locale: str, names: tuple[str, ...]
) -> None:
    """At once, kept for other pages from their first paint, with the colour around the page."""
    of_system = {"light": LIGHT, "dark": DARK}[str(size["color_scheme"])]
    context = browser.new_context(**size)  # type: ignore[arg-type]  # a mapping of options
    tab = open_tab(context, site.url)
    tab.open(locale)
    group = tab.page.get_by_role("radiogroup", name=names[0])
    assert group.get_by_role("radio").count() == 3
    assert (chosen(tab.page), tab.page.evaluate(PAPER)) == ("auto", of_system)
    group.get_by_role("radio", name=names[3]).focus()
    tab.page.keyboard.press("ArrowRight" if locale.endswith("/ar") else "ArrowLeft")
    assert (chosen(tab.page), tab.page.evaluate(PAPER)) == ("dark", DARK)
    tab.page.keyboard.press("ArrowRight" if locale.endswith("/ar") else "ArrowLeft")
    assert (chosen(tab.page), tab.page.evaluate(PAPER)) == ("light", LIGHT)
    group.get_by_text(names[2]).click()
    other = open_tab(context, site.url)
    other.page.add_init_script(FIRST_PAPER)
    other.open(f"{locale}/contact")
    assert other.page.evaluate("first") == DARK
    other.page.wait_for_function(LOGO)
    assert (chosen(other.page), other.page.evaluate(SHOWN)) == ("dark", "#0e1818")
    assert other.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    other.page.get_by_text(names[3], exact=True).click()
    assert other.page.evaluate(PAPER) == of_system
    other.page.emulate_media(color_scheme="dark" if of_system == LIGHT else "light")
    assert other.page.evaluate(PAPER) == (DARK if of_system == LIGHT else LIGHT)
    assert tab.complaints + other.complaints == []


def test_without_scripts_there_is_no_choice(browser: Browser, site: Server) -> None:
    """The page follows the system, as before."""
    page = browser.new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto(f"{site.url}/ae/en")
    assert not page.locator(".schemes").is_visible()
    assert page.evaluate(PAPER) == {"light": LIGHT, "dark": DARK}[PHONE["color_scheme"]]


@pytest.mark.parametrize(
    ("path", "field", "typed", "title"),
    [
        ("/ae/en", ".find input", "fina", "Finance"),
        ("/ae/en/search", ".search input", "fina", "Finance"),
        ("/sa/ar", ".find input", "مالي", "المالية"),
    ],
)
def test_the_search_suggests_titles_while_somebody_types(
    browser: Browser, site: Server, path: str, field: str, typed: str, title: str
) -> None:
    """By one request for what is typed in one go."""
    tab = open_tab(browser.new_context(**DESKTOP), site.url)
    asked: list[str] = []
    tab.page.on("request", lambda each: asked.append(each.url) if "/titles" in each.url else None)
    tab.open(path)
    box = tab.page.locator(field)
    with tab.page.expect_response("**/titles?*"):
        box.press_sequentially(typed, delay=20)
    tab.page.wait_for_function("document.getElementById('titles')?.options.length")
    assert title in tab.page.evaluate(SUGGESTED)
    assert box.get_attribute("list") == "titles"
    assert len(asked) == 1
    assert tab.complaints == []


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the example whose hero has a video."""
    [content] = (each for each in SITES if each.name == "logistics")
    with Server(content, tmp_path_factory.mktemp("port")) as running:
        yield running


MOVES = "each => new Promise(done => each.addEventListener('timeupdate', () => done(!each.paused)))"


def test_the_video_of_a_hero_plays_until_it_is_stopped(browser: Browser, port: Server) -> None:
    """Without sound, from its beginning over and over, also by keyboard."""
    tab = open_tab(browser.new_context(viewport=DESKTOP["viewport"]), port.url)
    tab.open("/ae/en")
    video = tab.page.locator("video.backdrop")
    assert video.evaluate(MOVES)
    assert video.evaluate("each => each.muted && each.loop")
    assert tab.page.locator("img.backdrop").count() == 0
    button = tab.page.get_by_role("button", name="Stop the video")
    assert button.is_visible()
    button.focus()
    tab.page.keyboard.press("Enter")
    tab.page.get_by_role("button", name="Play the video").click()
    tab.page.get_by_role("button", name="Stop the video").wait_for()
    assert tab.complaints == []


@pytest.mark.parametrize(
    ("options", "script"),
    [
        pytest.param(PHONE, "", id="less motion"),
        pytest.param(
            {"viewport": PHONE["viewport"]},
            "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})",
            id="less data",
        ),
    ],
)
def test_a_video_waits_for_visitors_who_want_less(
    browser: Browser,
    port: Server,
    options: dict[str, object],
    script: str,
) -> None:
    """They see its picture, nothing of it is loaded, and they may play it."""
    tab = open_tab(browser.new_context(**options), port.url)  # type: ignore[arg-type]  # a mapping of options
    loaded: list[str] = []
    tab.page.on("request", lambda each: loaded.append(each.url) if ".mp4" in each.url else None)
    tab.page.add_init_script(script)
    tab.open("/ae/ar")
    tab.page.wait_for_load_state("networkidle")
    assert (loaded, tab.page.locator("img.backdrop").count()) == ([], 1)
    tab.page.get_by_role("button", name="تشغيل الفيديو").click()
    assert tab.page.locator("video.backdrop").evaluate(MOVES)
    assert loaded
    assert tab.complaints == []


def test_without_scripts_a_hero_has_its_picture_alone(browser: Browser, port: Server) -> None:
    """And no button."""
    page = browser.new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto(f"{port.url}/ae/en")
    assert page.locator("img.backdrop").is_visible()
    assert not page.locator(".playback").is_visible()
