"""The content of the sample: drawings can be read on phones, and facts are of the right country."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from cases import cases

from app.platform.settings import SAMPLE_CONTENT

CONTENT = Path(__file__).parents[3] / "knowledge" / "content"
TEXT = re.compile("<text ([^>]*)>([^<]*)")
ARABIC = re.compile("[\u0620-\u064a]")

PHONE_WIDTH = 350
"""The width of a picture in a column of text, on a phone of 390 CSS pixels."""
SMALLEST_TEXT = 11

FACTS: Mapping[str, str] = {
    "ae": r"\bAED\b|\b[Dd]irhams?\b|درهم|دراهم|Peppol|\+971",
    "sa": r"\bSAR\b|ريال(?:ًا|ات)? سعودي|ZATCA|هيئة الزكاة|\+966|(?:VAT|ضريبة)[^.|\n]{0,20}\b15%",
    "qa": r"\bQAR\b|ريال(?:ًا|ات)? قطري|\+974",
    "om": r"\bOMR\b|ريال(?:ًا|ات)? عُماني|\+968",
    "kw": r"\bKWD\b|دينار(?:ًا)? كويتي|\+965",
    "bh": r"\bBHD\b|دينار(?:ًا)? بحريني|\+973|(?:VAT|ضريبة)[^.|\n]{0,20}\b10%",
}
"""Currencies, authorities, telephones and VAT rates that only one country has."""

NAMES: Mapping[str, str] = {
    "ae": "UAE|Emirat|Dubai|Abu Dhabi|Sharjah|الإمارات|دبي|أبوظبي|الشارقة",
    "sa": "Saudi|Riyadh|Jeddah|KSA|السعودي|المملكة|الرياض|جدة",
    "qa": "Qatar|Doha|قطر|الدوحة",
    "om": "Oman|Muscat|Sohar|عُمان|مسقط|صحار",
    "kw": "Kuwait|الكويت",
    "bh": "Bahrain|Manama|البحرين|المنامة",
}
"""How a text names the country, or a city in it."""

MANY = 3
"""A block about so many countries compares them."""


@cache
def drawings() -> Mapping[Path, str]:
    """Return the drawings that have texts."""
    found = {path: path.read_text() for path in sorted(CONTENT.rglob("*.svg"))}
    return {path: drawing for path, drawing in found.items() if TEXT.search(drawing)}


def form_for_phones(drawing: Path) -> Path:
    """Return the form of a drawing for phones, or the drawing."""
    form = drawing.with_stem(f"{drawing.stem}-phone")
    return form if form in drawings() else drawing


def test_texts_of_drawings_can_be_read_on_phones() -> None:
    """A wide drawing has a form for phones beside it, and texts of that are not small."""
    small = {}
    for form in map(form_for_phones, drawings()):
        drawing = drawings()[form]
        box = re.search(r'viewBox="\S+ \S+ (\S+) ', drawing)
        sizes = re.findall(r'<text [^>]*font-size="([\d.]+)"', drawing)
        assert box
        assert len(sizes) == drawing.count("<text ")
        small[form.name] = min(map(float, sizes)) * PHONE_WIDTH / float(box[1])
    assert {name: size for name, size in small.items() if size < SMALLEST_TEXT} == {}


def test_texts_of_drawings_have_their_fonts_and_colours_of_dark_pages() -> None:
    """A drawing cannot load the fonts of its page, so it has each weight that it uses."""
    faults = []
    for path, drawing in drawings().items():
        faces = re.findall(r"@font-face{font-family:([LA]);font-weight:(\d+);src:url", drawing)
        weights = (re.search(r'font-weight="(\d+)"', text[1]) for text in TEXT.finditer(drawing))
        scripts = ("A" if ARABIC.search(text[2]) else "L" for text in TEXT.finditer(drawing))
        used = {
            (script, weight[1] if weight else "400")
            for script, weight in zip(scripts, weights, strict=True)
        }
        if not used <= set(faces) or "font-family:L,A," not in drawing:
            faults.append((path.name, "fonts"))
        if "prefers-color-scheme:dark" not in drawing:
            faults.append((path.name, "dark"))
    assert faults == []


def test_the_map_on_the_page_of_a_city_marks_that_city() -> None:
    """So do its forms for Arabic and for phones."""
    cities = {path.stem: path.read_text() for path in CONTENT.glob("cities/*.md")}
    marked = {}
    for page in CONTENT.rglob("*.md"):
        names = page.stem.split(".")
        language = "ar" if names[-1] == "ar" else "en"
        for city in set(names) & cities.keys():
            name = re.search(rf"^name:\n(?:  .*\n)*?  {language}: (.*)", cities[city], re.MULTILINE)
            assert name
            for path in re.findall(r"\(/(images/maps/[\w.-]+)\.svg\)", page.read_text()):
                own = CONTENT / f"{path}.{language}.svg"
                shown = own if own in drawings() else CONTENT / f"{path}.svg"
                for form in (shown, form_for_phones(shown)):
                    marked[page.name, form.name] = (marked_city(drawings()[form]), name[1])
    assert len(marked) >= len(("Riyadh", "Dubai")) * 2 * 2
    assert {key: cities for key, cities in marked.items() if len(set(cities)) > 1} == {}


def marked_city(drawing: str) -> str | None:
    """Return the city that a map marks: the text behind its main mark."""
    found = re.search('class="main".*?<text [^>]*>([^<]*)', drawing, re.DOTALL)
    return found[1] if found else None


@cases("country", FACTS)
def test_facts_of_a_country_stand_where_it_is_shown_or_named(country: str) -> None:
    """A text of several countries that has a currency, a rate or a telephone says whose it is."""
    assert list(strays(country)) == []


def strays(country: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks with facts of a country that do not name it and are shown in others."""
    fact, name = FACTS[country], NAMES[country]
    for page in CONTENT.rglob("*.md"):
        head, _, body = page.read_text().removeprefix("---\n").partition("\n---\n")
        title = re.search(r"^title:.*", head, re.MULTILINE)
        subject = f"{page.stem} {title[0] if title else ''}"
        blocks = body.split("\n\n")
        is_comparison = page.parent.name == "posts" and any(map(lists, blocks))
        is_about = re.search(f"{fact}|{name}", subject, re.IGNORECASE)
        if is_about or is_comparison or not is_shown_elsewhere(page, head, country):
            continue
        heading, before = "", ""
        for block in blocks:
            heading = block if block.startswith("#") else heading
            is_named = re.search(name, f"{heading}\n{before}\n{block}")
            if re.search(fact, block) and not is_named and not compares(block):
                yield page.name, block
            before = block


def compares(block: str) -> bool:
    """Return whether a block names many countries, or has the words for all currencies."""
    words = ("درهم", "ريال", "دينار")
    return lists(block, NAMES) or lists(block) or all(word in block for word in words)


def lists(block: str, patterns: Mapping[str, str] = FACTS) -> bool:
    """Return whether a block has facts of many countries, or their names."""
    return sum(bool(re.search(each, block)) for each in patterns.values()) >= MANY


def is_shown_elsewhere(page: Path, head: str, country: str) -> bool:
    """Return whether a file is shown in other countries, which have no layers of their own."""
    slug, *layers = page.stem.split(".")
    language = [each for each in layers if each == "ar"]
    source = page.with_stem(slug).read_text() if page.parent.name == "cities" else head
    only = rf"^countryCode: {country}|^countries: \[{country}\]$"
    if country in layers or re.search(only, source, re.IGNORECASE | re.MULTILINE):
        return False
    own = (page.with_stem(".".join([slug, each, *language])) for each in FACTS if each != country)
    return bool(layers and layers != ["ar"]) or not all(each.exists() for each in own)


@cases(
    ("page", "printer", "battery", "stock"),
    [
        ("registry/solutions.md", "Receipt printer built in", "Carried about", "Counts stock"),
        ("registry/solutions.ar.md", "طابعة إيصالات مدمجة", "يُحمل باليد", "جرد المخزون"),
    ],
)
def test_the_table_of_devices_agrees_with_their_pages(
    page: str, printer: str, battery: str, stock: str
) -> None:
    """In both languages: a printer, a battery, and no stock counts where the table says no."""
    table = re.findall(r"^\| ([^|]*)\|(.*)\|$", (SAMPLE_CONTENT / page).read_text(), re.MULTILINE)
    rows = {name.strip(): [cell.strip() for cell in cells.split("|")] for name, cells in table}
    products = {
        text.partition('en: "')[2].partition('"')[0]: text
        for text in (each.read_text() for each in (SAMPLE_CONTENT / "products").glob("*.md"))
    }
    names = rows[""]
    assert len(names) == 4
    for column, name in enumerate(names):
        text = products[name]
        has = {row: rows[row][column] in ("yes", "نعم") for row in (printer, battery, stock)}
        assert has[printer] == ("thermal" in text), name
        assert has[battery] == ("mAh" in text), name
        assert has[stock] or not re.search("counts? stock|stock counts?", text), name


def test_a_picture_of_the_sea_stands_in_no_city_inland() -> None:
    """Makkah, Riyadh and Al Rayyan have none."""
    for name in ("makkah", "riyadh", "al-rayyan"):
        for suffix in ("", ".ar"):
            text = (SAMPLE_CONTENT / "cities" / f"{name}{suffix}.md").read_text()
            assert not re.search("hospitality.svg|by the sea|على البحر", text), name
