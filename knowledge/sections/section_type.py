"""Section types: what sections are made of, and the registry of the declared types.

The modules of `knowledge/sections/types/` declare them. In HTML a type is
`renderers/templates/parts/sections/<name>.html`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal, NamedTuple, Protocol, get_args

from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import AnyContentType
from knowledge.locales.locale import Language
from knowledge.markdown.inline import Reference, references
from knowledge.markdown.slugs import Heading

CALL_TO_ACTION: Final = "cta"
HERO: Final = "hero"
FAQ = "faq"
PLANS = "plans"
QUOTE = "quote"
FORM_SECTION = "form"
"""The type of a section with a form, and its option that names the form."""

ENTRIES_SECTION = "entries"
"""The type of a section that lists documents of a kind."""


@dataclass(frozen=True, slots=True)
class Item:
    """What stands under a level-3 heading of a section whose type has items; in CommonMark."""

    title: str
    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    """The values of the `:key: value` lines below the heading."""

    id: str = field(default="", compare=False)
    """The id that the author set with `{#id}`, `""` without one."""

    line: int = field(default=1, compare=False)
    headings: tuple[Heading, ...] = field(default=(), compare=False)
    """The headings in the text."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page; `body` is CommonMark without the heading and directive fences."""

    id: str
    type: str
    heading: str = ""
    body: str = ""
    items: tuple[Item, ...] = ()
    visible: bool = True
    line: int = 1
    after: str = ""
    """The id of the section that this one of a layer follows, `""` for none."""

    before: str = ""
    """The id of the section that follows this one of a layer, `""` for none."""

    options: Mapping[str, str] = field(default_factory=dict)
    """The values of the options that only its type has."""

    headings: tuple[Heading, ...] = field(default=(), compare=False)
    """The headings in the body; in a `featureGrid`, also the terms of its list."""


class Testimonial(NamedTuple):
    """The words of a customer, who that is, and the portrait in CommonMark, `""` without one."""

    words: str
    name: str
    about: str
    portrait: str


class Lack(NamedTuple):
    """What a section or one of its items lacks, with its line and what to do."""

    line: int
    message: Text
    suggestion: Text


class SectionContext(Protocol):
    """What a section depends on besides its text: the reader's place, and other documents."""

    @property
    def language(self) -> Language:
        """The reader's language."""

    @property
    def currency(self) -> str | None:
        """The currency of prices, None if the site sets none."""

    @property
    def vat_rate(self) -> Decimal | None:
        """The rate of VAT in percent, 0 in a country without VAT, None if it is unknown."""

    @property
    def vat_first(self) -> bool:
        """Whether prices with VAT come first."""

    @property
    def contact_link(self) -> str:
        """The link to the page `contact` in CommonMark, `""` without one."""

    def call_url(self, setting: str, own: str) -> str:
        """Return where a call leads: its own address, else that of a setting, else the contact."""

    def testimonial(self, slug: str) -> Testimonial | None:
        """Return a published testimonial."""

    def file_size(self, path: str) -> int | None:
        """Return the bytes of a file of the content folder, None for any other path."""


Fields = Mapping[str, object]
"""The fields of one item of a section in the API."""


def picture(reference: Reference) -> Fields:
    """Return a picture as a field."""
    return {"src": reference.target, "alt": reference.alt}


def links(text: str) -> Sequence[Fields]:
    """Return the links of a text as a field, without those of pictures."""
    return [
        {"label": each.alt, "href": each.target}
        for each in references(text)
        if not each.is_image and each.alt
    ]


def text_item(item: Item) -> Fields:
    """Return the fields of an item: its title, its text, and the first picture and links in it."""
    images = [picture(each) for each in references(item.text) if each.is_image]
    return {
        "title": item.title,
        "text": item.text or None,
        "image": images[0] if images else None,
        "links": links(item.text) or None,
    }


def _text_items(section: Section, _: SectionContext) -> Iterable[Fields]:
    return map(text_item, section.items)


def _own_body(section: Section, _: SectionContext) -> str:
    return section.body


def _no_lacks(_: Section) -> Iterator[Lack]:
    return iter(())


RICH_TEXT: Final = "richText"
"""The type of a section that starts at a heading."""

ContractType = Literal["richText", "faq", "cta", "featureGrid", "bulletList", "image", "stats"]
"""The types of sections in the API contract, which has no others."""
CONTRACT_TYPES: tuple[ContractType, ...] = get_args(ContractType)


@dataclass(frozen=True, kw_only=True)
class SectionType:
    """A type of section: a directive of this name, or of one of its `other_names`.

    With `has_items`, each level-3 heading begins an item, with the `item_options`. `options` are
    those of the directive besides the ones that all have. `body` returns the text of a section
    whose links are those of the reader, and `fields` its items in the API. `lacks` tells what is
    missing in a section. `nearest` is the type in the API contract if that does not have this one.
    """

    name: str
    nearest: ContractType = RICH_TEXT
    other_names: tuple[str, ...] = ()
    has_items: bool = False
    options: frozenset[str] = frozenset()
    item_options: frozenset[str] = frozenset()
    has_terms: bool = False
    """Whether the bold texts at the start of list items are headings."""

    is_compared: bool = False
    """Whether its items are compared with one another, so that a search finds them together."""

    reads: tuple[AnyContentType, ...] = ()
    """The types of other documents from which its text comes."""

    body: Callable[[Section, SectionContext], str] = _own_body
    fields: Callable[[Section, SectionContext], Iterable[Fields]] = _text_items
    lacks: Callable[[Section], Iterator[Lack]] = _no_lacks

    @cached_property
    def contract_type(self) -> ContractType:
        """The type of its sections in the API contract."""
        return next((each for each in CONTRACT_TYPES if each == self.name), self.nearest)


class SectionTypes:
    """The declared types by name."""

    def __init__(self) -> None:
        self._by_name: dict[str, SectionType] = {}

    def declare(self, section_type: SectionType) -> SectionType:
        """Add a type; raises ValueError if one of its names is taken."""
        for name in (section_type.name, *section_type.other_names):
            if self._by_name.setdefault(name, section_type) is not section_type:
                raise ValueError(f"Two section types have the name “{name}”: rename one.")
        return section_type

    def named(self, name: str) -> SectionType:
        """Return the type of a directive's name; of an unknown one that of text."""
        return self._by_name.get(name, _TEXT)

    def is_directive(self, name: str) -> bool:
        """Return whether a directive may have this name."""
        return name in self._by_name

    @property
    def directives(self) -> tuple[str, ...]:
        """The names of directives, sorted."""
        return tuple(sorted(self._by_name))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all types, of that without a directive first."""
        return (RICH_TEXT, *sorted({each.name for each in self._by_name.values()}))

    @property
    def reads(self) -> frozenset[AnyContentType]:
        """The types of documents from which the text of any section comes."""
        return frozenset(kind for each in self._by_name.values() for kind in each.reads)

    @property
    def layouts(self) -> tuple[str, ...]:
        """The names of the types that the API contract does not have, sorted."""
        return tuple(name for name in self.names if name not in CONTRACT_TYPES)


_TEXT = SectionType(name=RICH_TEXT)
SECTION_TYPES = SectionTypes()
"""The types; `knowledge.sections.sections` completes them."""
