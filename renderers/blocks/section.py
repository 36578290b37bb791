"""The text of a section with the roles, prices and buttons of its items."""

from collections.abc import Callable, Iterator, Mapping

from knowledge.blocks.form import FormInput, FormOption, SiteForm
from knowledge.blocks.section import DocumentSection, SectionBlock, SectionItem
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language, Locale
from knowledge.resources.passages import Part, section_parts
from knowledge.sections.section_type import PLANS
from renderers.blocks import cards
from renderers.blocks.context import MarkdownContext, bullets, link, paragraphs
from renderers.l10n.formats import price_words
from renderers.l10n.translation import translate, translations


def text(block: SectionBlock, context: MarkdownContext) -> str:
    """Return all of a section below its heading, with the title of each item as a heading."""
    return section_text(with_facts(block.section, context))


def whole_texts(locale: Locale) -> Callable[[DocumentSection], str]:
    """Return what writes a section into JSON: all of it below its heading, as in markdown."""
    context = MarkdownContext(locale)
    return lambda section: section_text(with_facts(section, context))


def section_text(section: DocumentSection) -> str:
    """Return a section below its heading; what its items say besides their texts is in these."""
    return paragraphs((section.body, *section.item_texts))


def with_facts(section: DocumentSection, context: MarkdownContext) -> DocumentSection:
    """Return a section with the roles and prices of its items in the texts of these."""
    if section.listing:
        body = cards.text(cards.listed_cards(section, context), context)
        return section.model_copy(update={"body": body})
    if section.form and not context.is_static:
        body = paragraphs((section.body, *_form_lines(section.form, context)))
        return section.model_copy(update={"body": body})
    items = section.items or ()
    facts = [(_item_facts(section, each, context), _call_link(each, context)) for each in items]
    if not any(before or after for before, after in facts):
        return section
    items = [
        item.model_copy(update={"text": paragraphs((*before, item.text, after))})
        for item, (before, after) in zip(items, facts, strict=True)
    ]
    return section.model_copy(update={"items": items})


def parts(block: SectionBlock, context: MarkdownContext) -> Iterator[Part]:
    """Yield the parts of a section to be found, each item below its own title."""
    return section_parts((with_facts(block.section, context),))


def _form_lines(form: SiteForm, context: MarkdownContext) -> Iterator[str]:
    """Yield what a form asks for, and how a person's agent sends it."""
    yield f"{context.gettext('The form asks for')}:"
    yield bullets(_input_line(each, form, context) for each in form.fields)
    if form.require_one_of:
        labels = context.join(map(context.localized, form.labels(form.require_one_of)))
        yield context.gettext("Please fill in one of these: %(fields)s.") % {"fields": labels}
    path = link(context.localized(form.title), form.path)
    if form.kind:
        yield context.gettext("A person sends it on its page: %(path)s") % {"path": path}
        return
    if any(each.required for each in form.files):
        yield context.gettext("It is sent on its page, as it has a file: %(path)s") % {"path": path}
        return
    text = context.gettext(
        "For a person who asked for it: `POST %(path)s` with JSON, `form` as `%(form)s`, and the"
        " fields by the names in brackets, those of `answers` within it."
    )
    visitors = context.gettext("It also names the visitors of this page: %(fields)s.")
    fields = context.join(locale_fields(context.locale))
    sent = text % {"path": "/api/public/v1/leads", "form": form.name}
    yield f"{sent} {visitors % {'fields': fields}}"


def locale_fields(locale: Locale) -> Iterator[str]:
    """Yield the fields that a lead has of the page of its form, each with its value."""
    if locale.country:
        yield f"`localeCountry` (`{locale.country.slug}`)"
    yield f"`localeLang` (`{locale.language}`)"


def _input_line(field: FormInput, form: SiteForm, context: MarkdownContext) -> str:
    """Return what is known of a field: its label, its name, its type, and what it may have."""
    places = form.chosen_by(field)
    label = context.localized(field.plain_label)
    use = context.gettext("required") if field.required else ""
    options = [_option_text(each, places, context) for each in field.options or ()]
    limits = [
        f"{sign} {each}" for sign, each in (("≥", field.minimum), ("≤", field.maximum)) if each
    ]
    if field.hours:
        by = next((each.label for each in form.fields if each.name == field.hours), None)
        title = by or next((each.title for each in field.places.values()), None)
        place = context.localized(title) or field.hours
        limits.append(context.gettext("when “%(place)s” is open") % {"place": place})
    kind = " ".join(("`file`", *(field.accept or ()))) if field.accept else f"`{field.type}`"
    facts = context.join((kind, use, *limits, *options))
    help_text = context.localized(field.help)
    return " ".join(
        filter(
            None, (f"**{label}** (`{field.sent_name}`): {facts}", help_text and f"– {help_text}")
        )
    )


def _option_text(
    option: FormOption, places: Mapping[str, FormOption], context: MarkdownContext
) -> str:
    """Return an option, and with which of another field it can be chosen."""
    named = context.join(context.localized(places[each].label) for each in option.of or ())
    return f"`{option.value}` {context.localized(option.label)}{f' – {named}' if named else ''}"


def _item_facts(
    section: DocumentSection, item: object, context: MarkdownContext
) -> tuple[str, ...]:
    if not isinstance(item, SectionItem) or item.anchor.id == "":
        return ()
    recommended = f"*{context.gettext('Recommended')}*" if item.recommended else ""
    prices = list(_prices(item, context)) if section.type == PLANS else ()
    included = included_words(item.includes, context.language) if item.includes else ""
    return tuple(filter(None, (item.role, recommended, *prices, included)))


def included_words(plan: str, language: Language) -> str:
    """Return what a plan says about the one whose features it has, too."""
    return translations(language).gettext("Everything in %(plan)s") % {"plan": plan}


def _call_link(item: object, context: MarkdownContext) -> str:
    if not isinstance(item, SectionItem) or not item.call:
        return ""
    return f"[{call_label(item, context.language)}]({item.href})"


def call_label(item: SectionItem, language: Language) -> str:
    """Return the words of the button of a plan."""
    label = _CALLS[item.call or "quotation"][0 if item.is_asked else 1]
    return translate(label, language)


_CALLS = {
    "trial": (_("Ask for a trial"), _("Start the trial")),
    "demo": (_("Ask for a demo"), _("Book a demo")),
    "quotation": (_("Ask for a quotation"), _("Ask for a quotation")),
}
"""The words of calls to the contact page, and to the address of what they call for."""


def _prices(item: SectionItem, context: MarkdownContext) -> Iterator[str]:
    """Yield the prices of a plan, with plain spaces instead of no-break spaces."""
    for each in item.prices or ():
        words = price_words(each, context.locale)
        amount = " ".join(f"**{words.amount}** {words.period} {words.note}".split())
        yield context.join((amount, " ".join(words.other.split())))
    if not item.prices:
        yield context.gettext("Price on request")
