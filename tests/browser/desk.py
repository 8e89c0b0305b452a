"""The desk as an organiser uses it: click by click, for the tests and for the pictures."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

REASON = "agreed with all of them"


def create(page: Page, template: str, name: str, *, turn_seconds: int = 60) -> None:
    """A new tournament of a template: from the dashboard to its desk."""
    page.goto("/admin/")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name=re.compile(rf"^{template}\b")).first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Seconds for a turn").fill(str(turn_seconds))
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".desk h1")).to_have_text(name)


def press(page: Page, words: str, *, reason: str = "", within: str = "#state") -> None:
    """A button and its confirmation. Sent again if the page was renewed under the pointer."""
    part = page.locator(within)
    part.locator("summary", has_text=re.compile(rf"^{words}$")).first.click()
    form = part.locator("details[open] form")
    if reason:
        form.get_by_label("Reason").fill(reason)
    form.get_by_role("button", name=f"{words}: confirm").click()
    page.wait_for_load_state()


def register(page: Page, names: list[str], bots: int = 0) -> None:
    """Players by name and bots."""
    page.locator("#entries summary", has_text="Register players").click()
    page.get_by_label("Players, one name a line").fill("\n".join(names))
    page.get_by_label("Bots besides").fill(str(bots))
    page.get_by_role("button", name="Register them").click()
    expect(page.get_by_text(f"{len(names) + bots} registered.")).to_be_visible()


def about_entries(page: Page, act: str, numbers: list[int], reason: str) -> None:
    """One act about these entries."""
    for number in numbers:
        page.get_by_label(f"Entry {number}", exact=True).check()
    form = page.locator("#entries form", has=page.get_by_role("button", name="Do it"))
    form.locator("select[name=act]").select_option(act)
    form.get_by_role("textbox", name="Reason").fill(reason)
    form.get_by_role("button", name="Do it").click()
    page.wait_for_load_state()


def message(page: Page, words: str) -> None:
    """The desk says so."""
    expect(page.get_by_text(words, exact=True).first).to_be_visible()


def id_of(page: Page) -> str:
    """The id of the tournament whose desk is open."""
    return page.url.split("/tournaments/tournament/")[1].split("/")[0]
