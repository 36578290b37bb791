"""An export of WordPress: its head, items that visitors could see, and what makes more."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Noor &amp; Sons</title><link>https://www.noor.example</link><description>Rooms</description>
<language>en-US</language><wp:base_blog_url>https://www.noor.example</wp:base_blog_url>
<wp:author><wp:author_login>sara</wp:author_login><wp:author_email>sara@noor.example</wp:author_email>
<wp:author_display_name>Sara Noor</wp:author_display_name></wp:author>
<wp:author><wp:author_login>owner</wp:author_login><wp:author_email>owner@noor.example</wp:author_email>
<wp:author_display_name>owner@noor.example</wp:author_display_name></wp:author>
<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>vat-news</wp:category_nicename>
<wp:category_parent></wp:category_parent><wp:cat_name>VAT</wp:cat_name>
<wp:category_description>About taxes.</wp:category_description></wp:category>
"""


def item(number: int, link: str, text: str = "", meta: Mapping[str, str] = {}, **more: str) -> str:
    """Return an item; a text in `terms` is XML."""
    terms = more.pop("terms", "")
    values = {
        "post_id": str(number),
        "post_date": "2024-01-02 09:00:00",
        "post_date_gmt": "2024-01-02 06:00:00",
        "post_name": link.rstrip("/").rpartition("/")[2],
        "status": "publish",
        "post_parent": "0",
        "menu_order": "0",
        "post_type": "post",
        "post_password": "",
    } | {key: value for key, value in more.items() if key not in ("title", "excerpt")}
    elements = "".join(f"<wp:{key}>{escape(value)}</wp:{key}>" for key, value in values.items())
    keys = "".join(
        f"<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value>{escape(value)}"
        "</wp:meta_value></wp:postmeta>"
        for key, value in meta.items()
    )
    url = link if ":" in link else f"https://www.noor.example{link}"
    return (
        f"<item><title>{escape(more.get('title', f'Title {number}'))}</title>"
        f"<link>{escape(url)}</link><dc:creator>sara</dc:creator>"
        f"<content:encoded><![CDATA[{text}]]></content:encoded>"
        f"<excerpt:encoded><![CDATA[{more.get('excerpt', '')}]]></excerpt:encoded>"
        f"{elements}{terms}{keys}</item>\n"
    )


def term(domain: str, slug: str, name: str = "") -> str:
    """Return a term of an item."""
    return f'<category domain="{domain}" nicename="{slug}">{name or slug}</category>'


PICTURE = "/wp-content/uploads/2024/01/room-300x200.png"
PAIR = term("post_translations", "pll_1")
ITEMS = [
    item(
        10,
        "/2024/01/hello/",
        f"<!-- wp:paragraph --><p>Hello <a href='https://noor.example/about/team/'>team</a>, "
        "<a href='/?p=11'>us</a>\x0b.</p><!-- /wp:paragraph --><!--more--><p>After | b</p>"
        f'<figure><img src="https://www.noor.example{PICTURE}" alt="Room"/>'
        "<figcaption>Our <em>room</em></figcaption></figure>"
        '<table><tr><th>A</th></tr><tr><td>x|y</td></tr></table><!-- wp:block {"ref":60} /-->'
        '<!-- wp:latest-posts /--><form action="mailto:owner@noor.example"><label>L</label></form>'
        '<audio controls src="/wp-content/uploads/2024/01/talk.mp3"></audio>',
        {
            "_thumbnail_id": "50",
            "_yoast_wpseo_metadesc": "For machines",
            "_yoast_wpseo_meta-robots-noindex": "1",
            "_wp_old_slug": "hallo",
            "price_from": "3",
            "_price_from": "field_1",
        },
        excerpt="In short",
        is_sticky="1",
        terms=term("category", "vat-news", "VAT") + term("post_tag", "tax", "Tax") + PAIR
        + term("language", "en"),
    ),
    item(
        11,
        "/ar/%d9%85%d8%b1%d8%ad%d8%a8%d8%a7/",
        "مرحبا\n\nسطر",
        post_name="%d9%85%d8%b1%d8%ad%d8%a8%d8%a7",
        title="مرحبا",
        terms=PAIR + term("language", "ar"),
    ),
    item(
        12,
        "/2024/01/classic/",
        '[caption id="a"]<img src="/wp-content/uploads/2024/01/room.png"/> Seen[/caption]\n\n'
        'One\n\n[gallery ids="50,51"]\n\n[contact-form-7 id="61" title="c"] [1] [sic]'
        " [box]kept[/box] [code lang='x']a[0] = [/code]\n\n[embed]https://youtu.be/abc_d[/embed]",
    ),
    item(20, "/", "Welcome words", post_type="page", title="Start"),
    item(21, "/about/", "About", post_type="page"),
    item(22, "/about/team/", "Team of one", post_type="page", post_parent="21"),
    item(23, "/jobs/", "Jobs", post_type="page"),
    item(24, "/jobs/team/", "Team of jobs", post_type="page", post_parent="23"),
    item(25, "/blog/", "", post_type="page"),
    item(30, "/tours/desert/", "Sand", post_type="tour"),
    item(31, "/tours/sea/", "Water", post_type="tour"),
    item(50, "/room/", "", {"_wp_attachment_image_alt": "A room"}, post_type="attachment",
         status="inherit", attachment_url="https://www.noor.example/wp-content/uploads/2024/01/room.png"),
    item(51, "/secret-file/", "", post_type="attachment", status="inherit", post_parent="70",
         attachment_url="https://www.noor.example/wp-content/uploads/2024/01/secret.png"),
    item(60, "/wp_block/x/", "<p>Pattern words</p>", post_type="wp_block"),
    item(80, "/?p=80", "", {"_menu_item_type": "post_type", "_menu_item_object_id": "22"},
         post_type="nav_menu_item", title="", terms=term("nav_menu", "main-menu"), menu_order="1"),
    item(81, "/?p=81", "", {"_menu_item_type": "post_type", "_menu_item_object_id": "70"},
         post_type="nav_menu_item", title="Hidden", terms=term("nav_menu", "main-menu")),
]  # fmt: skip
