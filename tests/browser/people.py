"""Who sits at the desk in these tests, and how they come in."""

import re
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.e2e.system import System


@dataclass(frozen=True, slots=True)
class Staff:
    """Somebody who may log in to the admin."""

    name: str
    password: str


def staff_of(system: System) -> Staff:
    """The superuser whose password the system told at its first start."""
    (line,) = [line for line in system.lines if line.startswith("admin's password")]
    return Staff("admin", line.split()[-1])


def log_in(page: Page, staff: Staff) -> None:
    """Come to the dashboard through the log-in page."""
    page.goto("/admin/login/?next=/admin/")
    page.get_by_label("Name").fill(staff.name)
    page.get_by_label("Password").fill(staff.password)
    page.get_by_role("button", name=re.compile("log in", re.IGNORECASE)).click()
    page.wait_for_url("**/admin/")


def role_of(system: System, name: str, role: str) -> Staff:
    """Somebody new with this role."""
    password = "a-long-password-of-the-tests-1"
    system.manage(
        "shell",
        "-c",
        "from django.contrib.auth.models import Group; from players.models import Player\n"
        f"player = Player.objects.create_user({name!r}, {password!r}, is_staff=True)\n"
        f"player.groups.add(Group.objects.get(name={role!r}))",
    )
    return Staff(name, password)
