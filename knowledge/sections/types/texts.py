"""Types of text: lists, questions, steps, tables, calls to action, quotations, plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import COUNTRY, FORM, SITE, TESTIMONIAL
from knowledge.fields.field_types import is_web_address
from knowledge.fields.prices import ON_REQUEST, PERIODS, amounts, price
from knowledge.locales.locale import Language
from knowledge.markdown import text_cache
from knowledge.markdown.figures import figure_fields
from knowledge.markdown.inline import has_link, plain_text, plain_tokens, tokens_of
from knowledge.markdown.parsed_blocks import list_items
from knowledge.markdown.slugs import slugify
from knowledge.sections.section_type import (
    CALL_TO_ACTION,
    ENTRIES_SECTION,
    FAQ,
    FORM_SECTION,
    PLANS,
    QUOTE,
    SECTION_TYPES,
    Fields,
    Item,
    Lack,
    Section,
    SectionContext,
    SectionType,
    text_item,
)

SECTION_TYPES.declare(SectionType(name="bulletList"))
SECTION_TYPES.declare(SectionType(name="featureGrid", has_terms=True))
SECTION_TYPES.declare(SectionType(name="image"))
SECTION_TYPES.declare(SectionType(name="stats"))


def _questions(section: Section, _: SectionContext) -> Iterable[Fields]:
    return ({"question": item.title, "answer": item.text} for item in section.items)


SECTION_TYPES.declare(SectionType(name=FAQ, has_items=True, fields=_questions))


def _needs_items(nouns: str) -> Callable[[Section], Iterator[Lack]]:
    def lacks(section: Section) -> Iterator[Lack]:
        if not section.items:
            message = Text("The section has no {}.", nouns)
            yield Lack(
                section.line, message, Text("Begin each with a heading of level 3: ### Title.")
            )
        for item in section.items:
            if not item.text and not item.options:
                yield Lack(
                    item.line,
                    Text("“{}” has no text.", item.title),
                    Text("Write one below the heading."),
                )

    return lacks


def _people(section: Section, _: SectionContext) -> Iterator[Fields]:
    return ({**text_item(item), "role": item.options.get("role")} for item in section.items)


SECTION_TYPES.declare(SectionType(name="steps", has_items=True, lacks=_needs_items("steps")))
SECTION_TYPES.declare(SectionType(name="tabs", has_items=True, lacks=_needs_items("tabs")))
SECTION_TYPES.declare(
    SectionType(
        name="team",
        has_items=True,
        item_options=frozenset({"role"}),
        fields=_people,
        lacks=_needs_items("people"),
    )
)


@text_cache
def _cells(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of the first table in a text by rows, that of the head first."""
    table = next((token for token in tokens_of(text) if token["type"] == "table"), None)
    head, *bodies = table["children"] if table else (None,)
    rows = [head, *(bodies[0]["children"] if bodies else ())] if head else ()
    return tuple(tuple(plain_tokens(cell["children"]) for cell in row["children"]) for row in rows)


def _rows(section: Section, _: SectionContext) -> Iterator[Fields]:
    labels, *rows = _cells(section.body) or ((),)
    for title, *values in rows:
        pairs = zip(labels[1:], values, strict=False)
        yield {"title": title, "values": [{"label": pair[0], "value": pair[1]} for pair in pairs]}


def _needs_table(section: Section) -> Iterator[Lack]:
    if not _cells(section.body):
        suggestion = Text(
            "Write one: a line | | Starter | Growth |, a line |---|---|---|, and its rows."
        )
        yield Lack(section.line, Text("The comparison has no table."), suggestion)


SECTION_TYPES.declare(SectionType(name="comparison", fields=_rows, lacks=_needs_table))


def _with_contact_link(section: Section, context: SectionContext) -> str:
    if has_link(section.body) or not context.contact_link:
        return section.body
    return f"{section.body}\n\n{context.contact_link}".strip()


def _needs_link(section: Section) -> Iterator[Lack]:
    if not has_link(section.body):
        message = Text("The call to action has no link; its button leads to the page “contact”.")
        yield Lack(section.line, message, Text("Add a link, such as [Contact us](/contact)."))


SECTION_TYPES.declare(SectionType(name=CALL_TO_ACTION, body=_with_contact_link, lacks=_needs_link))

QUOTED = "testimonial"
"""The option of a quotation that names a testimonial."""


def _with_testimonial(section: Section, context: SectionContext) -> str:
    words, who = _quotation(section, context)
    return "\n\n".join(filter(None, (section.body, _quoted(words), who)))


def _quotation(section: Section, context: SectionContext) -> tuple[str, str]:
    """Return the words of the testimonial that a section names, and who said them."""
    found = context.testimonial(slugify(section.options.get(QUOTED, "")))
    if found is None:
        return "", ""
    about = context.language.comma.join(
        filter(None, (f"**{found.name}**" if found.name else "", found.about))
    )
    return found.words, "\n".join(filter(None, (found.portrait, about)))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _testimonial(section: Section, context: SectionContext) -> Iterator[Fields]:
    found = context.testimonial(slugify(section.options.get(QUOTED, "")))
    if found is not None:
        image = next(iter(figure_fields(found.portrait)), {}).get("image")
        role = found.about or None
        yield {"title": found.name, "text": found.words, "role": role, "image": image}


def _needs_words(section: Section) -> Iterator[Lack]:
    if not section.options.get(QUOTED) and not plain_text(section.body):
        suggestion = Text("Write > and the words, or :testimonial: and the name of a file.")
        yield Lack(section.line, Text("The quotation has no words."), suggestion)


SECTION_TYPES.declare(
    SectionType(
        name=QUOTE,
        options=frozenset({QUOTED}),
        reads=(TESTIMONIAL,),
        body=_with_testimonial,
        fields=_testimonial,
        lacks=_needs_words,
    )
)


def _needs_form(section: Section) -> Iterator[Lack]:
    if not section.options.get(FORM_SECTION):
        yield Lack(
            section.line, Text("The section names no form."), Text("Add a line :form: booking.")
        )


SECTION_TYPES.declare(
    SectionType(
        name=FORM_SECTION,
        options=frozenset({FORM_SECTION}),
        reads=(FORM,),
        lacks=_needs_form,
    )
)

KIND, FILTER, SORT, LIMIT, GROUP_BY = OPTIONS = ("kind", "filter", "sort", "limit", "groupBy")
"""The options of a list: which documents, in which order, how many, and in which groups."""

SECTION_TYPES.declare(SectionType(name=ENTRIES_SECTION, options=frozenset(OPTIONS)))


_YES = ("true", "yes", "on")
INCLUDES = "includes"
"""The option of a plan that names the one before it whose features it has, too."""

CALL_URLS: Mapping[str, str] = {"trial": "trialUrl", "demo": "bookingUrl", "quotation": ""}
"""What a plan may call for, and the option and setting with the address, `""` for none."""


def _included(item: Item, before: Iterable[Item]) -> Item | None:
    """Return the plan whose features a plan has, too: one of those before it."""
    name = slugify(item.options.get(INCLUDES, ""))
    return next((each for each in before if name and name in (each.id, slugify(each.title))), None)


def _with_feature_table(section: Section, context: SectionContext) -> str:
    """Return the text, a customer's words, and a table of features if a plan includes another."""
    quotation = _quoted("\n\n".join(_quotation(section, context)).strip())
    plans, body = section.items, f"{section.body}\n\n{quotation}".strip()
    if not any(each.options.get(INCLUDES) for each in plans):
        return body
    is_english = context.language is Language.EN
    yes, no = ("yes", "no") if is_english else ("نعم", "لا")
    title = "Compare the plans" if is_english else "قارن بين الباقات"
    features: dict[str, dict[str, str]] = {}
    for plan, before in ((each, plans[:number]) for number, each in enumerate(plans)):
        included = _included(plan, before)
        own = dict(_feature(text, yes) for text in list_items(plan.text))
        features[plan.title] = {**(features[included.title] if included else {}), **own}
    names = list(dict.fromkeys(name for each in features.values() for name in each))
    rows = ([name, *(each.get(name, no) for each in features.values())] for name in names)
    lines = ([title, *features], ["---"] * (len(features) + 1), *rows)
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\n{table}".strip()


def _feature(text: str, yes: str) -> tuple[str, str]:
    """Return the name and the value of a feature, such as `**Users**: up to 5`."""
    text = " ".join(text.split()).replace("|", "\\|")
    before, _, rest = text.partition("**")
    name, _, value = rest.partition("**")
    value = value.strip(" :")
    return (name.strip(" :"), value) if value and not before else (text, yes)


def _plans(section: Section, context: SectionContext) -> Iterator[Fields]:
    for number, item in enumerate(section.items):
        included = _included(item, section.items[:number])
        yield {
            **text_item(item),
            **_call(item, context),
            "prices": list(_prices(item, context)) or None,
            "recommended": item.options.get("recommended", "").lower() in _YES or None,
            INCLUDES: included and included.title,
            "features": list_items(item.text) or None,
        }


def _call(item: Item, context: SectionContext) -> Fields:
    """Return what the button of a plan calls for, and where it leads: the contact page at last."""
    call = item.options.get("call", "")
    if call not in CALL_URLS:
        return {}
    own = item.options.get(CALL_URLS[call], "")
    url = context.call_url(CALL_URLS[call], own if is_web_address(own) else "")
    is_asked = url == context.call_url("", "")
    return {"call": call, "href": url, "is_asked": is_asked} if url else {}


def _prices(item: Item, context: SectionContext) -> Iterator[Fields]:
    """Yield the price for the period, which is a month by default, then that for a year."""
    period = item.options.get("period", PERIODS[0])
    written = (("price", period if period in PERIODS else PERIODS[0]), ("yearly", "year"))
    for option, each in written:
        found = price(item.options.get(option, ""), each, context.currency, context.vat_rate)
        if found is not None:
            yield {**found, "vat_first": context.vat_first}


def _needs_prices(section: Section) -> Iterator[Lack]:
    if not section.items:
        yield Lack(
            section.line,
            Text("The section has no plans."),
            Text("Add a heading ### for each plan."),
        )
    for number, item in enumerate(section.items):
        options = item.options
        if not any(amounts(options.get("price", ""))) and options.get("price") != ON_REQUEST:
            message = Text("The plan “{}” has no price.", item.title)
            suggestion = Text("Add a line :price: 399 below its heading, or :price: request.")
            yield Lack(item.line, message, suggestion)
        for option, allowed in (("period", PERIODS), ("call", tuple(CALL_URLS))):
            if options.get(option, allowed[0]) not in allowed:
                message = Text(
                    "The plan “{}” has the unknown {} “{}”.", item.title, option, options[option]
                )
                yield Lack(item.line, message, Text("Use one of {}.", tuple(allowed)))
        if INCLUDES in options and _included(item, section.items[:number]) is None:
            message = Text(
                "The plan “{}” includes the unknown plan “{}”.", item.title, options[INCLUDES]
            )
            yield Lack(item.line, message, Text("Write the id or the title of a plan before it."))
        for option in filter(None, CALL_URLS.values()):
            if option in options and not is_web_address(options[option]):
                message = Text("“{}” of the plan “{}” is no address.", options[option], item.title)
                yield Lack(item.line, message, Text("Write :{}: https://example.com/page.", option))


SECTION_TYPES.declare(
    SectionType(
        name=PLANS,
        other_names=("pricing",),
        has_items=True,
        options=frozenset({QUOTED}),
        item_options=frozenset(
            ("price", "period", "yearly", "recommended", INCLUDES, "call", "trialUrl", "bookingUrl")
        ),
        is_compared=True,
        reads=(COUNTRY, SITE, TESTIMONIAL),
        body=_with_feature_table,
        fields=_plans,
        lacks=_needs_prices,
    )
)
