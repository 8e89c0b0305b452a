"""Mails wait in a table with what they tell of, leave by a task, and are tried again."""

import smtplib
import threading
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.db import connection, transaction

from players import tasks
from players.mail import KEPT, mail_deliver, mails_claim
from players.models import Mail
from players.services import leftovers_forget
from tests.api.http import Caller
from tests.players.people import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def outbox(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As in service: mails go into the table; a task would write them into this folder."""
    settings.EMAIL_BACKEND = "players.mail.OutboxBackend"
    settings.TAKI_MAIL_WAY = {"backend": "django.core.mail.backends.filebased.EmailBackend", "file_path": str(tmp_path)}
    monkeypatch.setattr(tasks, "publish", lambda *_: True)
    return tmp_path


def send(to: str = "dana@example.org", subject: str = "Hello") -> None:
    """As everybody sends a mail."""
    EmailMessage(subject, "Shalom שלום\n", None, [to]).send()


def sent(folder: Path) -> list[Any]:
    """What left, as messages."""
    texts = [file.read_bytes() for file in sorted(folder.iterdir())]
    return [message_from_bytes(text) for text in texts]


def test_a_mail_waits_in_the_table_and_is_gone_once_it_left(outbox: Path) -> None:
    """Delivered once; the second time there is nothing to deliver."""
    send()
    (mail,) = Mail.objects.all()
    assert not list(outbox.iterdir())
    assert mail_deliver(mail_id=mail.pk) is True
    assert mail_deliver(mail_id=mail.pk) is False
    assert not Mail.objects.exists()
    (left,) = sent(outbox)
    assert (left["To"], left["Subject"]) == ("dana@example.org", "Hello")
    assert left["Message-ID"].startswith(f"<{mail.pk.hex}@")
    assert "שלום" in left.get_payload(decode=True).decode()


def test_what_is_rolled_back_sends_no_mail(outbox: Path) -> None:
    """A mail tells of what has happened."""

    def sends_and_fails() -> None:
        with transaction.atomic():
            send()
            raise LookupError

    with pytest.raises(LookupError):
        sends_and_fails()
    assert not Mail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_task_is_woken_after_the_commit(outbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before: it would find nothing."""
    woken: list[tuple[Any, ...]] = []
    monkeypatch.setattr(tasks, "publish", lambda task, *what: woken.append((task.name, *what)))
    with transaction.atomic():
        send()
        assert not woken
    assert woken == [("players.tasks.mail_send", str(Mail.objects.get().pk))]
    Mail.objects.all().delete()


def test_a_mail_server_that_is_away_is_tried_again_later(
    outbox: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The mail stays, each pause is longer, up to an hour; the log names neither address nor text."""
    settings.TAKI_MAIL_WAY = {"backend": "tests.players.test_mail.Away"}
    send()
    pauses = []
    for _ in range(10):
        mail = Mail.objects.get()
        before = datetime.now(UTC)
        assert mail_deliver(mail_id=mail.pk) is False
        pauses.append(round((Mail.objects.get().next_at - before).total_seconds()))
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    assert "dana@" not in caplog.text
    assert "שלום" not in caplog.text


def test_a_mail_that_cannot_leave_for_a_day_is_dropped(outbox: Path, settings: LazySettings) -> None:
    """Its keys have run out."""
    settings.TAKI_MAIL_WAY = {"backend": "tests.players.test_mail.Away"}
    send()
    Mail.objects.update(created_at=datetime.now(UTC) - KEPT - timedelta(seconds=1))
    mail_deliver(mail_id=Mail.objects.get().pk)
    assert not Mail.objects.exists()


class Slow:
    """A mail server that takes its time."""

    began, may_end = threading.Event(), threading.Event()

    def __init__(self, **_: object) -> None:
        """Nothing."""

    def send_messages(self, messages: list[object]) -> int:
        """Waits to be let go."""
        self.began.set()
        assert self.may_end.wait(30)
        return len(messages)


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_a_mail_once(outbox: Path, settings: LazySettings) -> None:
    """While one is sending it, the other leaves it alone."""
    settings.TAKI_MAIL_WAY = {"backend": "tests.players.test_mail.Slow"}
    send()
    mail_id, outcomes = Mail.objects.get().pk, list[bool]()

    def work() -> None:
        outcomes.append(mail_deliver(mail_id=mail_id))
        connection.close()

    first = threading.Thread(target=work)
    first.start()
    assert Slow.began.wait(30)
    assert mail_deliver(mail_id=mail_id) is False
    Slow.may_end.set()
    first.join()
    assert outcomes == [True]
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (smtplib.SMTPRecipientsRefused({"dana@example.org": (550, b"no such mailbox")}), False),
        (smtplib.SMTPRecipientsRefused({"dana@example.org": (451, b"greylisted")}), True),
        (smtplib.SMTPDataError(554, b"refused"), False),
        (smtplib.SMTPAuthenticationError(535, b"wrong password"), True),
        (ConnectionRefusedError(), True),
        (TimeoutError(), True),
    ],
)
def test_a_mailbox_that_is_not_there_is_not_tried_again(
    outbox: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, kept: bool
) -> None:
    """What will never go is dropped at once; what may (the server's own password, too) waits."""

    def fails(_mail: EmailMessage) -> int:
        raise error

    send()
    monkeypatch.setattr(EmailMessage, "send", fails)
    assert mail_deliver(mail_id=Mail.objects.get().pk) is False
    assert Mail.objects.exists() is kept


def test_headers_are_kept_and_what_would_be_lost_is_refused(outbox: Path) -> None:
    """A mail leaves as it was written, or not at all."""
    EmailMessage("Hello", "x", None, ["a@example.org"], headers={"List-Unsubscribe": "<https://x>"}).send()
    mail_deliver(mail_id=Mail.objects.get().pk)
    (left,) = sent(outbox)
    assert (left["List-Unsubscribe"], left["Auto-Submitted"]) == ("<https://x>", "auto-generated")
    with pytest.raises(ValueError, match="plain text"):
        EmailMultiAlternatives("Hello", "x", None, ["a@example.org"], alternatives=[("<p>x", "text/html")]).send()


class Away:
    """A mail server that does not answer."""

    def __init__(self, **_: object) -> None:
        """Nothing."""

    def send_messages(self, _messages: object) -> int:
        """Fails."""
        raise smtplib.SMTPServerDisconnected("away")


def test_the_sweep_finds_what_nobody_sent_once_a_minute(outbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost task is published again, and not at each sweep; what is put off waits."""
    published: list[str] = []

    def publish(_task: object, what: str) -> bool:
        published.append(what)
        return True

    monkeypatch.setattr(tasks, "publish", publish)
    send()
    send("later@example.org")
    later = Mail.objects.get(to="later@example.org")
    Mail.objects.filter(pk=later.pk).update(next_at=datetime.now(UTC) + timedelta(minutes=5))
    tasks.mail_sweep()
    tasks.mail_sweep()
    assert published == [str(Mail.objects.exclude(pk=later.pk).get().pk)]
    Mail.objects.update(next_at=datetime.now(UTC))
    assert len(mails_claim()) == 2


def test_each_recipient_gets_a_mail_of_its_own(outbox: Path) -> None:
    """Nobody sees whom else it went to."""
    EmailMessage("Hello", "x", None, ["a@example.org"], bcc=["b@example.org"]).send()
    for mail in Mail.objects.all():
        mail_deliver(mail_id=mail.pk)
    assert sorted(left["To"] for left in sent(outbox)) == ["a@example.org", "b@example.org"]


def test_an_upgrade_and_its_mail_are_one(outbox: Path, nobody: Caller) -> None:
    """The account and the mail that asks to confirm its address are committed together."""
    token = nobody.post("players/guest/", {}).json()["token"]
    body = {"email": "dana@example.org", "password": PASSWORD}
    assert Caller(token=token).post("players/me/upgrade/", body).status_code == 200
    assert [mail.to for mail in Mail.objects.all()] == ["dana@example.org"]


def test_what_is_over_is_taken_away(db: None) -> None:
    """Sessions, tokens and kept answers do not pile up."""
    with connection.cursor() as cursor:
        columns, values = "session_key, session_data, expire_date", "'x', '', now() - interval '1 s'"
        cursor.execute(f"INSERT INTO players_session ({columns}) VALUES ({values})")  # noqa: S608
    assert leftovers_forget() == 1
    assert leftovers_forget() == 0


def test_the_console_is_a_way(settings: LazySettings, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a mail server, mails are printed."""
    from config.mails import mail_way

    way = get_connection(**mail_way("console:"))
    EmailMessage("Hello", "key: abc", None, ["dana@example.org"], connection=way).send()
    assert "key: abc" in capsys.readouterr().out


def test_every_sentence_of_mails_and_pages_has_its_hebrew() -> None:
    """A text that nobody translated does not get in."""
    import re

    from django.utils import translation

    from config.env import ROOT

    texts = []
    for file in (ROOT / "players" / "templates").rglob("*.*"):
        source = file.read_text()
        texts += re.findall(r'\{% translate "([^"]+)" %\}', source)
        blocks = re.findall(r"\{% blocktranslate[^%]*%\}(.+?)\{% endblocktranslate %\}", source, re.DOTALL)
        texts += [re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", text) for text in blocks]
    texts += re.findall(r'_\("([^"]+)"\)', (ROOT / "players" / "pages" / "views.py").read_text())
    assert len(texts) > 40
    with translation.override("he"):
        assert not [text for text in texts if translation.gettext(text) == text]
