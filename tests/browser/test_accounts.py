"""The pages of accounts and of the API's documentation in a browser, under their content policies."""

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.people import Staff, log_in
from tests.e2e.system import System
from tests.e2e.test_accounts import PASSWORD, SECOND, App


def accessible(page: Page) -> None:
    """axe finds nothing that keeps anybody out."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(
    ("path", "operation"), [("/api/docs/", "/api/v1/players/me/upgrade/"), ("/api/docs/accounts/", "/auth/login")]
)
def test_the_documentation_opens_under_its_policy(browser_page: Page, path: str, operation: str) -> None:
    """No inline script, nothing from elsewhere, and the operations are there."""
    hosts: set[str] = set()
    browser_page.on("request", lambda request: hosts.add(httpx.URL(request.url).host))
    browser_page.goto(path)
    expect(browser_page.get_by_text(operation).first).to_be_visible()
    assert hosts <= {"127.0.0.1", ""}, "data: addresses have no host"


def test_the_links_in_mails_lead_through_by_keyboard(browser_page: Page, system: System) -> None:
    """Confirm the address; ask for a new password, choose it: Tab and Enter suffice."""
    app = App(system)
    app.account("POST", "auth/signup", {"username": app.name, "email": app.email, "password": PASSWORD})
    browser_page.goto(f"/account/verify-email/?key={app.key('verify-email', 1)}")
    expect(browser_page.get_by_text(app.email)).to_be_visible()
    accessible(browser_page)
    browser_page.keyboard.press("Tab")
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_text("the address is confirmed")).to_be_visible()
    assert app.api("GET", "players/me/")["email_verified"] is True

    browser_page.goto("/account/password/")
    accessible(browser_page)
    browser_page.keyboard.type(app.email)
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_text("is on its way")).to_be_visible()
    browser_page.goto(f"/account/new-password/?key={app.key('new-password', 2)}")
    browser_page.keyboard.type(SECOND)
    browser_page.keyboard.press("Enter")
    expect(browser_page.get_by_text("The new password holds")).to_be_visible()
    app.headers = {}
    app.account("POST", "auth/login", {"email": app.email, "password": SECOND})


def test_addresses_are_in_the_admin(browser_page: Page, staff: Staff) -> None:
    """A page to look at, under the admin's policy."""
    log_in(browser_page, staff)
    answer = browser_page.goto("/admin/account/emailaddress/")
    assert answer is not None
    assert answer.status == 200
