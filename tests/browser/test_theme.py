"""The themed admin in a browser: every page opens under its content policy, with nothing from elsewhere."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Staff, log_in
from tests.e2e.system import System

PAGES = ("games/game/", "players/player/", "players/token/", "auth/group/", "auth/group/add/", "password_change/")


@pytest.mark.usefixtures("system")
def test_every_page_of_the_admin_works_under_its_policy(browser_page: Page, staff: Staff) -> None:
    """No script error, no refused resource, no request to another host; the menu leads from page to page."""
    hosts: set[str] = set()
    browser_page.on("request", lambda request: hosts.add(httpx.URL(request.url).host))
    log_in(browser_page, staff)
    for page in PAGES:
        answer = browser_page.goto(f"/admin/{page}")
        assert answer is not None
        assert answer.status == 200
        policy = answer.headers["content-security-policy"]
        assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    browser_page.get_by_role("link", name="Players").first.click()
    assert hosts == {"127.0.0.1"}


def test_a_player_is_found_by_name(browser_page: Page, staff: Staff, system: System) -> None:
    """The themed search finds a guest who came in by the API, and the page of the guest opens."""
    guest = httpx.post(f"{system.url}/api/v1/players/guest/", json={"name": "Noa bat Levi"}).json()["player"]
    log_in(browser_page, staff)
    browser_page.goto("/admin/players/player/?q=noa")
    browser_page.get_by_role("link", name=guest["name"]).click()
    expect(browser_page.get_by_label("Name")).to_have_value(guest["name"])
