"""A finished game walked through by keyboard, in both languages, on a desk and on a phone; and what axe says of it."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Staff, log_in
from tests.browser.replays import Game, game
from tests.e2e.system import System

PHONE = {"width": 360, "height": 740}
MOST_BYTES = 100_000
__all__ = ["game"]  # a fixture of this module


def at(page: Page, version: int) -> None:
    """The page shows this event."""
    expect(page.locator("#moves [aria-current=step]")).to_have_id(f"v={version}")


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#moves [aria-current=step]")).to_have_count(1)


# ---- by keyboard


@pytest.mark.parametrize(
    ("language", "on", "back"), [("en", "ArrowRight", "ArrowLeft"), ("he", "ArrowLeft", "ArrowRight")]
)
def test_a_game_is_walked_through_by_keyboard_alone(
    browser_page: Page, game: Game, language: str, on: str, back: str
) -> None:
    """Forwards, backwards, by turns, to windows, to both ends, playing, through other eyes; Hebrew from the right."""
    page = browser_page
    opened(page, game.path(f"?lang={language}"))
    keys = page.keyboard
    at(page, 1)
    keys.press(on)
    keys.press(on)
    at(page, 5)  # clock and proof, 2 and 4, are stepped over
    keys.press(back)
    keys.press("PageDown")
    at(page, game.first("TurnPassed"))
    keys.press("w")
    at(page, game.first("WindowOpened"))
    expect(page.locator("#finish-body")).to_contain_text(str(game.first("WindowOpened")))
    keys.press("2")
    expect(page.get_by_label("Look through" if language == "en" else "לראות בעיני")).to_have_value("2")
    expect(page.locator(".seat.own .who")).to_have_text("Dana")
    keys.press("s")
    expect(page.locator("#eyes")).to_have_value("spectator")
    keys.press("a")
    expect(page.locator("#eyes")).to_have_value("all")
    keys.press("End")
    expect(page.locator("#said")).to_contain_text("wins" if language == "en" else "ניצחון")
    expect(page.locator(".tag.win")).to_have_count(1)
    keys.press("Home")
    at(page, 1)
    keys.press("g")
    keys.type("20")
    keys.press("Enter")
    at(page, 20)
    page.locator("#jump").blur()
    for _ in range(4):
        keys.press("+")
    expect(page.locator("#speed")).to_have_value("10")
    keys.press("Space")
    expect(page.locator("#replay")).to_have_class(re.compile("playing"))
    page.wait_for_function("() => Number(document.querySelector('#moves [aria-current]').id.slice(2)) >= 26")
    keys.press("Space")
    expect(page.locator("#replay")).not_to_have_class(re.compile("playing"))


def test_what_is_notable_is_jumped_to(browser_page: Page, game: Game) -> None:
    """Cleared stages, settled windows, the end: by one choice, each with its sentence; it follows the reader."""
    page = browser_page
    opened(page, game.path())
    choice = page.get_by_label("Jump to")
    cleared = game.first("StageCleared")
    expect(choice.locator(f"option[value='{cleared}']")).to_contain_text("goes on to stage")
    choice.select_option(str(cleared))
    at(page, cleared)
    page.locator("[data-act=last]").click()
    expect(choice).to_have_value(str(game.first("GameEnded")))


def test_tab_goes_through_everything_and_out_again(browser_page: Page, game: Game) -> None:
    """No trap; every stop has a name; the list of moves is one stop and not one for each move."""
    page = browser_page
    opened(page, game.path())
    stops: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                """() => { const e = document.activeElement; if (e === document.body) return "";
                return (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent
                || e.getAttribute("aria-labelledby") || "?").trim().slice(0, 60); }"""
            )
        )
        if stops[-1] == "" and len(stops) > 1:
            break
    assert stops[-1] == "", stops
    assert stops[0] == "To the list of moves"
    assert {"Play", "Next event", "End", "Copy link", "Check the chain in this browser"} <= set(stops)
    assert "?" not in stops
    assert len(stops) < 35


def test_keys_that_belong_to_fields_stay_theirs(browser_page: Page, game: Game) -> None:
    """In the number field digits are digits; letters can be switched off; browser combinations are let through."""
    page = browser_page
    opened(page, game.path("", v=10))
    page.locator("#jump").fill("")
    page.keyboard.type("12")
    expect(page.locator("#eyes")).to_have_value("all")
    page.keyboard.press("Tab")
    at(page, 12)
    page.locator("summary").click()
    page.locator("#letters").uncheck()
    page.locator("summary").focus()
    page.keyboard.press("2")
    page.keyboard.press("End")
    expect(page.locator("#said")).to_contain_text("wins")
    expect(page.locator("#eyes")).to_have_value("all")


# ---- what is shown is what was


def test_the_table_shows_the_position_of_every_version_asked_for(browser_page: Page, game: Game) -> None:
    """Hands, counts, piles, turn and lead, as the API tells them for the same eyes."""
    page = browser_page
    names = json.loads((page.goto(game.path()), page.locator("#replay").get_attribute("data-cards"))[1] or "")
    for version, viewer in (
        (5, "all"),
        (game.first("WindowOpened"), 1),
        (game.versions // 2, "spectator"),
        (game.versions - 3, 3),
    ):
        page.goto("about:blank")
        opened(page, game.path("?lang=en", v=version, **{"as": viewer}))
        at(page, version)
        want = game.state(version, viewer)
        page.wait_for_function("() => document.querySelectorAll('.seat .count').length === 4")
        counts = page.locator(".seat .count").all_text_contents()
        assert counts == [f"Cards: {number}" for number in want["cards"]]
        hands = want.get("hands") or [want["hand"] if seat == want["seat"] else None for seat in range(4)]
        for seat, hand in enumerate(hands):
            shown = page.locator(".seat").nth(seat).locator(".card[role=img]")
            labels = [card.get_attribute("aria-label") for card in shown.all()]
            assert labels == [names[code] for code in hand or ()]
        assert page.locator(".discards .card[role=img]").get_attribute("aria-label") == names[want["top"]]
        assert page.locator("#f-draw").text_content() == str(want["draw_pile"])
        assert page.locator("#f-owe").text_content() == (f"+{want['owe']}" if want["owe"] else "–")
        marked = page.locator("#f-lead i")
        assert marked.get_attribute("aria-label") == names[want["lead"]] if want["lead"] != "any" else True
        assert page.locator(".seat.turn").count() == (0 if want["winner"] is not None else 1)


def test_each_colour_has_a_shape_of_its_own(browser_page: Page, game: Game) -> None:
    """On the cards and on the marks, also where the reader forces the colours."""
    page = browser_page
    page.emulate_media(forced_colors="active")
    opened(page, game.path("", v=3))
    shapes = {
        color: page.locator(f".card.{color} .shape").first.get_attribute("href")
        for color in "RGBY"
        if page.locator(f".card.{color} .shape").count()
    }
    assert len(set(shapes.values())) == len(shapes) >= 3
    cut = {
        color: page.locator(f"#moves .k.{color}").first.evaluate(
            "mark => { const s = getComputedStyle(mark, '::before'); return s.clipPath + s.backgroundColor; }"
        )
        for color in "RGBY"
    }
    assert len({one.split("rgb")[0] for one in cut.values()}) == 4, cut


def test_a_deep_link_opens_its_step_and_can_be_copied(browser: Browser, game: Game, system: System) -> None:
    """By address alone; the link that is copied leads a stranger to the same step."""
    context = browser.new_context(base_url=system.url, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    opened(page, game.path("?lang=he", v=33, **{"as": 2}))
    at(page, 33)
    expect(page.locator("#eyes")).to_have_value("2")
    page.locator("[data-act=back]").click()
    page.locator("[data-act=copy]").click()
    expect(page.locator("#said")).to_have_text("הקישור הועתק.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"\?lang=he#v=3[12]&as=2$", link)
    other = browser.new_context().new_page()
    opened(other, link)
    at(other, int(re.findall(r"v=(\d+)", link)[0]))
    for broken in ("#v=999999&as=99", "#v=-3", "#v=x&as=all"):
        other.goto("about:blank")
        opened(other, f"{system.url}{game.path()}{broken}")
    other.context.close()
    context.close()


def test_the_browser_proves_the_chain_itself(browser_page: Page, game: Game) -> None:
    """Commitment and every hash; and an altered event is named."""
    page = browser_page
    opened(page, game.path())
    page.get_by_role("button", name="Check the chain").click()
    expect(page.locator("#proof.good")).to_contain_text(f"all {game.versions} events")

    def altered(route: Any) -> None:
        lines = route.fetch().text().splitlines()
        event = json.loads(lines[8])
        event["actor"] = "seat:3" if event["actor"] != "seat:3" else "seat:1"
        lines[8] = json.dumps(event)
        route.fulfill(body="\n".join(lines))

    page.route("**/replay/log/", altered)
    page.get_by_role("button", name="Check the chain").click()
    expect(page.locator("#proof.bad")).to_contain_text("event 9")


# ---- on a phone, without scripts, for everybody


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_phone_shows_it_all(browser: Browser, game: Game, system: System, language: str) -> None:
    """360 points wide nothing has to be pushed sideways; without scripts the moves are there to be read."""
    for scripts in (True, False):
        phone = browser.new_context(base_url=system.url, viewport=PHONE, java_script_enabled=scripts)  # type: ignore[arg-type]
        page = phone.new_page()
        page.goto(game.path(f"?lang={language}"))
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "he" else "ltr")
        expect(page.locator("#moves li").first).to_be_visible()
        assert page.locator("#moves li").count() == game.versions
        if scripts:
            expect(page.locator("#moves [aria-current=step]")).to_have_count(1)  # the film is there
            page.locator("[data-act=last]").click()
            expect(page.locator(".tag.win")).to_be_visible()
            for box in page.locator(".seat, .buttons button, #slider").all():
                place = box.bounding_box()
                assert place is not None
                assert 0 <= place["x"] <= place["x"] + place["width"] <= PHONE["width"]
                assert place["width"] >= 24
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        phone.close()


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, game: Game, system: System, language: str, scheme: Any) -> None:
    """In a window with every hand open, with the keyboard's table unfolded; wide and on a phone."""
    for size in ({"width": 1280, "height": 900}, PHONE):
        context = browser.new_context(base_url=system.url, viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        opened(page, game.path(f"?lang={language}", v=game.first("WindowOpened")))
        page.locator("summary").click()
        page.locator("#quiet").check()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        context.close()


def test_movement_is_left_out_for_who_asks_for_it(browser: Browser, game: Game, system: System) -> None:
    """And there for everybody else."""
    for wanted, name in (("reduce", "none"), ("no-preference", "laid")):
        context = browser.new_context(base_url=system.url, reduced_motion=wanted)  # type: ignore[arg-type]
        page = context.new_page()
        opened(page, game.path("", v=9))
        top = page.locator(".discards .card").last
        assert top.evaluate("card => getComputedStyle(card).animationName") == name
        context.close()


def test_the_whole_page_is_small_and_asks_nobody_else(browser_page: Page, game: Game) -> None:
    """Everything transferred, film and moves included, is below the limit; one host; a strict policy."""
    page, hosts = browser_page, set()
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda said: sizes.append(said["encodedDataLength"]))
    page.on("request", lambda request: hosts.add(httpx.URL(request.url).host))
    answer = page.goto(game.path())
    expect(page.locator("#moves [aria-current=step]")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) < MOST_BYTES
    assert hosts == {"127.0.0.1"}
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy


def test_staff_come_from_the_games_page_to_the_replay_and_to_the_statistics(
    browser_page: Page, game: Game, staff: Staff
) -> None:
    """In the admin, under its address; axe finds nothing in the figures."""
    page = browser_page
    log_in(page, staff)
    page.goto(f"/admin/games/game/{game.id}/change/")
    page.get_by_role("link", name="replay", exact=True).click()
    expect(page.locator("#moves [aria-current=step]")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#said")).to_contain_text("wins")
    page.get_by_role("link", name="Back to the admin").click()
    page.get_by_role("link", name="Statistics").first.click()
    expect(page.locator(".figures")).to_be_visible()
    found = Axe().run(page, context=".figures")
    assert found.violations_count == 0, found.generate_report()
