"""What a lead says, judged by rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from time import thread_time

import pytest
from cases import cases

from app.features.leads.model import THRESHOLD, Lead, Reason
from app.features.leads.spam_rules import judge_content, sketch


def lead(message: str = "", email: str = "noor@trading.example", name: str | None = None) -> Lead:
    """Return a lead with a message."""
    return Lead(email=email, message=message or None, name=name)


@cases(
    ("reason", "sent"),
    [
        pytest.param(Reason.LINKS, lead("a https://a.test b www.b.test c c.com"), id="links"),
        pytest.param(Reason.LINKS, lead("hello", name="Win at prize.com"), id="link as name"),
        pytest.param(Reason.MARKUP, lead("[url=http://a.test]a[/url]"), id="markup"),
        pytest.param(Reason.PHRASES, lead("Cheap SEO and guest posts"), id="offer"),
        pytest.param(Reason.GIBBERISH, lead("xkqjwpd zvbnfgtr"), id="random letters"),
        pytest.param(Reason.GIBBERISH, lead(name="hYtRbNeQkL"), id="random name"),
        pytest.param(Reason.SCRIPT, lead("Купить дешево сегодня"), id="another script"),
        pytest.param(Reason.MIXED_SCRIPTS, lead("Sign in to pаypal"), id="Cyrillic a in a word"),
    ],
)
def test_each_rule_alone_puts_into_quarantine(reason: Reason, sent: Lead) -> None:
    """With the reason, so that people can judge the rule."""
    assert judge_content(sent)[reason] >= THRESHOLD


@cases(
    ("points", "sent"),
    [
        pytest.param({}, lead("We have 14 branches. Can we see the POS?"), id="English"),
        pytest.param({}, lead("نحتاج إلى نظام ERP لفرعين في الرياض"), id="Arabic with Latin"),
        pytest.param({}, lead("See https://www.trading.example/menu"), id="the sender's site"),
        pytest.param({}, lead(name="عبدالرحمن Al-Qahtani"), id="name in two scripts"),
        pytest.param({}, lead(), id="an address only"),
        pytest.param({Reason.LINKS: 20}, lead("Like https://a.test/x"), id="one link"),
        pytest.param({Reason.PHRASES: 50}, lead("Does the shop help with SEO?"), id="one subject"),
        pytest.param(
            {Reason.DISPOSABLE: 70}, lead("Hello", "a@mailinator.com"), id="disposable address"
        ),
    ],
)
def test_a_sign_that_enquiries_have_too_is_not_enough(
    points: dict[Reason, int], sent: Lead
) -> None:
    """Below the threshold alone."""
    assert judge_content(sent) == points
    assert sum(points.values()) < THRESHOLD


@cases(
    "offer",
    [
        "Guest posts on our site",
        "Your ranking in Google",
        "سيو للمتاجر",
        "Bitcoin and Forex",
        "Guaranteed returns",
        "Our casino is open",
        "Business loans at once",
        "You have won",
        "To unsubscribe, write to us",
    ],
)
@cases(
    "write",
    [
        pytest.param(str.lower, id="lower case"),
        pytest.param(str.upper, id="upper case"),
        pytest.param(lambda text: text.replace("i", "ı"), id="dotless i"),
        pytest.param(lambda text: text.upper().replace("I", "İ"), id="dotted I"),
        pytest.param(lambda text: text.replace("s", "ſ"), id="long s"),
    ],
)
def test_an_offer_is_one_in_any_letter_case(offer: str, write: Callable[[str], str]) -> None:
    """Also with letters that are others only by case."""
    assert Reason.PHRASES in judge_content(lead(write(offer)))


SHAPES = ["".join(each) for count in (1, 2, 3) for each in product("a.-@/:w", repeat=count)]


def seconds(shape: str, length: int) -> float:
    """Return the CPU time of judging a message that repeats a shape."""
    judged, began = lead((shape * length)[:length]), thread_time()
    judge_content(judged)
    sketch(judged.text, str)
    return thread_time() - began


def test_no_message_takes_long_to_judge() -> None:
    """Whatever its longest form repeats of what links consist of: a second, before."""
    slow = [shape for shape in SHAPES if seconds(shape, 5_000) > 0.02]
    assert [each for each in slow if min(seconds(each, 5_000) for _ in range(3)) > 0.02] == []


def test_a_link_may_begin_behind_any_sign_but_those_of_a_name() -> None:
    """A part of a name with hyphens is no link of its own."""
    assert judge_content(lead("see (spam-shop.com), please"))[Reason.LINKS] == 20
    assert judge_content(lead("mail to noor@x-shop.com, please")) == {}
