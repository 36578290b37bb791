"""Translations of the interface: the words of a site, else those of the gettext catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from types import SimpleNamespace

from pydantic.alias_generators import to_camel

from knowledge.addresses.addresses import page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import REGISTRY
from knowledge.fields.content_types import WORDS as WORDS_DOCUMENT
from knowledge.fields.field_types import BilingualString
from knowledge.fields.form_fields import LEAD_LENGTHS, InputType
from knowledge.fields.page_type import SiteText
from knowledge.fields.site_fields import WORDS, Topic, Word, WordsFields
from knowledge.locales.locale import Language
from knowledge.resources.forms import CONTACT_NAME, FormInput, FormOption, SiteForm
from knowledge.resources.site import (
    ContactFormSettings,
    FormField,
    FormTopic,
    SiteSettings,
    form_options,
    site_settings,
)
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView, cached_per_snapshot

DOMAIN = "messages"
"""The texts of the interface."""

API_DOMAIN = "api"
"""What the API says of itself, which only languages other than English have."""

CATALOGS = Path(__file__).parents[1] / "translations"


@cache
def translations(language: Language, domain: str = DOMAIN) -> GNUTranslations:
    """Return a catalog of a language; raise FileNotFoundError if it is not compiled.

    >>> translations(Language.EN).ngettext("%(count)s article", "%(count)s articles", 2)
    '%(count)s articles'
    """
    path = CATALOGS / language / "LC_MESSAGES" / f"{domain}.mo"
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


def translate(message: str, language: Language, /, **values: object) -> str:
    """Return the translation of a marked text, with its placeholders filled.

    >>> translate("page %(number)s", Language.EN, number=2)
    'page 2'
    """
    if isinstance(message, SiteText):
        return message.say(language, values)
    return translations(language).gettext(message) % values


_TOPIC_LABELS: Mapping[str, str] = {
    "demo": _("A demo"),
    "pricing": _("Prices"),
    "support": _("Support"),
    "other": _("Something else"),
}


@cached_per_snapshot
def site_words(view: ContentView) -> SimpleNamespace:
    """Return each word by its key, as in `words.talkToUs`; one that the site removes is `""`."""
    language, fields = view.locale.language, _fields(view)
    texts = {
        to_camel(name): _text(getattr(fields, name), word, language) for name, word in WORDS.items()
    }
    return SimpleNamespace(
        **{key: text.replace("{name}", brand(view)) for key, text in texts.items()}
    )


def written_words(view: ContentView) -> dict[str, BilingualString]:
    """Return each word by its key as `site/words.md` has it, in all languages of the site."""
    languages = view.snapshot.locales.languages
    fields = {each: _fields(view.for_locale(view.locale.in_language(each))) for each in languages}
    return {
        to_camel(name): {
            str(language): _text(getattr(fields[language], name), word, language)
            for language in languages
        }
        for name, word in WORDS.items()
    }


@cached_per_snapshot
def contact_form_settings(view: ContentView) -> ContactFormSettings:
    """Return the form of the view's country, with labels in all languages of the site."""
    options, words = form_options(view), bilingual_words(view)
    return ContactFormSettings(
        enabled=options.enabled,
        fields=[
            FormField(name=name, label=words[to_camel(f"field_{name}")], required=required)
            for name, required in options.required.items()
        ],
        topics=[
            FormTopic(value=topic.value, label=_topic_label(view, topic), topic=topic.lead_topic)
            for topic in options.topics
        ],
    )


@cached_per_snapshot
def contact_form(view: ContentView) -> SiteForm:
    """Return the contact form of the view's country as one of the forms of the site."""
    settings = contact_form_settings(view)
    options = [FormOption(value=each.value, label=each.label) for each in settings.topics]
    inputs = [
        FormInput(
            name=each.name,
            label=each.label,
            type=_CONTACT_TYPES.get(each.name, "text"),
            required=each.required,
            lead=each.name,
            options=options if each.name == "topic" else None,
            is_preset=each.name == "topic",
            max_length=LEAD_LENGTHS.get(each.name),
        )
        for each in settings.fields
    ]
    path = view.locale.path + page_of(REGISTRY, CONTACT_NAME).path
    title = bilingual_words(view)["formHeading"]
    return SiteForm(name=CONTACT_NAME, title=title, path=path, fields=inputs)


_CONTACT_TYPES: Mapping[str, InputType] = {
    "email": "email",
    "phone": "phone",
    "topic": "choice",
    "message": "longText",
}


@cached_per_snapshot
def bilingual_words(view: ContentView) -> dict[str, BilingualString]:
    """Return each word by its key, in all languages of the site."""
    by_language = {
        str(language): vars(site_words(view.for_locale(view.locale.in_language(language))))
        for language in view.snapshot.locales.languages
    }
    return {
        to_camel(name): {each: words[to_camel(name)] for each, words in by_language.items()}
        for name in WORDS
    }


@cached_per_snapshot
def complete_site_settings(view: ContentView) -> SiteSettings:
    """Return the site settings with all words and the contact form."""
    added = {"words": bilingual_words(view), "contact_form": contact_form_settings(view)}
    return site_settings(view).model_copy(update=added)


def _fields(view: ContentView) -> WordsFields:
    resolved = view.singleton(WORDS_DOCUMENT)
    return resolved.fields if resolved else WordsFields()


def _text(own: Mapping[str, str] | None, word: Word, language: Language) -> str:
    """Return a word; one that is removed in one language has no default in the other."""
    texts = own or {}
    if language in texts:
        return texts[language]
    if "" in texts.values():
        return ""
    if not word.is_translated:
        return next(iter(texts.values()), word.default)
    return translate(word.default, language)


def _topic_label(view: ContentView, topic: Topic) -> BilingualString:
    default = _TOPIC_LABELS.get(topic.value)
    labels = topic.label or {}
    return {
        language: labels.get(language)
        or (translate(default, language) if default else next(iter(labels.values()), topic.value))
        for language in view.snapshot.locales.languages
    }
