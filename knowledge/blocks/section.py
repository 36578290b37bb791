"""Sections that authors write: one block for each of the declared types of sections."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, SkipValidation

from knowledge.blocks.block import (
    NO_ANCHOR,
    Block,
    HeadingAnchor,
    HeadingAnchors,
    ResponseModel,
)
from knowledge.blocks.form import SiteForm
from knowledge.fields.field_types import Omittable, enum_schema
from knowledge.fields.prices import PERIODS, AmountText
from knowledge.markdown.slugs import Anchor
from knowledge.sections.section_type import HERO
from knowledge.sections.sections import DECLARED_SECTIONS

if TYPE_CHECKING:
    SectionName = str
else:
    SectionName = Literal[DECLARED_SECTIONS.names]


class QuestionItem(ResponseModel):
    """A question and its answer; the answer is CommonMark."""

    question: str
    """The question."""
    answer: str
    """The answer as CommonMark."""
    anchor: HeadingAnchor = NO_ANCHOR
    text_anchors: HeadingAnchors = ()
    """The anchors of the headings in the answer."""

    @property
    def title(self) -> str:
        """The question."""
        return self.question

    @property
    def text(self) -> str:
        """The answer."""
        return self.answer


class SectionPicture(ResponseModel):
    """A picture in a text: its path or URL, and its alternative text."""

    src: str
    """Path or URL of the picture."""
    alt: str
    """Alternative text of the picture."""


class SectionLink(ResponseModel):
    """A link in a text."""

    label: str
    """Text of the link."""
    href: str
    """Where the link leads."""


class PlanPrice(ResponseModel):
    """A price of a plan without VAT, and with it; the rate is in percent, 0 without VAT."""

    period: Annotated[str, enum_schema(PERIODS)]
    """How often the price is paid."""
    amount: AmountText
    """Price without VAT, as a decimal string."""
    currency: str
    """ISO 4217 code of the currency."""
    vat_rate: Omittable[str] = None
    """Rate of VAT in percent."""
    amount_with_vat: Omittable[AmountText] = None
    """Price with VAT, as a decimal string."""
    vat_first: Annotated[bool, Field(exclude=True)] = False


class SectionValue(ResponseModel):
    """A cell of a comparison: the title of its column, and its text."""

    label: str
    """Title of the column."""
    value: str
    """Text of the cell."""


class SectionItem(ResponseModel):
    """An item of a section; which fields it has depends on the type of the section.

    `text` is CommonMark, or the caption of a picture. `image` and `links` are the first picture
    and the links in it, `features` the items of its first list. `href` is where a picture, file or
    call leads, `size` the bytes of a file.
    """

    title: Omittable[str] = None
    """Title of the item."""
    text: Omittable[str] = None
    """Text of the item as CommonMark, or the caption of its picture."""
    role: Omittable[str] = None
    """Role of a person."""
    image: Omittable[SectionPicture] = None
    """The first picture of the item."""
    links: Omittable[list[SectionLink]] = None
    """The links in the text."""
    href: Omittable[str] = None
    """Where the picture, the file or the call of a plan leads."""
    media_type: Omittable[str] = None
    """Media type of the file."""
    size: Omittable[int] = None
    """Size of the file in bytes."""
    prices: Omittable[list[PlanPrice]] = None
    """Prices of a plan."""
    recommended: Omittable[bool] = None
    """Whether the plan is the recommended one."""
    features: Omittable[list[str]] = None
    """Items of the first list in the text."""
    includes: Omittable[str] = None
    """Title of the plan whose features the plan has, too."""
    call: Omittable[Literal["trial", "demo", "quotation"]] = None
    """What the button of a plan calls for; `href` is where it leads."""
    is_asked: Annotated[bool, Field(exclude=True)] = False
    """Whether the call leads to the contact page."""
    values: Omittable[list[SectionValue]] = None
    """Cells of a row of a comparison."""
    anchor: HeadingAnchor = NO_ANCHOR
    text_anchors: HeadingAnchors = ()
    """The anchors of the headings in the text."""


class DocumentSection(ResponseModel):
    """One section of a page as its renderers read it; `type` is one of the declared types."""

    id: str
    type: str
    heading: str | None = None
    body: str | None = None
    """The text before the items, as CommonMark."""
    items: list[QuestionItem | SectionItem] | None = None
    anchor: HeadingAnchor = NO_ANCHOR
    body_anchors: HeadingAnchors = ()
    """The anchors of the headings in the body."""
    form: SiteForm | None = None
    listing: Annotated[Any, Field(exclude=True)] = None
    """The documents that it lists."""

    after: str = ""
    """The id that its author places it after, `""` for none."""

    language: SkipValidation[str | None] = None
    """The language of its text."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors of all headings of the section."""
        anchors = (self.anchor, *self.body_anchors)
        for item in self.items or ():
            anchors += (item.anchor, *item.text_anchors)
        return anchors

    @property
    def headed_items(self) -> Sequence[QuestionItem | SectionItem]:
        """The items under a heading of their own; others are part of the body."""
        return [item for item in self.items or () if item.anchor.id]

    @property
    def has_prices(self) -> bool:
        """Whether an item has a price."""
        return any(isinstance(item, SectionItem) and item.prices for item in self.items or ())

    @property
    def item_texts(self) -> Sequence[str]:
        """The items under a heading of their own as CommonMark, each below its heading."""
        return [f"### {item.title}\n\n{item.text or ''}".rstrip() for item in self.headed_items]


def opening_section(sections: Iterable[DocumentSection] | None) -> DocumentSection | None:
    """Return the hero without a heading that opens a page, as a part of the page's own title."""
    first = next(iter(sections or ()), None)
    return first if first and first.type == HERO and not first.heading else None


class SectionBlock(Block):
    """A section; which fields its items have depends on the type."""

    type: SectionName
    """Type of the section."""
    items: Omittable[list[QuestionItem | SectionItem]] = None
    """The items that the type arranges; their texts are in the text, too."""
    form: Omittable[SiteForm] = None
    """The form in the section."""
    section: Annotated[DocumentSection, Field(exclude=True)]

    @property
    def is_empty(self) -> bool:
        """A section is shown as its author wrote it."""
        return False
