"""Finding passages and pages: what the index finds, as pages say it now; pages of similar paths."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, Self

from app.publishing.content.assumed_locale import named_countries
from app.publishing.content.exclusions import list_without
from app.publishing.content.indexes import EditionPassages, SearchBeingPrepared
from app.publishing.content.search_pages import PassageKey, audience, is_shown
from indexes.passages.analysis import AROUND
from indexes.passages.index import PassageIndex
from indexes.passages.passage import SearchScope
from indexes.passages.ranking import LEAST_RELEVANCE
from indexes.passages.search import SearchResult
from indexes.passages.segment import Hit
from indexes.text.nearest import NearestPaths, is_near
from indexes.text.places import names_of
from indexes.text.transliteration import is_arabic_in_latin_letters
from indexes.text.words import fold
from knowledge.addresses.addresses import Address, meant_locale, parse_address
from knowledge.locales.locale import Country, Language
from knowledge.markdown.inline import plain_text
from knowledge.resources.base import paginate
from knowledge.resources.blog import CATEGORY_PAGE, TAG_PAGE
from knowledge.resources.document_page import title_of
from knowledge.resources.passages import Passage
from knowledge.resources.queries import FoundPages, PageQuery, SearchFit, SiteQuery
from knowledge.resources.search import PAGE_SIZE, Answers, Question, answers
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import in_site_texts, translate
from renderers.markdown.navigation import content_path
from renderers.pages.search import fit_note
from renderers.representation import split_suffix

_MOST_MISSING = 8
"""Words that occur nowhere and are told."""
MAX_SUGGESTION = 100
"""Characters."""
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"\w[\w.'-]{0,39}")
"""A word that may be repeated: agents read the answer as a text of the site."""


@dataclass(frozen=True, slots=True)
class PassageFinder:
    """Finds the passages of one edition that the readers of a view see now."""

    passages: EditionPassages
    index: PassageIndex
    view: ContentView

    @classmethod
    def of(cls, passages: EditionPassages | None, view: ContentView) -> Self:
        """Return the finder of an edition; raises SearchBeingPrepared without an index."""
        if passages is None:
            raise SearchBeingPrepared
        return cls(passages, passages.found_in, view)

    def find(
        self, text: str, limit: int, kinds: tuple[str, ...] = (), page_limit: int = 3
    ) -> SearchResult:
        """Return the best passages in the index, at most `page_limit` of one page."""
        return self.index.find(text, search_scope(self.view, kinds), limit, page_limit)

    def in_either_language(
        self, text: str, limit: int, kinds: tuple[str, ...] = ()
    ) -> tuple[Self, SearchResult]:
        """Return the best passages with their finder, in the language that has the rarest word.

        Words of Arabic in Latin letters are like English ones, so the number that is found decides.
        """
        other, is_chat = other_language(self.view), is_arabic_in_latin_letters(text)
        found = self.find(text, limit, kinds)
        if other is None or not (found.is_elsewhere or is_chat):
            return self, found
        finder = replace(self, view=other)
        there = finder.find(text, limit, kinds)
        right = sum(typed == word for typed, word in found.words.items())
        is_better = not is_chat or len(there.words) >= right
        return (finder, there) if there.hits and is_better else (self, found)

    def passage(self, hit: Hit) -> Passage | None:
        """Return the passage of a hit; None if its page does not have this text any more."""
        key = PassageKey.parse(hit.key)
        address = parse_address(key.page, self.view.snapshot)
        if address is None or not is_shown(self.view, address):
            return None
        texts = self.passages.texts(self.view, address)
        is_there = key.number < len(texts) and texts[key.number].digest == key.digest
        return texts[key.number].passage if is_there else None

    def answering(self, hits: Iterable[Hit]) -> Iterator[Passage]:
        """Yield the best passage of each section that has a hit, those of lists last.

        A list repeats what the pages in it say.
        """
        sections = set()
        for passage in filter(None, map(self.passage, sorted(hits, key=self._is_of_list))):
            section = (passage.page.path, passage.anchor)
            if section not in sections:
                sections.add(section)
                yield passage

    def _is_of_list(self, hit: Hit) -> bool:
        address = self._address(hit)
        return address is not None and address.page.lists_pages

    def is_of_topic(self, hit: Hit) -> bool:
        """Return whether a hit's page lists the posts of a category or of a tag."""
        address = self._address(hit)
        return address is not None and address.page in (CATEGORY_PAGE, TAG_PAGE)

    def _address(self, hit: Hit) -> Address | None:
        return parse_address(hit.page, self.view.snapshot)

    def is_there(self, hit: Hit) -> bool:
        """Return whether there is a passage of a hit; faster than to return it."""
        address = self._address(hit)
        if address is None or not is_shown(self.view, address):
            return False
        return self.passages.is_unchanged(hit.page) or self.passage(hit) is not None

    def suggestion(self, text: str, result: SearchResult) -> str | None:
        """Return another query: the words that are found, or all that texts have, corrected.

        It has nothing else of the query, as agents read it as a text of the site.
        """
        if not result.hits:
            return _joined(map(self._spelling, (result.suggestion or "").split()))
        read = (self._read(word, result.words) for word in _WORD.findall(text))
        return _joined(read) if misspelt(text, result) else None

    @in_site_texts
    def fit(self, text: str, result: SearchResult) -> SearchFit:
        """Return how well a result answers a query."""
        typed = {fold(each): each for each in (part.strip(AROUND) for part in text.split())}
        typed |= {fold(word): word for word in _WORD.findall(text)}
        words = (typed.get(word, word) for word in result.not_found)
        missing = list(filter(_PLAIN.fullmatch, words))[:_MOST_MISSING]
        without = list_without(self.view, self.index.vocabulary, text)
        is_poor = result.is_poor and not without
        path = content_path(self.view, "contact") if is_poor else None
        # What passages say of something tells little to who does not want it.
        return SearchFit(
            relevance=min(result.relevance, LEAST_RELEVANCE) if without else result.relevance,
            not_found=missing or None,
            note=fit_note(
                self.view.locale,
                is_poor,
                missing,
                self.view.absolute(without) if without else None,
                self._other_countries(text),
                self._countries_without_pages(text),
            ),
            contact=self.view.absolute(path) if path else None,
        )

    def _other_countries(self, text: str) -> Sequence[Country]:
        """Return the countries of the site that a text names, if not only that of the view."""
        own, named = self.view.locale.country, named_countries(self.view).named_in(text)
        return named if own and {own, *named} > {own} else ()

    def _countries_without_pages(self, text: str) -> Sequence[Country]:
        """Return the countries that a text names, if none of them is of the site."""
        places = named_countries(self.view)
        return () if places.named_in(text) else places.others_in(text)

    def _read(self, word: str, words: Mapping[str, str]) -> str:
        """Return a typed word, or the right one if it is misspelt; `""` if no text has it."""
        right = words.get(fold(word), "")
        return word if right == fold(word) else self._spelling(right) if right else ""

    def _spelling(self, word: str) -> str:
        """Return a folded word as a text spells it that the readers see."""
        shown = map(self.passage, self.find(f'"{word}"', 1).hits)
        written = (each for passage in shown if passage for each in _written(passage))
        spellings = {each for each in written if fold(each) == word}
        return word if word in spellings else min(spellings, default=word)


def search_scope(view: ContentView, kinds: tuple[str, ...] = ()) -> SearchScope:
    """Return the passages that the readers of a view may find."""
    country, other = view.locale.country, other_language(view)
    return SearchScope(
        audience(view.locale),
        view.now,
        kinds,
        tuple(map(brand, filter(None, (view, other)))),
        tuple(names_of(country)) if country else (),
        audience(other.locale) if other else None,
    )


def other_language(view: ContentView) -> ContentView | None:
    """Return the view in the other language of the reader's country, if the site has it."""
    locale = view.locale.in_language(view.locale.language.other)
    return view.for_locale(locale) if locale in view.snapshot.open_locales else None


def misspelt(text: str, result: SearchResult) -> list[str]:
    """Return the words of a query, as they are typed, for which others are searched."""
    words = dict.fromkeys(_WORD.findall(text))
    return [word for word in words if result.words.get(fold(word)) not in (None, "", fold(word))]


def _joined(words: Iterable[str]) -> str | None:
    """Return words as a query, each once and as many as it may have characters; None for none."""
    query = ""
    for word in filter(None, dict.fromkeys(words)):
        longer = f"{query} {word}".lstrip()
        if len(longer) > MAX_SUGGESTION:
            break
        query = longer
    return query or None


def _written(passage: Passage) -> Iterator[str]:
    """Yield the words of a passage as they are written."""
    for text in (plain_text(passage.text), *passage.headings, passage.page.title):
        yield from (each.strip(AROUND) for each in text.split())


_SPARE = 2
"""More passages are asked for than shown: some may not be those of the pages any more."""


def answers_to(
    passages: EditionPassages | None, view: ContentView, question: Question, kinds: tuple[str, ...]
) -> Answers:
    """Return the passages that fit a question; raises SearchBeingPrepared without an index."""
    own = PassageFinder.of(passages, view)
    finder, result = own.in_either_language(question.text, _SPARE * question.limit, kinds)
    shown = list(islice(finder.answering(result.hits), question.limit))
    suggestion = None if shown else finder.suggestion(question.text, result)
    return answers(view, question, shown, suggestion, own.fit(question.text, result))


_MOST_PAGES = 100


def search_site(passages: EditionPassages | None, view: ContentView, query: SiteQuery) -> PageQuery:
    """Return the query of a search page with what it finds; raises SearchBeingPrepared."""
    finder = PassageFinder.of(passages, view)
    result = finder.find(query.text, _MOST_PAGES, page_limit=1)
    hits = _hits(finder, query, result.hits, result.is_complete)
    is_elsewhere = result.is_elsewhere or is_arabic_in_latin_letters(query.text) or not hits
    is_there = result.is_elsewhere
    elsewhere, first = _found_elsewhere(finder, query, is_there) if is_elsewhere else (0, ())
    found = FoundPages(
        elsewhere=elsewhere,
        elsewhere_first=first,
        shown=[
            passage
            for hit in paginate(hits, query.page, PAGE_SIZE)[0]
            if (passage := finder.passage(hit))
        ],
        total=len(hits),
        is_complete=result.is_complete,
        counts=Counter(hit.kind for hit in result.hits if finder.is_there(hit)),
        suggestion=finder.suggestion(query.text, result),
        misspelt=misspelt(query.text, result),
        fit=finder.fit(query.text, result),
        holds=result.holds,
    )
    return PageQuery(
        search=query.text, site=replace(query, found=found), highlights=result.highlights
    )


_FIRST_ELSEWHERE = 3
_MAX_NEAREST = 5
_MOST_TRIED = 100
"""Of so many similar paths at most it is checked whether there is a page for the reader."""


def _found_elsewhere(
    own: PassageFinder, query: SiteQuery, is_there: bool
) -> tuple[int, Sequence[Passage]]:
    """Return how many pages in the other language of the country fit a query, and the best.

    Unless its rarest word `is_there`, they need to fit well.
    """
    other = other_language(own.view)
    if other is None:
        return 0, ()
    finder = replace(own, view=other)
    result = finder.find(query.text, _MOST_PAGES, page_limit=1)
    is_good = is_there or not result.is_poor
    hits = _hits(finder, query, result.hits, result.is_complete) if is_good else []
    return len(hits), list(filter(None, map(finder.passage, hits[:_FIRST_ELSEWHERE])))


def _hits(
    finder: PassageFinder, query: SiteQuery, hits: Sequence[Hit], is_complete: bool
) -> Sequence[Hit]:
    """Return the best hit of each page of the kinds, those of topics of the blog last.

    The index is asked again if it has more.
    """
    if query.kinds and not is_complete:
        hits = finder.find(query.text, _MOST_PAGES, query.kinds, page_limit=1).hits
    shown = (
        hit for hit in hits if finder.is_there(hit) and (not query.kinds or hit.kind in query.kinds)
    )
    return sorted(shown, key=finder.is_of_topic)


def nearest_pages(paths: NearestPaths, view: ContentView, path: str) -> Sequence[tuple[str, str]]:
    """Return title and site path of the pages most similar to a path that does not exist.

    What is at the same path in the locale that it means comes first, in each of its languages. Of
    a page and its copies for cities, the one beside that path is there, else the first.
    """
    meant, below = meant_locale(path, view.locale, view.snapshot.open_locales)
    view, below = view.for_locale(meant), split_suffix(below.lower())[0]
    beside = meant.path + below.rpartition("/")[0]
    pages = {each.key: each for each in _at_path(view, below)}
    for similar in islice(paths.find(below), _MOST_TRIED):
        page = _shown_at(view, similar)
        if page is None or not is_near(below, similar, page.title):
            continue
        if page.key not in pages and len(pages) == _MAX_NEAREST:
            break
        if page.key not in pages or page.path.rpartition("/")[0] == beside:
            pages[page.key] = page
    return [(page.title, page.path) for page in pages.values()]


class _Shown(NamedTuple):
    """A page: its title, its site path, and what its copies for cities share with it."""

    title: str
    path: str
    key: tuple[Language, str]


def _at_path(view: ContentView, path: str) -> Iterator[_Shown]:
    """Yield the page at a path below the locale, in each language of the country."""
    languages = (view.locale.language, view.locale.language.other)
    locales = map(view.locale.in_language, languages)
    views = (view.for_locale(each) for each in locales if each in view.snapshot.open_locales)
    return filter(None, (_shown_at(each, path) for each in views))


@in_site_texts
def _shown_at(view: ContentView, path: str) -> _Shown | None:
    """Return what a page shows; None if it has no text in the reader's language."""
    address, language = parse_address(path, view.snapshot), view.locale.language
    if address is None or not is_visible_route(view, address):
        return None
    resolved, path = resolve_route(view, address), view.locale.path + address.path
    if resolved is None:
        return _Shown(translate(address.page.title, language), path, (language, path))
    if resolved.language is not language:
        return None
    return _Shown(title_of(resolved), path, (language, resolved.entry.path))
