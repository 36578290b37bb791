"""The kinds that `_kinds/` declares; a wrong declaration keeps its last good one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.content_path import folder_prefixes
from knowledge.documents.document import Document, place_of_keys
from knowledge.fields.content_types import CONTENT_TYPES, PAGE
from knowledge.fields.kind_faults import Fault, faults
from knowledge.fields.kind_fields import KindFields
from knowledge.fields.kinds import BUILT_IN_KINDS, Kind, SiteKinds, made_kind
from knowledge.fields.merging import merge

Declarations = Mapping[str, Sequence[Document[KindFields]]]
"""The documents of each declared kind, the most general one first."""


def site_kinds(
    documents: Iterable[Document], before: SiteKinds, paths: Iterable[str] = ()
) -> tuple[SiteKinds, tuple[Diagnostic, ...]]:
    """Return the kinds of a site, and what is wrong with their declarations.

    Those of `before` are used again where the declaration is the same, or is wrong. `paths` are
    those of all files.
    """
    declarations = _declarations(documents)
    if not declarations:
        return BUILT_IN_KINDS, ()
    folders = frozenset((*map(str, CONTENT_TYPES), *declarations))
    good: list[Kind] = []
    diagnostics: list[Diagnostic] = []
    for name, documents_of_kind in declarations.items():
        declared = merge([each.fields for each in documents_of_kind])
        last = before.by_name.get(name)
        if last is not None and last.declared == declared:
            kind: Kind | None = last
            found: list[Fault] = []
        else:
            found = list(faults(name, declared, folders))
            kind = last if found else made_kind(name, declared)
        if kind is not None and (contradiction := _contradiction([*good, kind])):
            found.append(contradiction)
            kind = last if last and not _contradiction([*good, last]) else None
        diagnostics += (_diagnostic(documents_of_kind, fault, last) for fault in found)
        good += [kind] if kind else []
    own = _own_lists(good, paths)
    if good == list(before.by_name.values()) and own == before.own_lists:
        return before, tuple(diagnostics)
    return BUILT_IN_KINDS.with_kinds(good, own), tuple(diagnostics)


def _own_lists(kinds: Iterable[Kind], paths: Iterable[str]) -> frozenset[str]:
    """Return the paths of built-in kinds at which a file of `pages/` stands."""
    moved = {kind.declared.path or "" for kind in kinds if not kind.page} - {""}
    folders = folder_prefixes(PAGE) if moved else ()
    names = (path[len(each) :] for each in folders for path in paths if path.startswith(each))
    return frozenset(moved & {f"/{name.partition('.')[0]}" for name in names})


def _declarations(documents: Iterable[Document]) -> Declarations:
    by_name: dict[str, list[Document[KindFields]]] = {}
    ordered = sorted(documents, key=lambda each: (each.slug, each.layer.order))
    for document in ordered:
        if document.layer.country is None and document.fields.published is not False:
            found = cast("Document[KindFields]", document)
            by_name.setdefault(document.slug, []).append(found)
    # A layer of a language alone declares nothing; `majlis check` says that its base is missing.
    return {name: found for name, found in by_name.items() if found[0].layer.language is None}


def _contradiction(kinds: Sequence[Kind]) -> Fault | None:
    """Return what the last of some kinds contradicts."""
    try:
        made = BUILT_IN_KINDS.with_kinds(kinds)
    except ValueError as error:
        return Fault(("path",), Text("{}", *error.args), Text("Set another path."))
    parent = kinds[-1].declared.parent
    if parent is not None and made.page_types.at(parent) is None:
        return Fault(
            ("parent",), Text("parent: there is no page at {}.", parent), Text("Correct it.")
        )
    return None


def _diagnostic(
    documents: Sequence[Document[KindFields]], fault: Fault, last: Kind | None
) -> Diagnostic:
    document, line = place_of_keys(documents, fault.keys)
    message = fault.message
    if last:
        message = Text("{} The last good declaration stays.", message)
    return DiagnosticKind.INVALID_KIND.error(document.path, message, fault.advice, line)
