"""Explanations of the kinds of problems, as `majlis check --explain` prints them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind


@dataclass(frozen=True, slots=True)
class Explanation:
    """What follows from a problem and what to do about it, and files of a folder that has it."""

    text: str
    example: Mapping[str, str] = field(default_factory=dict)
    """Texts by path; empty if no text shows the problem, as with pictures."""


def _post(keys: str, body: str = "") -> dict[str, str]:
    return {"posts/hello.md": f"---\ntitle: Hello\n{keys}---\n{body}"}


def _page(body: str, suffix: str = "") -> dict[str, str]:
    return {f"pages/about{suffix}.md": f"---\ntitle: About us\n---\n{body}"}


EXPLANATIONS: Mapping[Kind, Explanation] = {
    Kind.UNREADABLE_FILE: Explanation(
        "The service leaves the file out. Let its user read the file, or remove what is not a "
        "regular file."
    ),
    Kind.INVALID_SYMLINK: Explanation(
        "The service follows no link to a folder, and none that leads out of the content folder, "
        "since a link could publish any file of the machine. Put a copy in its place."
    ),
    Kind.INVALID_FILE_NAME: Explanation(
        "The name of a file becomes a part of its address, so it needs a letter or a digit and "
        "must be UTF-8 without control characters. Rename the file.",
        {"pages/---.md": "---\ntitle: About us\n---\n"},
    ),
    Kind.MIXED_SCRIPTS: Explanation(
        "Letters of two scripts may look the same, so that readers take the address for another "
        "one. Write each word in one script, and join words of two scripts by a hyphen.",
        {"pages/\u0440\u0430\u0443pal.md": "---\ntitle: Payments\n---\n"},
    ),
    Kind.INVISIBLE_CHARACTER: Explanation(
        "Nobody sees a character without width or one that turns the direction of a text, so that "
        "two addresses look the same. Rename the file, or type the address again.",
        {"pages/about\u200bus.md": "---\ntitle: About us\n---\n"},
    ),
    Kind.INVALID_ENCODING: Explanation(
        "The service reads UTF-8 only, and leaves the file out. Save it as UTF-8 in your editor, "
        "and delete NUL characters.",
        _page("A NUL character: \0\n"),
    ),
    Kind.BYTE_ORDER_MARK: Explanation(
        "The file is served without the mark, which other programs may show. Save it as UTF-8 "
        "without BOM.",
        {"pages/about.md": "\ufeff---\ntitle: About us\n---\n"},
    ),
    Kind.EMPTY_FILE: Explanation(
        "A file without text is no page. Write a title into it, or delete it.",
        {"pages/about.md": ""},
    ),
    Kind.TOO_LARGE: Explanation(
        "A document may have 4 MiB, its front matter 256 KiB, and a picture or download 32 MiB. "
        "Split the file, or move texts from the front matter into the body.",
    ),
    Kind.UNKNOWN_FOLDER: Explanation(
        "Only files in the folders of content types and of declared kinds are served. Move the "
        "file, or declare its folder in `_kinds/`. Names that begin with `_` and copies that "
        "programs make are ignored on purpose.",
        {"stories/hello.md": "---\ntitle: Hello\n---\n"},
    ),
    Kind.INVALID_TEMPLATE: Explanation(
        "Pages are shown with the built-in template until the file is right. Correct the line "
        "that is named, or delete the file.",
        {"_templates/post.html": "{% if %}\n"},
    ),
    Kind.UNSERVED_FILE: Explanation(
        "`_static/` is for stylesheets, fonts, images and downloads; other types would let "
        "content run programs in browsers. Convert the file, or remove it.",
        {"_static/site.exe": "x"},
    ),
    Kind.INVALID_KIND: Explanation(
        "The kind has no pages until its declaration is right, or keeps the last good one. "
        "Correct the key that is named.",
        {"_kinds/doctors.md": "---\nsingular: Doctor\nplural: Doctors\npath: /blog\n---\n"},
    ),
    Kind.INVALID_FORM: Explanation(
        "A part of the form has no effect, or nobody can answer what it sends. A form needs a "
        "required field with an e-mail address or a telephone number.",
        {"forms/visit.md": "---\ntitle: Visit\nfields:\n  name: { type: text }\n---\n"},
    ),
    Kind.UNKNOWN_SITE_FILE: Explanation(
        "`site/` has a few files with fixed names, and any other is ignored. Rename the file.",
        {"site/menu.md": "---\ntitle: Menu\n---\n"},
    ),
    Kind.UNCLOSED_FRONT_MATTER: Explanation(
        "The service cannot tell keys from text. Write the closing line below the last key.",
        {"pages/about.md": "---\ntitle: About us\n\nText.\n"},
    ),
    Kind.INVALID_YAML: Explanation(
        "The file is left out, or its last good version stays. The usual causes are a colon in a "
        "value without quotes, and a tab in the indentation; `majlis check --fix` mends both.",
        {"pages/about.md": "---\ntitle: Wahat: the company\n---\n"},
    ),
    Kind.INVALID_TOML: Explanation(
        "The file is left out, or its last good version stays. Texts of TOML are in quotes.",
        {"pages/about.md": "+++\ntitle = About us\n+++\n"},
    ),
    Kind.INVALID_FRONT_MATTER: Explanation(
        "Front matter is a list of keys, each with a value. Write `title: …` and other keys, "
        "without a list around them and at most 32 levels deep.",
        {"pages/about.md": "---\n- About us\n---\n"},
    ),
    Kind.DUPLICATE_KEY: Explanation(
        "Nobody can know which of the two values is meant, so the file is left out or its last "
        "good version stays. Delete one line.",
        _post("title: Welcome\n"),
    ),
    Kind.INVALID_VALUE: Explanation(
        "The key exists, but not with this value. The message says what is allowed. An error "
        "leaves the file out; a warning leaves out the value alone.",
        _post("publishedAt: next Tuesday\n"),
    ),
    Kind.HIJRI_DATE: Explanation(
        "The date is shown centuries ago. Write it in the Gregorian calendar, or `hijri: true` in "
        "`site/settings.md`, which reads all such years in the calendar of Umm al-Qura.",
        _post("publishedAt: 1447-07-10\n"),
    ),
    Kind.UNSTATED_OFFSET: Explanation(
        "The time is read in UTC, and pages show it hours later than it is written. Write it with "
        "the offset of the place where it is, such as `2026-12-03T18:00:00+04:00`.",
        {
            "_kinds/events.md": "---\nsingular: { en: Event, ar: فعالية }\n"
            "plural: { en: Events, ar: الفعاليات }\ndate: startsAt\n"
            "fields: { startsAt: { type: date } }\n---\n",
            "events/oud.md": "---\ntitle: Oud\nstartsAt: 2026-12-03T18:00\n---\nText.\n",
        },
    ),
    Kind.INVALID_COLOUR: Explanation(
        "The theme keeps its default colour. YAML reads a bare `#` as a comment, so the digits "
        "need quotes.",
        {"site/theme.md": "---\naccent: teal\n---\n"},
    ),
    Kind.LOW_CONTRAST: Explanation(
        "Many people could not read such a text, so pages show the nearest colour that can be "
        "read. Take the colour that the message names.",
        {"site/theme.md": '---\naccent: "#ffee88"\n---\n'},
    ),
    Kind.INVALID_FONT: Explanation(
        "Pages use the default font. Every browser reads WOFF2, and other formats are larger.",
        {"site/theme.md": "---\nfonts:\n  latin: { body: /fonts/own.ttf }\n---\n"},
    ),
    Kind.MISSING_FONT: Explanation(
        "Pages use the default font. The path begins at the content folder.",
        {"site/theme.md": "---\nfonts:\n  latin: { body: /fonts/own.woff2 }\n---\n"},
    ),
    Kind.MISSING_LOGO: Explanation(
        "Pages show another logo, or the name of the site. The path begins at the content folder.",
        {"site/theme.md": "---\nlogo:\n  light: /images/logo.svg\n---\n"},
    ),
    Kind.UNKNOWN_KEY: Explanation(
        "The key has no effect, and is often a typing error. Write the name that is proposed, or "
        "declare the field in the file of the kind. Documents of built-in types may have any key.",
        {"_kinds/doctors.md": "---\nsingular: Doctor\nplural: Doctors\nfeilds: {}\n---\n"},
    ),
    Kind.UNQUOTED_VALUE: Explanation(
        "Majlis reads the value as text, but YAML has numbers, dates and yes or no, so another "
        "program reads something else. `majlis check --fix` adds the quotes.",
        {"pages/about.md": "---\ntitle: 1.10\n---\n"},
    ),
    Kind.UNCLEAR_PUBLICATION: Explanation(
        "The document is public although a key may say otherwise. If it must be hidden, write "
        "`published: false`.",
        _post("hiddenInLists: true\n"),
    ),
    Kind.WITHHELD: Explanation(
        "The document is not published, as a key says that it is not finished or not for all, or "
        "has a value that is not understood. If it is public, remove the key.",
        _post("password: swordfish\n"),
    ),
    Kind.CONTROL_CHARACTER: Explanation(
        "The characters are not served, because they change what a terminal or a program does. "
        "They often come from copied text: type the value again.",
        _post('excerpt: "In\\u0007 short"\n'),
    ),
    Kind.IGNORED_SLUG: Explanation(
        "Files in this folder are known by their names, to which other files refer.",
        {"site/settings.md": "---\nslug: our-settings\n---\n"},
    ),
    Kind.SLUG_CONFLICT: Explanation(
        "The languages of one page have one address. Set `slug` in the file of the main language "
        "and nowhere else.",
        {
            "pages/about.md": "---\ntitle: About us\nslug: us\n---\n",
            "pages/about.ar.md": "---\ntitle: من نحن\nslug: we\n---\n",
        },
    ),
    Kind.DUPLICATE_SLUG: Explanation(
        "Two files claim one page in one language; the first by name is served.",
        {
            "pages/about.md": "---\ntitle: About us\n---\n",
            "pages/us.md": "---\ntitle: Us\nslug: about\n---\n",
        },
    ),
    Kind.RESERVED_ADDRESS: Explanation(
        "The site itself answers this address, so nobody would see the page. Rename the file or "
        "give it another `slug`.",
        {"pages/blog.md": "---\ntitle: Blog\n---\n"},
    ),
    Kind.PRIVATE_ADDRESS: Explanation(
        "The file robots.txt names `privatePaths` of `site/settings.md`, and `/account`, "
        "`/cart` and `/checkout` of a site with products that names none. Maps, search and menus "
        "leave such a page out. Rename it, or write the list of private paths without it.",
        {
            "pages/account.md": "---\ntitle: Open an account\n---\n",
            "site/settings.md": "---\nprivatePaths:\n  /account: what a customer sees\n---\n",
        },
    ),
    Kind.DUPLICATE_ADDRESS: Explanation(
        "A page and a file of `registry/` have the same name, and that of `registry/` is served. "
        "Rename one of them.",
        {
            "pages/pricing.md": "---\ntitle: Pricing\n---\n",
            "registry/pricing.md": "---\ntitle: Pricing\n---\n",
        },
    ),
    Kind.UNKNOWN_COUNTRY: Explanation(
        "A file in `countries/` opens the site for the country of its name. Name it by the code of "
        "ISO 3166.",
        {"countries/emirates.md": "---\ntitle: Emirates\n---\n"},
    ),
    Kind.UNSTATED_LANGUAGE: Explanation(
        "A file without a language in its name has the main language of the site, but its letters "
        "say another one. State it, as later edits could change it.",
        _page("نبيع أنظمة نقاط البيع للمتاجر في الخليج.\n")
        | {"site/settings.md": "---\nlang: en\n---\n"},
    ),
    Kind.FOUND_LANGUAGE: Explanation(
        "Nothing states the main language, so the service takes that of the texts. Later texts "
        "could change it: state it once.",
        {"pages/about.md": "---\ntitle: من نحن\n---\nنبيع أنظمة نقاط البيع للمتاجر.\n"},
    ),
    Kind.CITY_WITHOUT_COUNTRY: Explanation(
        "The address of a city begins with its country, so a city needs `countryCode` and a file "
        "in `countries/`.",
        {
            "cities/riyadh.md": "---\ntitle: Riyadh\n---\n",
            "countries/sa.md": "---\ncode: SA\n---\n",
        },
    ),
    Kind.MISSING_BASE: Explanation(
        "A file for one country or city changes a page that all others see, and that page is "
        "missing.",
        {
            "pages/offer.sa.md": "---\ntitle: Offer\n---\n",
            "countries/sa.md": "---\ncode: SA\n---\n",
        },
    ),
    Kind.MISSING_FIELD: Explanation(
        "The page is shown, but a part of it is empty. Add the key.",
        {"testimonials/noor.md": "---\nname: Noor\n---\n"},
    ),
    Kind.UNKNOWN_REFERENCE: Explanation(
        "The page is shown without the part that the slug names. Correct the slug, or write the "
        "file that it names.",
        _page(":::{form} Ask us\n:form: visit\n:::\n"),
    ),
    Kind.WRONG_DECIMALS: Explanation(
        "Prices are shown as they are written: the dinar of Kuwait has three decimals, the dirham "
        "two. Write as many as the currency has.",
        {"products/till.md": '---\ntitle: Till\nprices:\n  KWD: "99.50"\n---\n'},
    ),
    Kind.MISSING_VAT_RATE: Explanation(
        "Pages show prices without a word about VAT, since what they said could be untrue. Write "
        "the rate of the country in percent, or 0 if it has no VAT.",
        {
            "countries/sa.md": "---\ncode: SA\n---\n",
            "products/till.md": '---\ntitle: Till\nid: 7\nprices: { SAR: "99.00" }\n---\n',
        },
    ),
    Kind.MISSING_MARKUP: Explanation(
        "Google shows no rich result of such a page. Declare a field for the property that is "
        "named, or give it a value, or remove `schemaType`.",
        {
            "_kinds/jobs.md": "---\nsingular: Job\nplural: Jobs\nschemaType: JobPosting\n"
            "date: publishedAt\n---\n"
        },
    ),
    Kind.DUPLICATE_PRODUCT_ID: Explanation(
        "Partners and feeds would take the two products for one.",
        {
            "products/till.md": "---\ntitle: Till\nid: 7\n---\n",
            "products/scanner.md": "---\ntitle: Scanner\nid: 7\n---\n",
        },
    ),
    Kind.SIMILAR_NAMES: Explanation(
        "A comparison of products has a row for each name, and the values would stand in two rows.",
        {
            "products/till.md": "---\ntitle: Till\nspecs: [{ name: Port, value: USB }]\n---\n",
            "products/scan.md": "---\ntitle: Scan\nspecs: [{ name: Ports, value: USB }]\n---\n",
        },
    ),
    Kind.CIRCULAR_REPLACEMENT: Explanation(
        "Each product sends its readers to the next one. The product that is sold today has no "
        "`replacedBy`.",
        {
            "products/till.md": "---\ntitle: Till\nreplacedBy: scanner\n---\n",
            "products/scanner.md": "---\ntitle: Scanner\nreplacedBy: till\n---\n",
        },
    ),
    Kind.FAILED_MARKDOWN: Explanation(
        "Readers see the signs themselves. Stars next to a letter or a quotation mark are the "
        "usual cause: move the mark out of them.",
        _page("و**«الاسم»**هنا\n", ".ar"),
    ),
    Kind.UNLINKED_SCHEME: Explanation(
        "Pages link web addresses, mail and telephone numbers. Other schemes start programs on "
        "the reader's device, so their text is shown without a link.",
        _page("[Call](skype:wahat)\n"),
    ),
    Kind.BROKEN_LINK: Explanation(
        "Readers get a page that says that there is nothing. Links inside the site are written "
        "without country and language, or as the path of the file.",
        _page("See [it](/no-page).\n"),
    ),
    Kind.UNPUBLISHED_LINK: Explanation(
        "The page exists, but not in this language, or not today. Publish it, or remove the link.",
        _page("See [the plan](/plan).\n")
        | {"pages/plan.md": "---\ntitle: Plan\npublished: false\n---\n"},
    ),
    Kind.BROKEN_ANCHOR: Explanation(
        "The link opens the page at its top. Headings give their ids; `{#id}` sets one.",
        _page("See [prices](#prices).\n"),
    ),
    Kind.BROKEN_MENU_LINK: Explanation(
        "Each page has the menu, so each page has the broken link.",
        {
            "site/navigation.md": "---\nheaderLinks:\n- { id: a, href: /about }\n---\n",
            "pages/page.md": "---\ntitle: A page\n---\n",
        },
    ),
    Kind.BROKEN_IMAGE: Explanation(
        "Readers see the alternative text in place of the picture. The path begins at the content "
        "folder, or at the file that names it.",
        _page("![Our office](/images/office.jpg)\n"),
    ),
    Kind.UNREADABLE_IMAGE: Explanation(
        "Browsers cannot show the picture, or only a part of it, and no smaller ones are made.",
        _page("![Our office](/images/office.png)\n") | {"images/office.png": "cut off"},
    ),
    Kind.MISLABELLED_IMAGE: Explanation(
        "The picture is sent as what its name says, and a browser may refuse it.",
    ),
    Kind.TOO_MANY_PIXELS: Explanation(
        "To decode such a picture takes so much memory that the service refuses it. Save a smaller "
        "one: no screen shows as many pixels.",
    ),
    Kind.MISSING_ALT_TEXT: Explanation(
        "People who cannot see the picture, and agents, learn nothing of it. Describe what it "
        "shows.",
        _page("![](/images/office.svg)\n") | {"images/office.svg": "<svg/>"},
    ),
    Kind.DUPLICATE_SECTION_ID: Explanation(
        "A link can lead to one of the two only, and another country could not replace the second.",
        _page("## Hours {#hours}\n\nText.\n\n## Times {#hours}\n\nText.\n"),
    ),
    Kind.MISSING_SECTION_ID: Explanation(
        "Links to the section lead to its original only. `majlis check --fix` adds the id where "
        "both files have the same sections.",
        _page("## Our team {#team}\n\nText.\n")
        | {"pages/about.ar.md": "---\ntitle: من نحن\n---\n## فريقنا\n\nنص.\n"},
    ),
    Kind.UNKNOWN_SECTION_ID: Explanation(
        "The section is placed at the end of the page instead.",
        _page("## Hours\n\nText.\n")
        | {
            "pages/about.sa.md": ":::{stats} Facts\n:after: prices\n- **9**: shops\n:::\n",
            "countries/sa.md": "---\ncode: SA\n---\n",
        },
    ),
    Kind.INCOMPLETE_SECTION: Explanation(
        "The section is shown, but without what makes it useful. The message says what is missing.",
        _page(":::{cta} Ask us\nNow.\n:::\n"),
    ),
    Kind.UNKNOWN_DIRECTIVE: Explanation(
        "The lines are shown as text. Check the name in the first line.",
        _page(":::{statistics} Facts\n- **9**: shops\n:::\n"),
    ),
    Kind.UNCLOSED_DIRECTIVE: Explanation(
        "All that follows in the file counts as a part of the directive.",
        _page(":::{stats} Facts\n- **9**: shops\n"),
    ),
    Kind.NESTED_DIRECTIVES: Explanation(
        "Directives stand inside each other a few levels deep only. Pages show the rest as text.",
        _page(
            "".join(f"{':' * (12 - n)}{{cta}} A\n" for n in range(9))
            + "Text\n"
            + "".join(f"{':' * n}\n" for n in range(4, 13))
        ),
    ),
    Kind.MISSING_TRANSLATION: Explanation(
        "Readers of that language get the page in the other one, and it says so. Nothing needs to "
        "be done if that is wanted.",
        _page("Text.\n") | {"pages/page.md": "---\ntitle: { en: A page, ar: صفحة }\n---\n"},
    ),
    Kind.OUTDATED_TRANSLATION: Explanation(
        "The original was changed after its translation, by the dates in `updatedAt`.",
        {
            "pages/about.md": "---\ntitle: About us\nupdatedAt: 2026-05-02\n---\nText.\n",
            "pages/about.ar.md": "---\ntitle: من نحن\nupdatedAt: 2026-05-01\n---\nنص.\n",
        },
    ),
    Kind.SCHEDULED: Explanation(
        "The document appears or disappears by itself at that time. `majlis preview` shows it "
        "before.",
        _post("publishedAt: 2999-01-01\n"),
    ),
    Kind.INVALID_AUTHORS: Explanation(
        "Posts show the keys in place of names. Write each author as a key with its fields.",
        {"posts/authors.yml": "- Salma\n", **_post("")},
    ),
    Kind.UNDATED_POSTS: Explanation(
        "The order of the blog is that of its dates. A post without `publishedAt` has the date of "
        "its first commit, if the folder is kept in git.",
        _post(""),
    ),
    Kind.FOREIGN_SYNTAX: Explanation(
        "Tags and shortcodes of other generators run programs that Majlis does not have, so pages "
        "leave them out. Write the same in markdown or as a section.",
        _page("Before {% include video.html %} after.\n"),
    ),
    Kind.UNREADABLE_FORMULA: Explanation(
        "Readers see the source of the formula. Not every command of LaTeX is known.",
        _page("$$\\frac{1}{$$\n"),
    ),
    Kind.REMOVED_HTML: Explanation(
        "Pages have no scripts, frames or forms of an author. Use markdown, a section or a form "
        "of the site.",
        _page("Text.\n\n<script>alert(1)</script>\n"),
    ),
    Kind.INVALID_OLD_ADDRESS: Explanation(
        "The address leads nowhere. An old address is a path of this site, with a slash at its "
        "beginning.",
        _post("aliases: /blog?p=7\n"),
    ),
    Kind.DUPLICATE_OLD_ADDRESS: Explanation(
        "One address leads to one page only.",
        {
            "posts/hello.md": "---\ntitle: Hello\naliases: /old\n---\n",
            "posts/welcome.md": "---\ntitle: Welcome\naliases: /old\n---\n",
        },
    ),
    Kind.INVALID_REDIRECT: Explanation(
        "The other lines of the file are used. A line has an old path, a new address and a status.",
        {"_redirects": "/old /new 200\n"},
    ),
    Kind.UNUSED_REDIRECT: Explanation(
        "No visitor gets anything from the line: its target is missing, an earlier line has the "
        "same path, or a page has it.",
        {"_redirects": "/old /no-page 301\n"},
    ),
    Kind.INVALID_SYNONYMS: Explanation(
        "Search works without the line.",
        {"_synonyms.txt": "value added tax\n"},
    ),
    Kind.AVOIDED_TERM: Explanation(
        "The glossary of the site has another word for it. Use that, or change the glossary.",
        _page("Ask for a booking slot.\n")
        | {
            "_glossary.md": "| English | Arabic | Not to be used |\n|---|---|---|\n"
            "| appointment | موعد | booking slot |\n"
        },
    ),
    Kind.ARABIC_STYLE: Explanation(
        "A site with a glossary is checked by rules of written Arabic: signs, duals, how a text "
        "addresses its reader, and one spelling of a word with a shadda. The row `pairs` has words "
        "that are two.",
        _page("تواصل معنا اليوم, ونجيبك غدًا.\n", ".ar")
        | {
            "_glossary.md": "| English | Arabic | Not to be used |\n|---|---|---|\n"
            "| appointment | موعد | booking slot |\n"
        },
    ),
    Kind.INVALID_GLOSSARY: Explanation(
        "The check ignores the row. Each row of the table has three to five cells.",
        {"_glossary.md": "| English | Arabic | Not to be used |\n|---|---|---|\n| cashier |\n"},
    ),
    Kind.UNRENDERABLE: Explanation(
        "Lists, search and sitemaps leave the document out, and its own page answers 500. It is a "
        "fault of Majlis: please report it with the file.",
    ),
    Kind.NOT_RENDERED: Explanation(
        "The check renders at most 4,000 pages. What it says of the files themselves is complete.",
    ),
}
"""Each kind has one, and each example yields its kind."""
