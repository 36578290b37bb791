"""Documents: one content file each, parsed, validated and assigned to its layer."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from typing import Any, Generic, NamedTuple

import lz4.block
from pydantic import ValidationError
from pydantic.alias_generators import to_camel, to_snake
from pydantic_core import ErrorDetails

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind, Severity
from knowledge.diagnostics.messages import Text
from knowledge.documents import front_matter
from knowledge.documents.body_opening import OpeningHeading, opening_heading, without_excerpt_marker
from knowledge.documents.content_path import ContentPath, nested_slug
from knowledge.documents.files import SourceFile
from knowledge.documents.front_matter import FrontMatter, normalize_keys
from knowledge.documents.publication import Verdict
from knowledge.fields.content_types import AnyContentType, ContentType, Fields_co
from knowledge.fields.field_types import SET_HIJRI, InvalidValue, ValidationContext
from knowledge.fields.front_matter import Common, Fields
from knowledge.fields.merging import texts_in
from knowledge.fields.moments import end_of
from knowledge.fields.own_fields import further_fields
from knowledge.fields.value_problems import keys_of, unknown_keys, value_problem
from knowledge.fields.yaml import UnquotedScalar
from knowledge.locales.cldr import language_of_script
from knowledge.locales.locale import Language, Layer, OtherLanguage, TextLanguage
from knowledge.markdown.generator_syntax import TEMPLATE, Unread, read_syntax, read_templates
from knowledge.markdown.inline import plain_line, plain_text
from knowledge.markdown.raw_html import BLOCK_TAGS, REMOVED_WITH_CONTENT, TAGS
from knowledge.markdown.slugs import slugify

# An invalid date must not publish a document that was meant for later.
_VISIBILITY = {"published", "publishedAt", "unpublishAt"}

_SUMMARIES = ("excerpt", "short_description")


_FEW_LETTERS = 8
"""In a shorter text, the letters do not tell its language."""


@dataclass(frozen=True, eq=False, slots=True)
class Document(Generic[Fields_co]):
    """One file of a document: validated front matter and the body, which is not parsed yet.

    `slug` comes from the file name, `chosen_slug` from the front matter; both decide the slug of
    the entry, see `knowledge.snapshot.document_index`.
    The body is compressed, because most bodies are rarely read: 10,000 documents take 51 MB, not
    66. With LZ4 that adds 7 % to a start; zlib and brotli would add another 10 to 20 %.
    """

    path: str
    kind: ContentType[Fields_co]
    slug: str
    name: str
    """The file name as typed, which is the title if nothing else is."""

    chosen_slug: str | None
    layer: Layer
    language: Language
    fields: Fields_co
    compressed_body: bytes
    body_line: int
    digest: bytes
    """Names the text of the file: equal texts have the same digest."""

    states_language: bool
    """Whether the name or the front matter states the language, not only the site."""

    languages: frozenset[Language]
    """The languages in which it has texts."""

    letters: tuple[int, int]
    """The Arabic letters, and all letters, at the beginning of its text."""

    other_language: OtherLanguage | None
    """The language of a text that is neither English nor Arabic."""

    inserted_lines: tuple[int, ...] = ()
    """The lines of the body that the file does not have, in order."""

    excerpt_end: int = 0
    """Where in the body the author ends the excerpt with a mark, 0 without one."""

    key_lines: Mapping[str, int] = field(default_factory=dict)
    """The lines of keys in the file, such as `dark.paper`, of a model that keeps them."""

    is_named_only: bool = False
    """Whether there is no file: other documents name it, see `knowledge.snapshot.named_terms`."""

    def file_line(self, line: int) -> int:
        """Return the line in the file of a line in the body, both from 1."""
        return self.body_line + line - 1 - bisect_right(self.inserted_lines, line)

    @property
    def text_language(self) -> TextLanguage:
        """The language in which the body is written."""
        return self.other_language or self.language

    @property
    def body(self) -> str:
        """Return the markdown below the front matter."""
        return lz4.block.decompress(self.compressed_body).decode() if self.compressed_body else ""

    @property
    def has_body(self) -> bool:
        """Return whether there is any text below the front matter."""
        return bool(self.compressed_body)


def text_digest(text: str) -> bytes:
    """Return what names the text of a file."""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()


class Reading(NamedTuple):
    """How files are read that do not say it themselves."""

    language: Language = Language.EN
    is_hijri: bool = False
    """Whether the years of dates may be of the Hijri calendar."""


_PLAIN = Reading()


LANGUAGE_SETS = {
    (english, arabic): frozenset(
        language for language, is_used in ((Language.EN, english), (Language.AR, arabic)) if is_used
    )
    for english in (False, True)
    for arabic in (False, True)
}
"""One shared object for equal sets, to save memory."""


def parse_document(
    source: SourceFile, name: ContentPath, site: Reading = _PLAIN
) -> tuple[Document, tuple[Diagnostic, ...]]:
    """Return a document and its warnings; raises ContentFileError if it cannot be served.

    `site` says how it is read where it does not say so itself.
    """
    parts = front_matter.parse(source)
    own, other = _language(parts, source.path)
    stated = name.layer.language or own
    read = read_syntax(parts.body, source.path)
    sample = f"{parts.metadata.get('title', '')} {_without_code(read.text)}"
    letters = _letters(sample)
    other = None if stated else other or name.other_language or language_of_script(sample)
    is_judged = not (stated or other or name.kind.singletons) and bool(read.text.strip())
    found = _language_of_letters(*letters) if is_judged else None
    language = stated or found or site.language
    heading = None if name.kind.singletons else opening_heading(read.text)
    fields, diagnostics = _fields(
        source.path, name, Reading(language, site.is_hijri), parts, heading
    )
    chosen_slug, slug_diagnostics = _chosen_slug(source.path, name, parts, fields)
    text = read.text
    if heading and _is_title(heading, fields, language):
        text = heading.blanked(text)
    text, excerpt_end = without_excerpt_marker(text)
    body = "" if text.isspace() else text.rstrip()
    used = {key for found in texts_in(fields) for key in found} | ({language} if body else set())
    document = Document(
        path=source.path,
        kind=name.kind,
        slug=name.slug,
        name=name.name,
        chosen_slug=chosen_slug,
        layer=name.layer,
        language=language,
        fields=fields,
        compressed_body=lz4.block.compress(body.encode()) if body else b"",
        body_line=parts.body_line,
        digest=text_digest(source.text),
        states_language=stated is not None,
        other_language=other,
        languages=LANGUAGE_SETS[Language.EN in used, Language.AR in used],
        letters=letters,
        inserted_lines=read.inserted_lines,
        excerpt_end=excerpt_end,
        key_lines=dict(_key_lines(parts, parts.metadata)) if fields.keeps_lines else {},
    )
    if not document.slug:
        raise ContentFileError(
            DiagnosticKind.INVALID_FILE_NAME.error(
                source.path,
                Text("The file name has no letter or digit for a slug."),
                Text("Rename the file."),
            )
        )
    unread = tuple(_unread(source.path, parts.body_line, read.unread))
    if language is not site.language and found:
        unread += (_found_language(source.path, language),)
    return document, source.diagnostics + diagnostics + slug_diagnostics + unread


_MAX_EXCERPT_CHARACTERS = 60
_SAMPLE_CHARACTERS = 500
"""Enough of a text to know its script."""


def _without_code(text: str) -> str:
    """Return the beginning of a text without its blocks of code, which are in Latin script."""
    lines, is_code = [], False
    for line in text[: 4 * _SAMPLE_CHARACTERS].split("\n"):
        is_fence = line.startswith(("```", "~~~"))
        is_code ^= is_fence
        lines += [] if is_code or is_fence else [line]
    return "\n".join(lines)[:_SAMPLE_CHARACTERS]


def _language_of_letters(arabic: int, count: int) -> Language | None:
    """Return the language of most letters, None if it is not plain: names and code are Latin."""
    if count < _FEW_LETTERS:
        return None
    return Language.AR if 2 * arabic > count else Language.EN if 3 * arabic < count else None


def _found_language(path: str, language: Language) -> Diagnostic:
    name = {Language.EN: Text("English"), Language.AR: Text("Arabic")}[language]
    message = Text(
        "Nothing states the language, and most letters are {}, so it is read as such.", name
    )
    advice = Text("Add lang: {0}, or end the name of the file with .{0}.md.", language)
    return DiagnosticKind.UNSTATED_LANGUAGE.notice(path, message, advice)


def place_of_keys(documents: Sequence[Document], keys: tuple[str, ...]) -> tuple[Document, int]:
    """Return the document and the line where keys stand, else those above them."""
    for length in range(len(keys), 0, -1):
        for document in documents:
            line = document.key_lines.get(".".join(keys[:length]))
            if line is not None:
                return document, line
    return documents[0], 1


def _key_lines(
    parts: FrontMatter, values: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, int]]:
    """Yield all keys, joined by dots, with their lines."""
    for key, value in values.items():
        keys = (*above, key)
        yield ".".join(keys), parts.line_of(keys)
        if isinstance(value, dict):
            yield from _key_lines(parts, value, keys)


def _unread(path: str, body_line: int, unread: Iterable[Unread]) -> Iterator[Diagnostic]:
    """Report the syntax of other generators that is left out: each tag once, with its count."""
    groups: dict[tuple[str, str], list[Unread]] = {}
    for each in unread:
        groups.setdefault((each.language, each.name), []).append(each)
    for (language, _), group in groups.items():
        shown = _printable(group[0].text)
        message = Text("“{}” is {} syntax and is left out.", shown, language)
        if len(group) > 1:
            places = len(group)
            message = Text(
                "“{}” is {} syntax and is left out ({} places).", shown, language, places
            )
        suggestion = Text("Write it in markdown, or between backticks to show it.")
        line = body_line + group[0].line - 1
        yield DiagnosticKind.FOREIGN_SYNTAX.notice(path, message, suggestion, line)


def _is_title(heading: OpeningHeading, fields: Common, language: Language) -> bool:
    """Return whether the page shows a heading as its title, so that it must not show it twice."""
    titles = [text.get(language) for text in (fields.title, fields.heading) if text]
    return heading.text in [" ".join(title.split()) for title in titles if title]


def _chosen_slug(
    path: str, name: ContentPath, parts: FrontMatter, fields: Common
) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Reduce a slug, which other generators allow to be a path, to one slugified segment.

    Of a nested kind it may be the whole path; one without a slash is the name in the folder.
    """
    if fields.slug is None:
        return None, ()
    if name.kind.is_nested:
        above = () if "/" in fields.slug else name.slug.split("/")[:-1]
        slug = nested_slug(*above, *fields.slug.split("/"))
        return slug or (str(name.kind) if "/" in fields.slug else None), ()
    slug = slugify(fields.slug.rstrip("/").rpartition("/")[2])
    if name.kind.is_named_by_file and slug != name.slug:
        message = Text("slug: “{}” is ignored, because this file is identified by its name.", slug)
        line, advice = parts.line_of(("slug",)), Text("Rename the file instead.")
        return None, (DiagnosticKind.IGNORED_SLUG.warning(path, message, advice, line),)
    return slug or None, ()


def _letters(text: str) -> tuple[int, int]:
    """Return the number of Arabic letters and of all letters."""
    if text.isascii():
        return 0, len(text) if any(map(str.isalpha, text)) else 0  # about
    letters = [character for character in text if character.isalpha()]
    return sum("\u0600" <= letter <= "\u06ff" for letter in letters), len(letters)


def _language(parts: FrontMatter, path: str) -> tuple[Language | None, OtherLanguage | None]:
    """Return the language that front matter states, English or Arabic or another one."""
    value = parts.metadata.get("lang")
    if value is None:
        return None, None
    language, other = Language.parse(str(value)), OtherLanguage.parse(str(value))
    if language is None and other is None:
        message = Text("lang: unknown language “{}”.", _excerpt(value))
        line = parts.line_of(("lang",))
        advice = Text("Use en, ar or another BCP 47 tag.")
        raise ContentFileError(DiagnosticKind.INVALID_VALUE.error(path, message, advice, line))
    return language, other


_LINKED = re.compile(r"\]\(|\*\*\S")

_DRAFTS = "_drafts/"
"""The folder of unpublished posts in a source of Jekyll."""


def _fields(
    path: str,
    name: ContentPath,
    reading: Reading,
    parts: FrontMatter,
    heading: OpeningHeading | None,
) -> tuple[Common, tuple[Diagnostic, ...]]:
    values, origins = normalize_keys(name.kind, parts.metadata)
    templates = tuple(_left_out_templates(path, parts, values, origins))
    if name.date and values.get("publishedAt") is None:
        values["publishedAt"] = name.date
    if path.startswith(_DRAFTS):
        values.setdefault("published", False)
    if heading and values.get("title") is None and values.get("name") is None:
        values["title"] = heading.text
    context = ValidationContext(reading.language, is_hijri=reading.is_hijri)
    model = name.kind.model_for(name.slug)
    fields, diagnostics = _validate(model, values, origins, context, path, parts)
    fields = _with_plain_texts(fields, has_markup=bool(_LINKED.search(parts.raw)))
    ambiguous_scalars = tuple(
        _ambiguous_scalar(path, parts, text) for text in context.ambiguous_scalars
    )
    cleaned = tuple(_cleaned(path, parts, name) for name in dict.fromkeys(context.cleaned))
    cleaned += tuple(_dropped(path, parts, origins, *each) for each in context.dropped)
    cleaned += tuple(_hijri(path, parts, origins, *each) for each in context.hijri)
    cleaned += tuple(_times(path, parts, origins, name.kind, fields, context.without_offset))
    unlinked = tuple(_unlinked(path, parts, name, error) for name, error in context.unlinked)
    is_declared = bool(name.kind.declaration)
    reports = model.refuses_unknown_keys or is_declared
    unknown = tuple(_unknown(path, name.kind, model, values, parts)) if reports else ()
    withheld = tuple(_publication(path, parts, name.kind))
    found = diagnostics + ambiguous_scalars + cleaned + unlinked + unknown + withheld
    return fields, found + templates


def _left_out_templates(
    path: str, parts: FrontMatter, values: dict[str, Any], origins: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Remove the tags of template languages from values, in place, and report them."""
    for key in [*values] if TEMPLATE.search(parts.raw) else ():
        if key != "aliases":  # patterns of addresses are filled in
            unread: list[Unread] = []
            values[key] = _without_templates(values[key], unread)
            yield from _unread(path, parts.line_of((origins.get(key, key),)), unread)


def _without_templates(value: Any, unread: list[Unread]) -> Any:
    """Return a value without tags of template languages; a text of them alone is absent."""
    if isinstance(value, list):
        items = [_without_templates(each, unread) for each in value]
        return [new for new, each in zip(items, value, strict=True) if new is not None or not each]
    if isinstance(value, dict):
        return {key: _without_templates(each, unread) for key, each in value.items()}
    if not isinstance(value, str) or not TEMPLATE.search(value):
        return value
    read = read_templates(value)
    unread += read.unread
    return read.text or None


def _with_plain_texts(fields: Common, *, has_markup: bool) -> Common:
    """Return fields whose texts have no markup: summaries, and what is not `Markdown` any link."""
    changed: dict[str, Any] = {}
    for name in _SUMMARIES:
        texts: Mapping[str, str] = getattr(fields, name, None) or {}
        plain = {language: _plain_summary(text) for language, text in texts.items()}
        if plain != texts:
            changed[name] = plain
    fields = replace(fields, **changed) if changed else fields
    return _without_links(fields) if has_markup else fields


def _without_links(value: Any) -> Any:
    if isinstance(value, Fields):
        names = [name for name in value.field_names if name not in type(value).prose]
        found = {name: _without_links(getattr(value, name)) for name in names}
        return replace(value, **found)
    if isinstance(value, list):
        return [_without_links(each) for each in value]
    if isinstance(value, dict):
        return {
            key: plain_line(each)
            if isinstance(each, str) and _LINKED.search(each)
            else _without_links(each)
            for key, each in value.items()
        }
    return value


_MARKUP = re.compile(r"[*_`~\[\]<>&\\]")

_TAG = re.compile(r"</?([A-Za-z][\w-]*)")
_HTML = TAGS | BLOCK_TAGS | REMOVED_WITH_CONTENT


def _plain_summary(text: str) -> str:
    r"""Return a summary without markup; what is in angle brackets but no tag of HTML stays.

    >>> _plain_summary("A *quick* [tour](/a) of <em>List</em><String>")
    'A quick tour of List<String>'
    """
    if not _MARKUP.search(text):
        return text
    text = _TAG.sub(lambda tag: tag[0] if tag[1].lower() in _HTML else f"&lt;{tag[0][1:]}", text)
    return plain_text(text) if "\n\n" in text else plain_line(text)


def _validate(
    model: type[Common],
    values: dict[str, Any],
    origins: Mapping[str, str],
    context: ValidationContext,
    path: str,
    parts: FrontMatter,
) -> tuple[Common, tuple[Diagnostic, ...]]:
    """Validate front matter; an invalid alias of another generator is only a warning."""
    try:
        return model.parse(values, context), ()
    except ValidationError as error:
        found = [_diagnostic(path, parts, origins, values, each) for each in error.errors()]
        diagnostics = tuple(dict.fromkeys(found))
        invalid = {str(detail["loc"][0]) for detail in error.errors()}
    if not invalid <= origins.keys() - _VISIBILITY:
        raise ContentFileError(*diagnostics)
    valid = {key: value for key, value in values.items() if key not in invalid}
    warnings = tuple(diagnostic.as_warning() for diagnostic in diagnostics)
    return model.parse(valid, context), warnings


def _diagnostic(
    path: str,
    parts: FrontMatter,
    origins: Mapping[str, str],
    values: Mapping[str, Any],
    detail: ErrorDetails,
) -> Diagnostic:
    first, *rest = keys_of(values, detail["loc"], is_missing=detail["type"] == "missing")
    keys = (origins.get(str(first), first), *rest)
    dotted = _excerpt(".".join(str(key) for key in keys))
    error, kind = detail.get("ctx", {}).get("error"), DiagnosticKind.INVALID_VALUE
    if isinstance(error, InvalidValue):
        value = _excerpt(detail["input"] if error.value is None else error.value)
        message = Text("{}: {} “{}”.", dotted, error.problem, value)
        suggestion, kind = error.suggestion, error.kind
    else:
        problem, value = value_problem(detail), _excerpt(detail["input"])
        problem = problem if isinstance(problem, Text) else _printable(problem)
        message = Text("{}: invalid value “{}”: {}.", dotted, value, problem)
        suggestion = Text("Correct the value, or remove the key.")
    line = parts.line_of(keys)
    return kind.error(path, message, suggestion, line)


def _excerpt(value: object) -> str:
    """Return the beginning of a value, on one line and without control characters."""
    return _printable(str(value)[:_MAX_EXCERPT_CHARACTERS])


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _cleaned(path: str, parts: FrontMatter, field: str) -> Diagnostic:
    key = to_camel(field)
    message = Text("{} contains control characters, which are not served.", key)
    line = parts.line_of((key,))
    return DiagnosticKind.CONTROL_CHARACTER.warning(path, message, Text("Remove them."), line)


def _dropped(
    path: str, parts: FrontMatter, origins: Mapping[str, str], field: str, item: object
) -> Diagnostic:
    key = origins.get(to_camel(field), to_camel(field))
    message = Text("{}: “{}” is no text, so it is left out of the list.", key, _excerpt(item))
    line = parts.line_of((key,))
    return DiagnosticKind.INVALID_VALUE.warning(
        path, message, Text("Write each item as a text."), line
    )


def _hijri(
    path: str,
    parts: FrontMatter,
    origins: Mapping[str, str],
    field: str,
    moment: datetime,
    hijri: datetime,
) -> Diagnostic:
    key = origins.get(to_camel(field), to_camel(field))
    message = Text(
        "{}: the date is read as {} of the Gregorian calendar; in that of Umm al-Qura it is {}.",
        *(key, f"{moment:%Y-%m-%d}", f"{hijri:%Y-%m-%d}"),
    )
    line, advice = parts.line_of((key,)), Text("Write {}, or {}.", f"{hijri:%Y-%m-%d}", SET_HIJRI)
    return DiagnosticKind.HIJRI_DATE.warning(path, message, advice, line)


def _times(
    path: str,
    parts: FrontMatter,
    origins: Mapping[str, str],
    kind: AnyContentType,
    fields: Common,
    without_offset: Iterable[tuple[str, datetime]],
) -> Iterator[Diagnostic]:
    """Report times of declared fields without an offset, and ends before their beginning."""
    own = {each.attribute: each.key for each in further_fields(type(fields))}
    for name, moment in without_offset:
        if name in own:
            key, day = origins.get(own[name], own[name]), f"{moment:%Y-%m-%dT%H:%M}"
            message = Text("{}: the time has no offset, and is read as {} UTC.", key, day)
            advice = Text("Write it with the offset of the place, such as {}+04:00.", day)
            line = parts.line_of((key,))
            yield DiagnosticKind.UNSTATED_OFFSET.notice(path, message, advice, line)
    declared = kind.declared
    if declared and declared.date and declared.end_date:
        first, last = (
            getattr(fields, to_snake(each)) for each in (declared.date, declared.end_date)
        )
        if first and last and last < first >= end_of(last):
            key = origins.get(declared.end_date, declared.end_date)
            message = Text("{}: it is before {}.", key, declared.date)
            advice, line = Text("Correct one of them."), parts.line_of((key,))
            yield DiagnosticKind.INVALID_VALUE.warning(path, message, advice, line)


def _unlinked(path: str, parts: FrontMatter, field: str, error: InvalidValue) -> Diagnostic:
    keys = _path_of(parts.metadata, to_camel(field))
    message = Text(
        "{}: {} “{}”; it is not linked.", ".".join(keys), error.problem, _excerpt(error.value)
    )
    line = parts.line_of(keys)
    return DiagnosticKind.INVALID_VALUE.warning(path, message, error.suggestion, line)


_PUBLISH = Text("Remove the key to publish it.")


def _publication(path: str, parts: FrontMatter, kind: AnyContentType) -> Iterator[Diagnostic]:
    """Report the keys that withhold the document, or may do so; values may be secret."""
    unclear, withheld = DiagnosticKind.UNCLEAR_PUBLICATION, DiagnosticKind.WITHHELD
    publication = front_matter.publication(kind, parts.metadata)
    for found in publication.findings:
        name, line = _excerpt(found.name), parts.line_of(found.keys)
        if found.verdict is Verdict.UNCLEAR:
            if publication.withheld_by:
                continue
            message = Text("{} may withhold the document, but is unknown; it is published.", name)
            advice = Text("Write “published: false” to hide it, or remove the key.")
            yield unclear.warning(path, message, advice, line)
        elif found.verdict is Verdict.RESTRICTED:
            message = Text(
                "{} restricts the document or is not understood; it is not published.", name
            )
            yield withheld.warning(path, message, _PUBLISH, line)
        elif found.name not in ("draft", "published") or str(found.value).isdecimal():
            message = Text("“{}: {}” withholds the document.", name, _excerpt(found.value))
            yield withheld.notice(path, message, _PUBLISH, line)


def _path_of(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the path of a key of front matter or of one of its blocks."""
    blocks = (name for name, block in metadata.items() if isinstance(block, dict) and key in block)
    return (key,) if key in metadata else (*islice(blocks, 1), key)


def _unknown(
    path: str, kind: ContentType, model: type[Common], values: Mapping[str, Any], parts: FrontMatter
) -> Iterator[Diagnostic]:
    """Report the keys that the model does not have, each with the nearest one that it has.

    Those of a kind that the site declares are only notices: other tools may read them.
    """
    advice = Text("Remove it, or correct its name.")
    if kind.declaration:
        advice = Text("Declare it in _kinds/{}.md, or remove it.", kind)
    for keys, nearest in unknown_keys(model, values):
        message = Text("{}: unknown key.", _excerpt(".".join(map(str, keys))))
        suggestion = Text("Did you mean {}?", nearest) if nearest else advice
        severity = Severity.NOTICE if kind.declaration else Severity.WARNING
        unknown, line = DiagnosticKind.UNKNOWN_KEY, parts.line_of(keys)
        yield Diagnostic(path, message, suggestion, line, severity, kind=unknown)


def _ambiguous_scalar(path: str, parts: FrontMatter, text: UnquotedScalar) -> Diagnostic:
    message = Text(
        "“{}” is not quoted: it is read as text here, but as another type by other tools.", text
    )
    suggestion, (line, column) = Text('Write it in quotes: "{}".', text), text.place
    line += parts.raw_line - 1
    return DiagnosticKind.UNQUOTED_VALUE.warning(path, message, suggestion, line, column)
