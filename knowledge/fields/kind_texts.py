"""The interface texts that name a built-in kind, which a site may call otherwise, or not have.

A sentence cannot take any noun: Arabic has its gender and six plurals to agree with. So the name
stands alone or before a colon, or the text does without it.
"""

from collections.abc import Collection, Iterator, Mapping

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.interface_texts import name_of
from knowledge.fields.kinds import USE_LIST_WHEN, SiteKinds
from knowledge.locales.locale import Language, localized_text

_NAME = ("%(kind)s", "%(kind)s")
_IN_CITY = ("%(kind)s in %(city)s", "%(kind)s في %(city)s")
_COUNT = ("%(kind)s: %(num)s", "%(kind)s: %(num)s")
_SEE_ALSO, _SHOW_ALL = ("See also", "انظر أيضًا"), ("Show all", "عرض الكل")
_OVERVIEW = (USE_LIST_WHEN["en"], USE_LIST_WHEN["ar"])
_ABOUT = ("the question is about one of them", "يدور السؤال حول أحدها")

_TEXTS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "modules": {
        "Modules": _NAME,
        "All modules": _NAME,
        "Software modules": _NAME,
        "software modules": _NAME,
        "Modules used in %(city)s": _IN_CITY,
        "the question is about that module": _ABOUT,
        "you need an overview of the software modules": _OVERVIEW,
    },
    "industries": {
        "Industries": _NAME,
        "All industries": _NAME,
        "industries": _NAME,
        "Industries in %(city)s": _IN_CITY,
        "someone in that business asks what fits": _ABOUT,
        "you need an overview of the lines of business served": _OVERVIEW,
    },
    "cities": {
        "Cities": _NAME,
        "All cities": _NAME,
        "Our cities": _NAME,
        "someone asks where %(site)s can be reached": _OVERVIEW,
        "the reader is in that city": ("the reader is there", "يكون القارئ هناك"),
    },
    "products": {
        "Products": _NAME,
        _("Products", "llms.txt"): _NAME,
        "products and prices": _NAME,
        "Compare products": ("Compare", "مقارنة"),
        "Related products": _SEE_ALSO,
        "Show all products": _SHOW_ALL,
        "Choose other products": ("Choose others", "اختر غيرها"),
        "%(num)s product": _COUNT,
        "%(num)s product, priced for %(country)s": (
            "%(kind)s: %(num)s, priced for %(country)s",
            "%(kind)s: %(num)s، بأسعار %(country)s",
        ),
        "%(shown)s of %(num)s product": (
            "%(kind)s: %(shown)s of %(num)s",
            "%(kind)s: %(shown)s من %(num)s",
        ),
        "No product matches these filters.": (
            "Nothing matches these filters.",
            "لا شيء يطابق هذا الاختيار.",
        ),
        "There are no products here yet.": ("There is nothing here yet.", "لا شيء هنا بعد."),
        "These products do not exist:": ("Not found:", "غير موجود:"),
        "Up to %(num)s products can be compared. Please leave some out:": (
            "Only %(num)s can be compared at once. Please leave some out:",
            "الحد الأقصى للمقارنة: %(num)s. يرجى إلغاء بعض ما اخترته:",
        ),
        "Choose up to %(num)s products in the list to compare them.": (
            "Choose what to compare in the list, %(num)s at most.",
            "اختر من القائمة ما تريد مقارنته. الحد الأقصى: %(num)s.",
        ),
        "its price or details are asked for": (
            "its price or details are asked for",
            "يُسأل عن السعر أو المواصفات",
        ),
        "you compare products and their prices": ("you compare prices", "تقارن بين الأسعار"),
    },
    "posts": {
        "Blog": _NAME,
        "Articles": _NAME,
        "articles": _NAME,
        "From the blog": _NAME,
        "Blog of %(name)s": ("%(kind)s – %(name)s", "%(kind)s – %(name)s"),
        "All articles": _SHOW_ALL,
        "Show all articles": _SHOW_ALL,
        "Search the articles": ("Search: %(kind)s", "البحث: %(kind)s"),
        "%(num)s article": _COUNT,
        "%(num)s article found for “%(term)s”": (
            "Found for “%(term)s”: %(num)s",
            "نتائج البحث عن «%(term)s»: %(num)s",
        ),
        "No articles here": ("Nothing here", "لا شيء هنا"),
        "Newer article": ("Newer", "الأحدث"),
        "Newer articles": ("Newer", "الأحدث"),
        "Older article": ("Older", "الأقدم"),
        "Older articles": ("Older", "الأقدم"),
        "More articles": ("More", "المزيد"),
        "Popular by category": ("Popular by category", "الأكثر حسب التصنيف"),
        "Related articles": _SEE_ALSO,
        "Share this article": ("Share", "مشاركة"),
        "an article answers the question": (
            "one of them answers the question",
            "يجيب أحدها عن السؤال",
        ),
        "you look for articles, newest first": ("you look for the newest", "تبحث عن الأحدث"),
        "you look for articles on a topic or by an author": (
            "you look for texts on a topic or by an author",
            "تبحث عن نصوص في موضوع أو لكاتب",
        ),
    },
    "testimonials": {
        "Customer stories": _NAME,
        "Testimonials": _NAME,
        "All customer stories": _SHOW_ALL,
        "you need customers' own words": (
            "you need customers' own words",
            "تحتاج إلى كلام العملاء بلفظهم",
        ),
        "There are no stories here yet.": ("There is nothing here yet.", "لا شيء هنا بعد."),
    },
}
"""By kind and message the text that replaces it, in English and Arabic."""

_OTHERS: Mapping[str, tuple[str, ...]] = {
    "modules": (
        "Ask for a demo",
        "Book a demo",
        (
            "For a demo or an enquiry: the form at %(form)s, or for a person who asked for it"
            " `POST %(leads)s` with JSON: `email` (required), `topic`, such as `demo`, and"
            " `message`."
        ),
        "someone asks how software and hardware are bought or rented",
        "someone asks what the ERP system does and for whom",
    ),
    "products": (
        "Orders and products for ERP systems",
        "Status of the ERP integration",
        (
            "you need to know whether the partner interface is configured: ask /api/erp/status,"
            " which is open to all"
        ),
        (
            "you work for an approved partner: /api/orders, /api/products and"
            " /api/erp/orders/ need a partner token as bearer or as X-Ecom-Api-Token"
        ),
    ),
}
"""Further messages by the kind without which a site has no use for them."""


def words_of(kinds: Collection[AnyContentType]) -> frozenset[str]:
    """Return the words of `site/words.md` that only sites with these kinds need, in snake case."""
    folders = [kind.folder for kind in kinds]
    messages = (
        each for name in folders for each in (*_TEXTS.get(name, ()), *_OTHERS.get(name, ()))
    )
    return frozenset(map(name_of, messages))


def renamed_texts(kinds: SiteKinds, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the messages that name a kind which the site renames, each with its text."""
    for name, declared in kinds.renamed.items():
        plural = localized_text(declared.plural, language)
        for message, (english, arabic) in _TEXTS.get(name, {}).items():
            text = english if language is Language.EN else arabic
            rest = text.replace("%(kind)s", "")
            name_in_text = plural.replace("%", "%%") if "%(" in rest else plural
            yield message, text.replace("%(kind)s", name_in_text)
