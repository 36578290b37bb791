"""The reader of a section: what it depends on besides its text."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import PAGE, REGISTRY, TESTIMONIAL
from knowledge.locales.locale import Language
from knowledge.sections.section_type import Testimonial
from knowledge.views.content_view import ContentView, cached_per_snapshot, price_currency, vat_rate

_CONTACT = "contact"
_WITHOUT_BRACKETS = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class SectionReader:
    """The readers of one locale."""

    view: ContentView

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.view.locale.language

    @property
    def currency(self) -> str | None:
        """The currency of the country, else that of the site."""
        return price_currency(self.view)

    @property
    def vat_rate(self) -> Decimal | None:
        """The rate of VAT of the country in percent, 0 if it has none, None without a country."""
        return vat_rate(self.view)

    @property
    def contact_link(self) -> str:
        """The link to the page `contact` in CommonMark, `""` without one."""
        return _contact_link(self.view)

    def testimonial(self, slug: str) -> Testimonial | None:
        """Return a published testimonial."""
        resolved = self.view.resolve(TESTIMONIAL, slug)
        if resolved is None:
            return None
        fields, pick = resolved.fields, resolved.pick
        about = filter(None, (pick(fields.designation), pick(fields.company)))
        path = resolved.documents[0].path
        portrait = f"![{pick(fields.image_alt) or ''}]({fields.image})" if fields.image else ""
        return Testimonial(
            words=pick(fields.quote) or "\n\n".join(each.body for each in resolved.bodies),
            name=pick(fields.customer_name) or pick(fields.title) or "",
            about=("، " if self.language is Language.AR else ", ").join(about),
            portrait=self.view.markdown(portrait, path),
        )

    def file_size(self, path: str) -> int | None:
        """Return the bytes of a file of the content folder, None for any other path."""
        return self.view.snapshot.asset_sizes.get(path.removeprefix("/"))


@cached_per_snapshot
def _contact_link(view: ContentView) -> str:
    for kind in (REGISTRY, PAGE):
        resolved = view.resolve(kind, _CONTACT)
        if resolved is not None:
            title = (resolved.pick(resolved.fields.title) or _CONTACT).translate(_WITHOUT_BRACKETS)
            return f"[{title}]({view.locale.path}{page_of(kind, _CONTACT).path})"
    return ""
