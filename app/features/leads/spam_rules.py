"""Spam rules: the points of a lead by its content alone, and the sketch of a text; pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from disposable_email_domains import blocklist

from app.features.leads.model import Lead, Points, Reason

_LINK_POINTS = (0, 20, 50, 100)
"""The points of no link, one, two, and of more."""


def _phrase(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of folded texts; with IGNORECASE it would take three times as long."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})")


_SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "links for sale": (
        r"back-?links?\b",
        r"link building\b",
        r"guest posts?\b",
        r"domain (?:authority|rating)\b",
        r"do-?follow\b",
        r"باك ?لينك",
    ),
    "search engines": (r"seo\b", r"search engine optimi[sz]ation", r"سيو\b"),
    "ranking": (
        r"rank(?:s|ed|ing|ings)?\b.{0,40}\b(?:google|search)",
        r"(?:top|first page|page one|page 1) (?:of|on|in) (?:google|bing|the search)",
        r"google (?:ranking|search results)",
        r"(?:الصفحة الأولى|نتائج).{0,20}(?:جوجل|غوغل)",
    ),
    "traffic": (
        r"(?:more|increase|boost|drive|targeted|organic|website).{0,20}\b(?:traffic|followers)\b",
        r"زيادة (?:المتابعين|الزيارات|متابعين)",
    ),
    "web design": (
        r"(?:design|develop|build).{0,99}\b(?:affordable|portfolio|our team)",
        r"web (?:design|development) (?:company|agency|services)\b",
    ),
    "faults of the site": (
        r"(?:errors|issues|problems|mistakes).{0,30}\b(?:on|with|in) your (?:web)?site",
        r"(?:came across|visited|looking at|reviewing|checking) your (?:web)?site",
    ),
    "currencies": (
        r"(?:bitcoin|btc|crypto(?:currency|currencies)?|ethereum|usdt|forex|nft)\b",
        r"عملات? (?:رقمية|مشفرة)",
        r"بيتكوين",
        r"الفوركس",
    ),
    "profits": (
        r"passive income\b",
        r"guaranteed (?:returns?|profits?)\b",
        r"double your\b",
        r"daily profits?\b",
        r"(?:earn|made|making) \$?\d",
        r"\d+% (?:returns?|roi|profit|daily|weekly|monthly)",
        r"investment (?:platform|opportunity)",
        r"أرباح (?:يومية|مضمونة)",
    ),
    "gambling": (r"(?:casino|betting|poker|slots|jackpot|free spins)\b", r"كازينو"),
    "medicines": (r"(?:viagra|cialis|weight loss|keto|cbd|male enhancement)\b",),
    "dating": (
        r"(?:hot|sexy|lonely|nude|naked) (?:girls?|women|photos?|singles)",
        r"(?:adult|dating) (?:site|dating)",
        r"porn",
    ),
    "loans": (
        r"(?:loan|financing|funding) (?:offer|at|up to|approval)",
        r"(?:business|personal) loans?\b",
        r"\d% interest",
        r"قروض? (?:شخصي|فوري|بدون)",
    ),
    "windfalls": (
        r"(?:unclaimed|inheritance|next of kin|beneficiary|lottery|you have won|claim your)\b",
        r"million (?:usd|dollars|us dollars)\b",
    ),
    "bulk mail": (
        r"(?:bulk email|email (?:list|leads|database)|mass mailing|verified leads)\b",
        r"contact forms? (?:submission|marketing)\b",
        r"explainer videos?\b",
    ),
    "circulars": (r"(?:unsubscribe|opt[- ]out)\b",),
}
"""What unsolicited offers are about, and patterns of it in English and Arabic, in lower case."""

_PHRASES = {subject: _phrase(patterns) for subject, patterns in _SUBJECTS.items()}
_ANY_PHRASE = _phrase(chain.from_iterable(_SUBJECTS.values()))
"""Finds out in one pass that a text has none, as most have."""
_DOTS = str.maketrans({"ı": "i", "\u0307": None})
"""What remains of the dotless and the dotted I of Turkish after `casefold`."""
_NEVER_ASKED = frozenset(
    {"links for sale", "profits", "gambling", "medicines", "dating", "windfalls", "bulk mail"}
)
"""Subjects of which no customer writes to a company, so that one is enough."""
_PHRASE_POINTS = 50

_ADDRESS = re.compile(r"(?<!\S)[^\s./@]*[./@]\S+")
_WORD = re.compile(r"[^\W\d_]+")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}")
_RARE_PAIRS = re.compile(
    r"[jqxvz][bcdfgjklmnpqrstvwxz]|[bcdfghjkmpqtvwx][jqxz]|q[^uaio]|[wy][kgqvx]"
    r"|[fhkp][bdgv]|[bdg][kf]"
)
_CHANGES = re.compile(r"[a-z](?=[A-Z])")
_LEAST_LETTERS = 5
"""Of a word that is judged: shorter ones are abbreviations as often."""
_COMMON_SCRIPTS = frozenset({"LATIN", "ARABIC"})
_LOOKALIKES = frozenset({"LATIN", "CYRILLIC", "GREEK", "CHEROKEE", "COPTIC", "ARMENIAN"})
"""Scripts with letters that look alike; no word of an honest text has those of two."""


_MARKUP = re.compile(r"<a\s|\[/?(?:url|link|img)\b|\]\(https?://", re.IGNORECASE)
_SHORTENERS = frozenset(
    {"bit.ly", "tinyurl.com", "t.me", "t.co", "goo.gl", "cutt.ly", "is.gd", "rb.gy", "ow.ly"}
)
_LEAST_WORDS_A_LINK = 8
"""Two links with fewer words each are not sent for what the words say."""


def judge_content(lead: Lead) -> Points:
    """Return the points of what a lead says."""
    text = "\n".join(each for each in (lead.name, lead.company, lead.text) if each)
    points = {
        Reason.LINKS: _links(lead),
        Reason.MARKUP: 100 if _MARKUP.search(text) else 0,
        Reason.PHRASES: _phrases(text),
        Reason.GIBBERISH: _gibberish(lead),
        Reason.SCRIPT: 100 if _is_foreign(lead.text or text) else 0,
        Reason.MIXED_SCRIPTS: 100 if any(map(_mixes_scripts, _WORD.findall(text))) else 0,
        Reason.DISPOSABLE: 70 if is_disposable(email_domain(lead)) else 0,
    }
    return {reason: number for reason, number in points.items() if number}


def _phrases(text: str) -> int:
    """Judge what a text is about, in any letter case.

    >>> _phrases("We sell BACKLINKS."), _phrases("CASİNO"), _phrases("Casıno"), _phrases("Invoices")
    (100, 100, 100, 0)
    """
    folded = text.casefold().translate(_DOTS)
    if not _ANY_PHRASE.search(folded):
        return 0
    subjects = {subject for subject, each in _PHRASES.items() if each.search(folded)}
    return 100 if subjects & _NEVER_ASKED else min(len(subjects) * _PHRASE_POINTS, 100)


def email_domain(lead: Lead) -> str:
    """Return the domain of the sender's e-mail address."""
    return lead.email_folded.rpartition("@")[2]


def is_disposable(domain: str) -> bool:
    """Return whether a domain, or one above it, gives away addresses for a few minutes.

    >>> is_disposable("mailinator.com"), is_disposable("a.mailinator.com"), is_disposable("a.test")
    (True, True, False)
    """
    labels = domain.split(".")
    return any(".".join(labels[start:]) in blocklist for start in range(len(labels) - 1))


def _links(lead: Lead) -> int:
    """Judge the links that do not lead to the sender's own site; in a name there are none."""
    own = email_domain(lead)
    linked = _hosts(lead.text)
    hosts = [host for host in linked if host != own and not host.endswith(f".{own}")]
    in_name = any(_hosts(f"{lead.name or ''} {lead.phone or ''}"))
    shortened = 50 * any(host in _SHORTENERS for host in hosts)
    number = _LINK_POINTS[min(len(hosts), len(_LINK_POINTS) - 1)]
    is_bare = len(hosts) > 1 and len(_words(lead.text)) < _LEAST_WORDS_A_LINK * len(hosts)
    return 100 if in_name or is_bare else min(number + shortened, 100)


_LINK = re.compile(
    r"(?:https?://|www\.)(?:[^\s@/]{0,200}@)?([^\s/?#<>\"'\])]+)"
    r"|(?<![@\w.-])([a-z0-9-]+(?:\.[a-z0-9-]+)*"
    r"\.(?:com|net|org|info|biz|xyz|top|site|online|store|shop|club|ru|cn|io|me|co|ly))\b(?!@)"
    r"|(?<![@\w.-])(?:(?!https?://|www\.)[a-z0-9-])++",
    re.IGNORECASE,
)
"""A link with its host, or a host that is written like a link; or a run of letters without either.

No host begins within such a run, as it would have begun with the run, so none is looked for there.
"""


def _hosts(text: str) -> Iterator[str]:
    for match in _LINK.finditer(text):
        if host := match[1] or match[2]:
            yield host.lower().removeprefix("www.").rstrip(".,;:!")


def _gibberish(lead: Lead) -> int:
    """Judge whether name and message consist of random letters: most of their longer words."""
    words = _long_words(lead.text) or _long_words(lead.name)
    random = sum(map(_looks_random, words))
    return 100 if words and random * 2 >= len(words) else 0


def _long_words(text: str | None) -> list[str]:
    return [word for word in _words(text) if len(word) >= _LEAST_LETTERS]


def _words(text: str | None) -> list[str]:
    """Return the words of a text without its links and addresses.

    >>> _words("See a.test/b. Or write to noor@a.test, please.")
    ['See', 'Or', 'write', 'to', 'please']
    """
    return _WORD.findall(_ADDRESS.sub(" ", text or ""))


def _looks_random(word: str) -> bool:
    """Return whether no language has such a word in Latin letters.

    >>> [_looks_random(word) for word in ("Workflows", "Abdulrahman", "McDonald", "ERP", "مرحبا")]
    [False, False, False, False, False]
    >>> [_looks_random(word) for word in ("xkqjwpd", "hYtRbNeQ", "zvbnfgtr")]
    [True, True, True]
    """
    if not word.isascii():
        return False
    lower = word.lower()
    return (
        (lower != word and len(_CHANGES.findall(word)) > 1)
        or bool(_CONSONANTS.search(lower))
        or len(_RARE_PAIRS.findall(lower)) > 1
    )


def _is_foreign(text: str) -> bool:
    """Return whether most letters are neither Latin nor Arabic."""
    if text.isascii():
        return False
    letters = {each: number for each, number in Counter(text).items() if each.isalpha()}
    foreign = sum(
        number for each, number in letters.items() if _script(each) not in _COMMON_SCRIPTS
    )
    return foreign * 2 > sum(letters.values())


def _mixes_scripts(word: str) -> bool:
    """Return whether a word has letters of two scripts that look alike.

    >>> _mixes_scripts("pаypal"), _mixes_scripts("paypal"), _mixes_scripts("نظامERP")
    (True, False, False)
    """
    return not word.isascii() and len(_LOOKALIKES.intersection(map(_script, word))) > 1


def _script(letter: str) -> str:
    """Return the first word of a letter's name, which is that of its script."""
    if letter.isascii():
        return "LATIN"
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "LATIN" if first in ("FULLWIDTH", "MODIFIER", "FEMININE", "MASCULINE") else first


SIZE = 12
"""The number of digests of a text: the smallest ones (a bottom-k sketch, Broder 1997)."""
_LEAST_WORDS = 8
"""Shorter messages are alike by chance: “Please call me back.”"""
_SEQUENCE = 3

_LINKS = re.compile(r"(?<!\S)\S+@\S+|https?://\S+|www\.\S+", re.IGNORECASE)


def sketch(text: str, digest: Callable[[str], str]) -> tuple[str, ...]:
    """Return the sketch of a text without its links, addresses and numbers; empty if it is short.

    >>> sketch("Please call me back.", str)
    ()
    """
    words = _WORD.findall(_LINKS.sub(" ", text).casefold())
    if len(words) < _LEAST_WORDS:
        return ()
    starts = range(len(words) - _SEQUENCE + 1)
    sequences = (" ".join(words[start : start + _SEQUENCE]) for start in starts)
    return tuple(sorted(set(map(digest, sequences)))[:SIZE])


def least_common(size: int) -> int:
    """Return how many digests two texts share if one is made from the other.

    >>> least_common(12), least_common(6)
    (5, 3)
    """
    return max(3, -(-size * 2 // 5))
