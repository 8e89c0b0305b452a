"""The pictures of docs/tournaments.md and docs/replay.md, from the real pages: `python -m tests.browser.pictures`.

A system of its own plays a ladder of bots, so every picture shows what an organiser would see. Each file stays below
200 kB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import desk
from tests.browser.chromium import PLACE, absent, flags
from tests.browser.people import log_in, role_of
from tests.e2e.system import ROOT, System

FOLDER: Final = ROOT / "docs" / "pictures"
MOST_BYTES: Final = 200_000
PLAYERS: Final = ("Noa", "Dana", "יעל", "Itamar")
WIDE: Final = {"width": 1100, "height": 760}
PHONE: Final = {"width": 375, "height": 740}
DESK: Final = {"width": 1200, "height": 900}
_REPLAYED: Final = (
    "from tests.pages.evenings import LADDER, finished\n"
    "print(finished(('Noa', 'יעל', 'Dana', 'Itamar'), rules=LADDER, name='Friday night', seed=8).game_id)"
)


def main() -> int:
    """The exit code: 0, or 1 after a sentence when there is no browser."""
    if why := absent():
        sys.stderr.write(f"No pictures: {why}.\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="taki-pictures-", dir="/tmp") as folder:  # sockets need short paths
        system = System(folder=Path(folder) / "data", variables={"TAKI_BOT_PAUSE_PERCENT": "0"})
        try:
            system.start()
            take_all(system)
        finally:
            system.close()
    return 0


def take_all(system: System) -> None:
    """An evening at the desk, with a picture of each station."""
    FOLDER.mkdir(exist_ok=True)
    expect.set_options(timeout=60_000)
    for name in PLAYERS:
        system.manage("shell", "-c", f"from players.models import Player; Player.objects.create_user({name!r})")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PLACE, args=flags())
        page = chromium.new_page(base_url=system.url, viewport=WIDE, locale="en-GB")  # type: ignore[arg-type]
        log_in(page, role_of(system, "Orna", "organiser"))
        page.goto("/admin/tournaments/tournament/add/")
        take(page, "templates")
        desk.create(page, "Ladder for 10", "Evening at the club", turn_seconds=5)
        desk.press(page, "Open registration")
        desk.register(page, list(PLAYERS[:2]), bots=8)
        take(page, "registration")
        desk.press(page, "Start")
        expect(page.locator("#stages .tread").nth(-3).locator(".chip").first).to_be_visible(timeout=300_000)
        take(page, "running")
        page.goto("/admin/")
        take(page, "dashboard")
        page.go_back()
        public = page.get_by_role("link", name="Public page").get_attribute("href")
        for language in ("en", "he"):
            phone = chromium.new_page(base_url=system.url, viewport=PHONE)  # type: ignore[arg-type]
            phone.goto(f"{public}?lang={language}")
            take(phone, f"phone-{language}")
        desk.press(page, "End the table early", reason="the hall closes", within="#tables")
        expect(page.locator("#state .badge")).to_have_text("finished")
        page.get_by_role("link", name="Correct the result").click()
        take(page, "correction")
        page.go_back()
        page.locator("#log").scroll_into_view_if_needed()
        take(page, "log")
        take_replay(system, chromium)
        chromium.close()


def take_replay(system: System, chromium: Browser) -> None:
    """A short ladder in the middle of a +3 window: on a desk, and in Hebrew on a phone."""
    game = system.manage("shell", "-v", "0", "-c", _REPLAYED).split()[-1]
    for name, size, query in (
        ("replay", DESK, "?lang=en#v=121&as=all"),
        ("replay-phone-he", PHONE, "?lang=he#v=121&as=1"),
    ):
        page = chromium.new_page(base_url=system.url, viewport=size)  # type: ignore[arg-type]
        page.goto(f"/games/{game}/replay/{query}")
        expect(page.locator("#moves [aria-current=step]")).to_have_count(1)
        take(page, name, shaded=True)


def take(page: Page, name: str, *, shaded: bool = False) -> None:
    """What the window shows, as a file; one with shades of colour as JPEG."""
    page.evaluate("document.fonts.ready")
    file = FOLDER / f"{name}.{'jpg' if shaded else 'png'}"
    if shaded:
        page.screenshot(path=file, animations="disabled", type="jpeg", quality=80)
    else:
        page.screenshot(path=file, animations="disabled")
    assert file.stat().st_size < MOST_BYTES, f"{file.name} is too large"


if __name__ == "__main__":
    sys.exit(main())
