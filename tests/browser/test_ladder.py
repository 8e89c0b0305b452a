"""An organiser's evening in the browser: a ladder of ten from its creation to its export, on the real system."""

import csv
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser import desk
from tests.browser.crowd import Crowd
from tests.browser.people import Staff, log_in, role_of
from tests.e2e.system import System, eventually

STAGE_MS = 150_000  # ten players need a while to lay eight cards


def stands(page: Page) -> dict[str, int]:
    """On which step of the picture everybody stands, from the bottom; the winner's is the highest."""
    found: dict[str, int] = {}
    treads = page.locator("#stages .tread")
    for step in range(treads.count()):
        for title in treads.nth(step).locator("title").all_text_contents():
            found[title.split(" · ")[0]] = treads.count() - step
    return found


@pytest.fixture
def crowd(system: System) -> Iterator[Crowd]:
    """Ten players."""
    ten = Crowd(system, 10)
    yield ten
    ten.stop()


def test_an_organiser_runs_a_ladder_of_ten(browser_page: Page, system: System, crowd: Crowd) -> None:
    """Creates, registers ten, starts it once by a double click, watches stages move, disqualifies one, ends the
    table, corrects its result, exports."""
    page, names = browser_page, crowd.names
    log_in(page, role_of(system, "Orna of the ladder", "organiser"))
    desk.create(page, "Ladder for 10", "Ten on a ladder")
    desk.press(page, "Open registration")
    desk.register(page, names)
    expect(page.locator("#entry-lines tbody tr")).to_have_count(10)

    page.locator("#state summary", has_text=re.compile("^Start$")).click()
    page.get_by_role("button", name="Start: confirm").dblclick()
    expect(page.locator("#state .badge")).to_have_text("running")
    expect(page.locator("#log-lines td", has_text=re.compile("tournament started"))).to_have_count(1)
    expect(page.locator("#stages .chip")).to_have_count(10)
    assert set(stands(page).values()) == {1}

    # Nobody reloads: the players play, and the picture follows them.
    crowd.play(desk.id_of(page))
    expect(page.locator("#stages .tread").nth(-2).locator(".chip").first).to_be_visible(timeout=STAGE_MS)
    crowd.stop()
    assert max(stands(page).values()) > 1

    desk.about_entries(page, "Disqualify", [1], "left the hall with a card")
    desk.message(page, "Done for entry 1.")
    expect(page.locator("#entry-lines tr", has_text=names[0])).to_contain_text("disqualified")
    expect(page.locator("#log-lines tr", has_text="entry disqualified")).to_contain_text("left the hall with a card")

    desk.press(page, "End the table early", reason="the hall closes", within="#tables")
    expect(page.locator("#state .badge")).to_have_text("finished")
    assert exported(page)[-1]["name"] == names[0]

    ranked = [line["name"] for line in exported(page)]
    page.get_by_role("link", name="Correct the result").click()
    page.get_by_label(f"Rank of {ranked[0]}", exact=True).fill("2")
    page.get_by_label(f"Rank of {ranked[1]}", exact=True).fill("1")
    page.get_by_label("Reason").fill("the referee had miscounted")
    page.get_by_role("button", name="Correct the result").click()
    expect(page.locator("#tables")).to_contain_text("corrected")
    corrected = [ranked[1], ranked[0], *ranked[2:]]
    eventually(lambda: [line["name"] for line in exported(page)] == corrected, "the corrected result counts")
    page.reload()
    expect(page.locator("#stages .winner title")).to_contain_text(ranked[1])


def exported(page: Page) -> list[dict[str, str]]:
    """The results, as the link on the desk gives them."""
    link = page.get_by_role("link", name="results (CSV)")
    address = link.get_attribute("href")
    assert address
    answer = page.context.request.get(address)
    assert answer.ok
    return list(csv.DictReader(io.StringIO(answer.text())))


def test_a_phone_reads_the_public_page_in_both_languages(browser: Browser, browser_page: Page, system: System) -> None:
    """Without a log-in, without JavaScript, 375 points wide: nothing has to be pushed sideways."""
    organiser = role_of(system, "Orna of the phones", "organiser")
    log_in(browser_page, organiser)
    desk.create(browser_page, "Ladder for 10", "An evening for phones")
    desk.press(browser_page, "Open registration")
    desk.register(browser_page, [], bots=10)
    desk.press(browser_page, "Start")
    expect(browser_page.locator("#stages .chip")).to_have_count(10)
    address = browser_page.get_by_role("link", name="Public page").get_attribute("href")
    for scripts in (True, False):
        phone = browser.new_context(
            base_url=system.url, viewport={"width": 375, "height": 667}, java_script_enabled=scripts
        )
        page = phone.new_page()
        for query, direction, heading in (("", "ltr", "Standings"), ("?lang=he", "rtl", "טבלת הדירוג")):
            page.goto(f"{address}{query}")
            expect(page.locator("html")).to_have_attribute("dir", direction)
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            expect(page.locator("#standings tbody tr")).to_have_count(10)
            for box in page.locator("section, table, svg").all():
                place = box.bounding_box()
                assert place is not None
                assert 0 <= place["x"] <= place["x"] + place["width"] <= 375
            size = page.locator("#stages .chip text").first.evaluate("chip => chip.getBoundingClientRect().height")
            assert size >= 9, "too small to read"
        phone.close()


def test_a_file_that_is_far_too_large_is_one_sentence(browser_page: Page, system: System, staff: Staff) -> None:
    """A real upload of a hundred megabytes, to the end of which the browser gets an answer."""
    log_in(browser_page, staff)
    desk.create(browser_page, "Knockout for 64", "Too many to read")
    desk.press(browser_page, "Open registration")
    browser_page.locator("#entries summary", has_text="Register players").click()
    browser_page.get_by_role("link", name="From a file").click()
    form = browser_page.locator("form[enctype]")
    token = form.locator("[name=csrfmiddlewaretoken]").input_value()
    answer = browser_page.context.request.post(
        browser_page.url,
        multipart={
            "csrfmiddlewaretoken": token,
            "file": {"name": "big.csv", "mimeType": "text/csv", "buffer": b"n" * 40_000_000},
        },
    )
    assert "larger than 1 MiB" in answer.text()
    small = FilePayload(name="small.csv", mimeType="text/csv", buffer=b"name,bot\n,1\n,1\n")
    browser_page.locator("#id_file").set_input_files(small)
    browser_page.get_by_role("button", name="Import").click()
    desk.message(browser_page, "2 registered from the file.")
