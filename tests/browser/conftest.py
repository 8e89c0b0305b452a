"""A browser, or a last line that says there was none."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import PLACE, absent, flags
from tests.browser.people import Staff, staff_of
from tests.e2e.system import System

HERE = Path(__file__).parent
NOT_RUN = pytest.StashKey[str]()
PATIENCE_MS = 30_000


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the browser tests out where there is no browser and none can be had."""
    ours = [item for item in items if HERE in item.path.parents and "browser_page" in getattr(item, "fixturenames", ())]
    why = absent() if ours else ""
    if why:
        config.stash[NOT_RUN] = why
        config.hook.pytest_deselected(items=ours)
        items[:] = [item for item in items if item not in set(ours)]


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line."""
    why = config.stash.get(NOT_RUN, "")
    if why:
        config.get_terminal_writer().line(f"The browser tests were NOT run: {why}.")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. Ended with this folder's tests: while it runs, Django's own database layer refuses this thread."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PLACE, args=flags(), headless=True)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def staff(system: System) -> Staff:
    """The system's superuser."""
    return staff_of(system)


@pytest.fixture
def browser_page(browser: Browser, system: System) -> Iterator[Page]:
    """A fresh browser on the system; it fails the test when a page's script or its content policy did."""
    context = browser.new_context(base_url=system.url, viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(f"{said.text} {said.location}") if said.type == "error" else None)
    yield page
    context.close()
    assert not faults, faults
