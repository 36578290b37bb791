"""Properties of resolution, compared with a naive implementation of the rules.

`Expected` below implements the API contract for one reader, layer by layer. It does not merge
trees, and shares only basic types with the tested code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from conftest import NOW, document_of, examples, locale_of, set_values
from gulf import all_locales
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.documents.document import Document
from knowledge.fields.content_types import POST, PRODUCT, REGISTRY
from knowledge.locales.locale import Country, Locale, Scope
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Entry, Resolved, provenance, resolve

pytestmark = pytest.mark.slow

CITIES = {"riyadh": Country("SA"), "jeddah": Country("SA"), "dubai": Country("AE")}
POSITIONS = (
    "",
    ".en",
    ".ar",
    ".sa",
    ".sa.en",
    ".sa.ar",
    ".sa.riyadh",
    ".sa.riyadh.en",
    ".sa.riyadh.ar",
    ".sa.jeddah",
    ".ae",
    ".ae.ar",
)
FOLDERS = {
    "registry": REGISTRY,
    "products": PRODUCT,
    "posts": POST,
}
STRICT = {"posts"}
READERS = [
    *((locale, None) for locale in all_locales()[:4]),
    *((locale_of(f"sa/{language}"), city) for language in ("en", "ar") for city in CITIES),
]

# Content files


@dataclass(frozen=True)
class Written:
    """One content file: the suffixes of its name (`position`), its keys and body sections."""

    position: str
    keys: Mapping[str, Any]
    sections: Mapping[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> list[str]:
        """Return the suffixes of its name."""
        return [part for part in self.position.split(".") if part]

    @property
    def language(self) -> str | None:
        """Return the language in its name, or None."""
        return self.parts[-1] if self.parts and self.parts[-1] in ("en", "ar") else None

    @property
    def own_language(self) -> str:
        """Return the language of its plain strings and its body."""
        return self.language or self.keys.get("lang", "en")

    @property
    def key(self) -> list[str]:
        """Return the country and city in its name."""
        return [part for part in self.parts if part not in ("en", "ar")]

    @property
    def marker(self) -> str:
        """Return a string that is in every text of this layer and in no other."""
        return f"<{self.position or 'global'}>"

    @property
    def scope(self) -> Scope:
        """Return the scope of the layer."""
        if len(self.key) == 2:
            return Scope.CITY_OVERRIDE
        if self.key:
            return Scope.LOCALE_OVERRIDE if self.language else Scope.COUNTRY_DEFAULT
        return Scope.GLOBAL

    def source(self) -> str:
        """Return the file's text; JSON is valid YAML."""
        body = "".join(f"## Part {{#{key}}}\n\n{text}\n\n" for key, text in self.sections.items())
        return f"---\n{json.dumps(dict(self.keys), ensure_ascii=False)}\n---\n{body}"

    def document(self, folder: str) -> Document:
        """Return the file parsed by the tested code."""
        return document_of(f"{folder}/x{self.position}.md", self.source(), CITIES)


def entry_of(folder: str, layers: Iterable[Written]) -> Entry:
    """Return the layers as an entry, parsed by the tested code."""
    documents = [layer.document(folder) for layer in layers]
    ordered = sorted(documents, key=lambda document: document.layer.order)
    return Entry(FOLDERS[folder], "x", tuple(ordered))


PAST, FUTURE = NOW - timedelta(days=9), NOW + timedelta(days=9)
TEXT_KEYS = ("title", "heading", "shortDescription")


def _texts(marker: str, key: str) -> st.SearchStrategy[Any]:
    plain = f"{key} {marker}"
    english, arabic = {"en": f"{plain} EN"}, {"ar": f"{plain} AR"}
    return st.sampled_from([None, "", plain, english, arabic, {**english, **arabic}])


@st.composite
def keys(draw: st.DrawFn, position: str) -> dict[str, Any]:
    """Draw front matter in which every key is optional."""
    marker = f"<{position or 'global'}>"
    candidates: dict[str, st.SearchStrategy[Any]] = {key: _texts(marker, key) for key in TEXT_KEYS}
    candidates |= {
        "template": st.sampled_from([None, "", f"template {marker}"]),
        "sortOrder": st.integers(0, 5),
        "seo": st.fixed_dictionaries(
            {},
            optional={
                "title": _texts(marker, "seo-title"),
                "noIndex": st.booleans(),
                "robotsIndex": st.sampled_from([None, "index", "noindex"]),
                "canonicalUrl": st.just(f"https://{position.strip('.') or 'global'}.test/"),
            },
        ),
        "brand": st.sampled_from([None, f"brand {marker}"]),
        "prices": st.dictionaries(st.sampled_from(["AED", "SAR"]), st.just("1.00"), max_size=2),
        "specs": st.lists(st.just({"name": f"spec {marker}"}), max_size=2),
        "tags": st.lists(st.just(f"tag {marker}"), max_size=2),
    }
    if not position.endswith((".en", ".ar")):
        candidates["lang"] = st.sampled_from(["en", "ar"])
    chosen = draw(st.sets(st.sampled_from(sorted(candidates)), max_size=6))
    values = {key: draw(candidates[key]) for key in sorted(chosen)}
    return values | draw(controls())


def controls() -> st.SearchStrategy[dict[str, Any]]:
    """Return the keys for visibility, rarely set, so that most documents are visible."""
    control_keys = st.fixed_dictionaries(
        {},
        optional={
            "published": st.booleans(),
            "publishedAt": st.sampled_from([PAST.isoformat(), FUTURE.isoformat(), None]),
            "unpublishAt": st.sampled_from([PAST.isoformat(), FUTURE.isoformat()]),
            "countries": st.sampled_from([["sa"], ["ae"], ["sa", "ae"], [], None]),
        },
    )
    return st.one_of(st.just({}), st.just({}), st.just({}), control_keys)


@st.composite
def written(draw: st.DrawFn, position: str) -> Written:
    """Draw one file with these name suffixes."""
    marker = f"<{position or 'global'}>"
    ids = draw(st.lists(st.sampled_from(["one", "two", "three"]), max_size=3, unique=True))
    if draw(st.booleans()):
        ids = []
    return Written(position, draw(keys(position)), {key: f"{key} {marker}" for key in ids})


@st.composite
def trees(draw: st.DrawFn) -> list[Written]:
    """Draw a non-empty set of layers of one document."""
    positions = draw(st.sets(st.sampled_from(POSITIONS), min_size=1))
    return [draw(written(position)) for position in POSITIONS if position in positions]


# The expected result, by the API contract


@dataclass(frozen=True)
class Seen:
    """A resolved document in comparable form."""

    language: str
    values: dict[str, Any]
    sections: list[tuple[str, str, Scope]]
    resolved_from: Scope
    inherited: bool
    fallback_used: bool


@dataclass(frozen=True)
class Expected:
    """The naive resolution of one document for one reader."""

    folder: str
    layers: list[Written]
    country: str
    language: str
    city: str | None
    now: datetime

    def covering(self) -> list[Written]:
        """Return the layers for the country and city, from general to specific."""
        covering_keys = [[], [self.country], [self.country, self.city]]
        layers = [layer for layer in self.layers if layer.key in covering_keys]
        ranks = [(len(layer.key) == 2, bool(layer.key)) for layer in layers]
        ranked = zip(ranks, layers, strict=True)
        order = {None: 0, "ar": 1, "en": 2}
        return [
            layer
            for _, layer in sorted(
                ranked, key=lambda pair: (pair[0], order[pair[1].language], pair[1].position)
            )
        ]

    def is_visible(self, language: str) -> bool:
        """Return whether it is published, within its dates, and the country is listed."""
        countries: list[str] = ["ae", "sa"]
        begin = end = None
        for layer in self.covering():
            if layer.language not in (None, language):
                continue
            if layer.keys.get("published") is False:
                return False
            if layer.keys.get("countries") is not None:
                countries = layer.keys["countries"]
            begin = layer.keys.get("publishedAt") or begin
            end = layer.keys.get("unpublishAt") or end
        in_window = (begin is None or datetime.fromisoformat(begin) <= self.now) and (
            end is None or self.now < datetime.fromisoformat(end)
        )
        return in_window and self.country in countries

    def seen(self) -> Seen | None:
        """Return the resolved document, or None."""
        if not self.is_visible(self.language):
            return None
        other = "ar" if self.language == "en" else "en"
        languages = [self.language]
        if self.folder not in STRICT and self.is_visible(other):
            languages.append(other)
        usable = [
            layer
            for layer in self.covering()
            if layer.language is None or layer.language in languages
        ]
        main = next((each for each in languages if self.has_text(usable, each)), None)
        return None if main is None else self.assembled(usable, main)

    def has_text(self, usable: list[Written], language: str) -> bool:
        """Return whether a body is in the language, or any text if there are no bodies."""
        if any(layer.sections for layer in usable):
            return any(layer.sections and layer.own_language == language for layer in usable)
        return any(
            language in text
            for layer in usable
            if layer.language in (None, language)
            for name in layer.keys
            if name != "seo"
            for text in self.texts_in(layer, name)
        )

    def texts_in(self, layer: Written, name: str) -> Iterable[dict[str, str]]:
        """Yield the texts of a key, including those in lists."""
        if name in TEXT_KEYS:
            yield self.by_language(layer, layer.keys[name])
        if name == "specs" and self.folder == "products":
            yield from (self.by_language(layer, spec["name"]) for spec in layer.keys[name])

    def by_language(self, layer: Written, text: Any) -> dict[str, str]:
        """Return a text by language; a plain string is in the file's language."""
        if text is None:
            return {}
        return dict(text) if isinstance(text, dict) else {layer.own_language: text}

    def assembled(self, usable: list[Written], main: str) -> Seen:
        """Take each value from the most specific layer that has it."""
        texts: dict[str, dict[str, tuple[str, Scope]]] = {}
        rest: dict[str, tuple[Any, Scope]] = {}
        parts: dict[str, tuple[str, Scope]] = {}
        for layer in usable:
            is_fallback = layer.language not in (None, main)
            for path, text in self.text_values(layer):
                for language, value in text.items():
                    if not is_fallback or language == layer.language:
                        texts.setdefault(path, {})[language] = (value, layer.scope)
            if not is_fallback:
                for path, value in self.other_values(layer):
                    rest[path] = (value, layer.scope)
            if layer.own_language == main:
                for key, body in layer.sections.items():
                    parts[key] = (body, layer.scope)
        return self.flagged(texts, rest, parts, main)

    def flagged(
        self,
        texts: dict[str, dict[str, tuple[str, Scope]]],
        rest: dict[str, tuple[Any, Scope]],
        parts: dict[str, tuple[str, Scope]],
        main: str,
    ) -> Seen:
        """Add the flags, derived from the origin of each value."""
        other = "ar" if self.language == "en" else "en"
        scopes = {scope for _, scope in rest.values()} | {scope for _, scope in parts.values()}
        in_other = main != self.language
        for path, text in texts.items():
            used = self.language if self.language in text else other
            scopes.add(text[used][1])
            in_other = in_other or (used == other and not path.startswith("seo."))
        values: dict[str, Any] = {
            path: {language: value for language, (value, _) in text.items()}
            for path, text in texts.items()
        }
        values |= {path: value for path, (value, _) in rest.items()}
        return Seen(
            language=main,
            values=values,
            sections=[(key, body, scope) for key, (body, scope) in parts.items()],
            resolved_from=max(scopes, default=Scope.GLOBAL),
            inherited=len(scopes) > 1,
            fallback_used=in_other,
        )

    def text_values(self, layer: Written) -> Iterable[tuple[str, dict[str, str]]]:
        """Yield texts with their paths."""
        for name in TEXT_KEYS:
            if layer.keys.get(name) is not None:
                yield name, self.by_language(layer, layer.keys[name])
        title = layer.keys.get("seo", {}).get("title")
        if title is not None:
            yield "seo.title", self.by_language(layer, title)

    def other_values(self, layer: Written) -> Iterable[tuple[str, Any]]:
        """Yield scalars and lists with their paths."""
        names = ["template", "sortOrder"]
        names += {"products": ["brand", "specs"], "posts": ["tags"]}.get(self.folder, [])
        for name in names:
            value = layer.keys.get(name)
            if value is not None:
                specs = name == "specs"
                yield name, [self.spec(layer, item) for item in value] if specs else value
        for name in ("noIndex", "robotsIndex", "canonicalUrl"):
            if layer.keys.get("seo", {}).get(name) is not None:
                yield f"seo.{name}", layer.keys["seo"][name]
        if self.folder == "products":
            for code, amount in layer.keys.get("prices", {}).items():
                yield f"prices.{code}", amount

    def spec(self, layer: Written, spec: dict[str, Any]) -> dict[str, Any]:
        """Return a list item with its text by language."""
        return {"name": self.by_language(layer, spec["name"])}


def slug_of(locale: Locale) -> str:
    """Return the slug of a locale's country."""
    assert locale.country
    return locale.country.slug


def expected(folder: str, layers: list[Written], reader: tuple[Locale, str | None]) -> Seen | None:
    """Return the naive result for one of READERS."""
    locale, city = reader
    return Expected(folder, layers, slug_of(locale), locale.language.value, city, NOW).seen()


# The actual result, in the same form

_CONTROLS = {"countries", "lang", "published", "publishedAt", "unpublishAt"}


def camel(name: str) -> str:
    """Return the front matter key of a field."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def flat(resolved: Resolved) -> dict[str, Any]:
    """Return the values by dotted path, without control keys."""
    values: dict[str, Any] = {}
    for name, value in set_values(resolved.fields).items():
        if name in ("seo", "prices"):
            for key, child in value.items():
                values[f"{name}.{camel(key)}"] = str(child) if name == "prices" else child
        else:
            values[camel(name)] = value
    return {
        path: value
        for path, value in values.items()
        if path not in _CONTROLS and not (value == {} and path in (*TEXT_KEYS, "seo.title"))
    }


def actual(folder: str, layers: list[Written], reader: tuple[Locale, str | None]) -> Seen | None:
    """Return the result of the tested code for one of READERS."""
    locale, city = reader
    resolved = resolve(entry_of(folder, layers), locale, NOW, city)
    if resolved is None:
        return None
    parts = [
        (section.id, section.body, source.layer.scope)
        for section, source in merged_sections(resolved)
    ]
    origin = provenance(resolved, [scope for _, _, scope in parts])
    return Seen(
        language=resolved.language.value,
        values=flat(resolved),
        sections=parts,
        resolved_from=origin.resolved_from,
        inherited=origin.inherited,
        fallback_used=origin.other_language,
    )


folders = st.sampled_from(sorted(FOLDERS))
readers = st.sampled_from(READERS)
quick = settings(max_examples=examples(1.5), suppress_health_check=[HealthCheck.too_slow])


@quick
@given(folders, trees(), readers)
def test_resolution_equals_the_naive_implementation(
    folder: str, layers: list[Written], reader: tuple[Locale, str | None]
) -> None:
    """Values, sections, language and flags are equal."""
    assert actual(folder, layers, reader) == expected(folder, layers, reader)


@quick
@given(folders, trees(), readers)
def test_hidden_layers_never_leak(
    folder: str, layers: list[Written], reader: tuple[Locale, str | None]
) -> None:
    """A reader gets no text of a layer that is hidden or for other readers."""
    locale, city = reader
    country = slug_of(locale)
    rules = Expected(folder, layers, country, locale.language.value, city, NOW)
    allowed = {
        layer.marker
        for layer in rules.covering()
        if layer.keys.get("published") is not False
        and (layer.language is None or rules.is_visible(layer.language))
    }
    seen = actual(folder, layers, reader)
    markers = set(re.findall(r"<[a-z.]+>", repr(seen and (seen.values, seen.sections))))
    assert markers <= allowed


@quick
@given(
    folders, trees(), st.sampled_from([p for p in POSITIONS if ".sa" in p or ".ae" in p]), st.data()
)
def test_a_layer_never_affects_other_countries_or_cities(
    folder: str, layers: list[Written], position: str, data: st.DataObject
) -> None:
    """Adding a layer changes nothing for another country or another city."""
    added = data.draw(written(position), label="added")
    others = [reader for reader in READERS if not covers(added, reader)]
    reader = data.draw(st.sampled_from(others), label="reader")
    without = [layer for layer in layers if layer.position != position]
    assert actual(folder, [*without, added], reader) == actual(folder, without, reader)


def covers(layer: Written, reader: tuple[Locale, str | None]) -> bool:
    """Return whether a layer applies to the reader's country and city."""
    key = [slug_of(reader[0]), reader[1]]
    return layer.key == key[: len(layer.key)]


@quick
@given(
    folders, trees(), st.sampled_from([p for p in POSITIONS if p[-3:] in (".en", ".ar")]), st.data()
)
def test_a_layer_in_one_language_changes_no_text_of_the_other(
    folder: str, layers: list[Written], position: str, data: st.DataObject
) -> None:
    """A page in the reader's language keeps its texts, sections and settings."""
    added = data.draw(written(position), label="added")
    others = [reader for reader in READERS if reader[0].language != added.language]
    reader = data.draw(st.sampled_from(others), label="reader")
    without = [layer for layer in layers if layer.position != position]
    language = reader[0].language.value
    before = actual(folder, without, reader)
    if before is None or before.language != language:
        return
    after = actual(folder, [*without, added], reader)
    assert after is not None
    if after.language == language:
        assert texts(after, language) == texts(before, language)
        assert own_values(after, language) == own_values(before, language)
    else:  # the added layer has the first body, so it decides the language
        assert added.sections
        assert not before.sections


def texts(seen: Seen, language: str) -> dict[str, str]:
    """Return the texts in one language."""
    return {
        path: value[language]
        for path, value in seen.values.items()
        if isinstance(value, dict) and language in value
    }


def own_values(seen: Seen, language: str) -> object:
    """Return the texts in one language, and the values without a language."""
    values = {
        path: value.get(language) if isinstance(value, dict) else value
        for path, value in seen.values.items()
    }
    return {path: value for path, value in values.items() if value is not None}, seen.sections


@quick
@given(folders, trees(), readers)
def test_flags_agree_with_the_origin_of_each_text(
    folder: str, layers: list[Written], reader: tuple[Locale, str | None]
) -> None:
    """No text in the reader's language is from a more specific scope than resolvedFrom."""
    seen = actual(folder, layers, reader)
    if seen is None:
        return
    language = reader[0].language.value
    visible = [own_values(seen, language), seen.sections]
    by_marker = {layer.marker: layer.scope for layer in layers}
    scopes = {by_marker[marker] for marker in re.findall(r"<[a-z.]+>", repr(visible))}
    assert all(scope <= seen.resolved_from for scope in scopes)
    assert seen.inherited or len(scopes) <= 1


@quick
@given(folders, trees(), readers)
def test_resolving_twice_gives_the_same(
    folder: str, layers: list[Written], reader: tuple[Locale, str | None]
) -> None:
    """Resolution is pure: neither the result nor the documents change."""
    entry = entry_of(folder, layers)
    before = repr([document.fields for document in entry.documents])
    first = resolve(entry, reader[0], NOW, reader[1])
    again = resolve(entry, reader[0], NOW, reader[1])
    assert (first and first.fields) == (again and again.fields)
    assert repr([document.fields for document in entry.documents]) == before


@pytest.mark.parametrize("position", [pytest.param(p, id=p or "global") for p in POSITIONS])
def test_the_naive_implementation_uses_each_layer(position: str) -> None:
    """At least one reader sees each layer, so the comparisons above are meaningful."""
    layer = Written(position, {"title": {"en": "One", "ar": "واحد"}}, {"one": "body"})
    assert any(expected("registry", [layer], reader) for reader in READERS)
