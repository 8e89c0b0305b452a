"""The page that replays a finished game: what it tells, how it is kept and guarded."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games import store
from games.audit.recording import record_text
from games.audit.verify import verify_export
from games.models import AuditEntry, AuditKind, Game, GameCheck
from players.api.errors import TooManyRequests
from players.api.throttles import REPLAYS, Limit
from players.models import Player
from tests.builders import Table
from tests.pages.asking import PARTS, client_of, opened, text
from tests.pages.evenings import LONG, finished

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent / "games"


# ---- what it tells


def test_the_log_to_download_is_the_one_that_verifies(table: Table) -> None:
    """The same lines as the export's."""
    content = b"".join(opened(table, "replay-log"))
    assert verify_export(content.decode().splitlines()).version == table.game.version


def test_the_record_is_the_one_of_the_api(table: Table) -> None:
    """As text to keep; it names the players."""
    answer = opened(table, "replay-record")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert text(answer) == record_text(game=table.game)
    assert "Noa" in text(answer)


def test_the_audits_data_come_without_a_token(table: Table) -> None:
    """The revealed seed and the head, as the API tells them; the page names the key that signed."""
    told = opened(table, "replay-audit").json()
    assert told["hash"] == bytes(table.game.head_hash).hex()
    assert told["server_seed"] == table.server_seed.hex()
    assert told["signature"]["key"] in text(opened(table))


def test_staffs_looks_at_hidden_hands_are_told(table: Table) -> None:
    """With their times."""
    assert "looked at hidden hands" not in text(opened(table))
    at = timezone.now()
    AuditEntry.objects.create(game_id=table.game_id, kind=AuditKind.LOOKED, at=at, reason="a complaint")
    page = text(opened(table))
    assert "looked at hidden hands" in page
    assert at.strftime("%Y-%m-%d %H:%M") in page


def test_a_log_that_cannot_be_read_is_a_page_of_its_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody took an event out: 409 with a word about it and the log to download, and no error of the server."""
    whole = store.log(game_id=table.game_id)
    broken = [one for one in whole if one.type != "CardsDealt"]
    monkeypatch.setattr("games.pages.views.store.log", lambda **_: tuple(broken))
    Game.objects.filter(pk=table.game_id).update(frozen_at=timezone.now(), frozen_reason="version 3 is missing")
    answer = opened(table, "replay-film", lang="he")
    assert answer.status_code == 409
    for told in ("version 3 is missing", "לא ניתן להציג", reverse("replay-log", args=[table.game_id])):
        assert told in text(answer)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_page_says_whether_the_log_verifies(table: Table) -> None:
    """Never checked; checked and good; checked and bad; frozen, with the reason."""
    assert "Not yet checked" in text(opened(table))
    check = {"game_id": table.game_id, "version": table.game.version, "checked_at": timezone.now()}
    GameCheck.objects.create(ok=True, **check)
    assert "Verified by the server" in text(opened(table))
    GameCheck.objects.filter(pk=table.game_id).update(ok=False, problem="version 9: <not> what was recorded")
    page = text(opened(table))
    assert "Verified by the server" not in page
    assert "version 9: &lt;not&gt; what was recorded" in page
    Game.objects.filter(pk=table.game_id).update(frozen_at=timezone.now(), frozen_reason="version 9 was changed")
    page = text(opened(table))
    assert "This game is frozen" in page
    assert "version 9 was changed" in page


def test_a_seat_is_told_what_it_saw(table: Table) -> None:
    """Its list of moves names its own cards and hides the others'; nobody else's name is given to an eye too many."""
    seen = 0
    for viewer, name in (("0", "Noa"), ("1", "יעל"), ("2", "Bot 2"), ("spectator", "")):
        told = text(opened(table, "replay-moves", None, **{"as": viewer}))
        drawn = [line for line in told.splitlines() if "draws" in line]
        own = [line for line in drawn if f"<bdi>{name}</bdi>" in line]
        seen += len(own)
        assert len(own) < len(drawn)
        assert all(('class="k' in line) == (line in own) for line in drawn)
    assert seen > 0


def test_nonsense_in_the_address_shows_the_page_as_it_is(table: Table) -> None:
    """An unknown seat or language is left aside."""
    for query in ({"as": "11"}, {"as": "-1"}, {"as": "x\0"}, {"lang": "xx"}, {"as": "9" * 400}):
        for part in PARTS:
            assert opened(table, part, None, **query).status_code == 200


def test_a_name_is_text_and_never_markup(db: None) -> None:
    """Whatever a player or a table is called."""
    table = finished(("Noa", "greedy"), name='<b>"Friday"', seed=3)
    Player.objects.filter(name="Noa").update(name="<i>Noa'")
    for page in (text(opened(table)), text(opened(table, "replay-moves"))):
        assert "<i>Noa" not in page
        assert "&lt;i&gt;Noa" in page
        assert "<b>" not in page


# ---- how it is kept and guarded


def test_the_policy_is_strict_and_the_page_keeps_to_it(table: Table) -> None:
    """This server's files alone; no script, style or handler within the page, no other host."""
    answer = opened(table)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "data:" not in policy
    content = text(answer).replace("http://www.w3.org/", "")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bon\w+=|<style|\bstyle=|https?://|javascript:", content)


def test_what_has_not_changed_is_not_sent_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page and its parts by their tags, without a look into the log; the film is kept for long."""
    tags = {part: opened(table, part).headers["ETag"] for part in PARTS}
    assert len(set(tags.values())) == len(PARTS)
    monkeypatch.setattr("games.pages.views.store.log", None)  # whoever reads the log fails
    for part, tag in tags.items():
        again = Client().get(reverse(part, args=[table.game_id]), headers={"If-None-Match": tag})
        assert again.status_code == 304
        assert not again.content
        assert again.headers["ETag"] == tag
        assert "default-src 'none'" in again.headers["Content-Security-Policy"]
        assert "unsafe" not in again.headers["Content-Security-Policy"]


def test_the_film_is_kept_and_the_page_asked_for_again(table: Table) -> None:
    """The film's address names what it hangs on; a page may be renamed, checked, frozen."""
    assert "immutable" in opened(table, "replay-film").headers["Cache-Control"]
    assert bytes(table.game.head_hash).hex()[:16] in text(opened(table))
    assert opened(table).headers["Cache-Control"] == "no-cache"


def test_a_page_that_has_changed_has_another_tag(table: Table) -> None:
    """By each thing that still can: a name, the last check, the ice, a look that became known; and by language."""
    address = reverse("replay-page", args=[table.game_id])

    def renamed() -> None:
        Player.objects.filter(name="Noa").update(name="Nomi")

    def checked() -> None:
        GameCheck.objects.create(game_id=table.game_id, ok=True, version=table.game.version, checked_at=timezone.now())

    def frozen() -> None:
        Game.objects.filter(pk=table.game_id).update(frozen_at=timezone.now(), frozen_reason="version 9")

    def looked() -> None:
        AuditEntry.objects.create(game_id=table.game_id, kind=AuditKind.LOOKED, at=timezone.now())

    for change in (renamed, checked, frozen, looked):
        tag = Client().get(address).headers["ETag"]
        change()
        assert Client().get(address, headers={"If-None-Match": tag}).status_code == 200, change
    tag = Client().get(address).headers["ETag"]
    assert Client().get(address, headers={"If-None-Match": tag, "Accept-Language": "he"}).status_code == 200


def test_a_film_is_small_on_the_wire(db: None) -> None:
    """Compressed, a long game's film, moves and page are below the hundred kilobytes together with every script."""
    table = finished(("greedy",) * 4, rules=LONG, seed=2)
    assert table.game.version > 600
    sizes = []
    for part in PARTS[:2]:
        answer = Client().get(reverse(part, args=[table.game_id]), headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        sizes.append(len(answer.content))
    files = [file.stat().st_size for file in (ROOT / "static" / "games" / "replay").iterdir()]
    assert sum(sizes) + sum(files) < 100_000, (sizes, files)


def test_who_asks_too_often_is_told_to_wait(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """By address, in the reader's language, before the game is looked for; staff in the admin are not counted."""
    counted: list[tuple[Limit, str]] = []

    def spend(limit: Limit, who: str) -> None:
        counted.append((limit, who))
        raise TooManyRequests(limit=limit.name, seconds=3)

    monkeypatch.setattr("games.pages.door.limit_spend", spend)
    for part in PARTS:
        answer = opened(table, part, None, lang="he")
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "3"
        assert "3 שניות" in text(answer)
    ((limit, who),) = set(counted)  # one caller, by whatever stands for its address
    assert limit is REPLAYS
    assert who
    chief = client_of(Player.objects.create_superuser("Chief", "a-long-password-1"))
    assert chief.get(reverse("admin:games_game_replay_page", args=[table.game_id])).status_code == 200


# ---- in Hebrew


def test_hebrew_is_read_from_the_right(table: Table) -> None:
    """By `?lang=he` and by what the browser prefers."""
    for asked in ({"query_params": {"lang": "he"}}, {"headers": {"Accept-Language": "he"}}):
        page = Client().get(reverse("replay-page", args=[table.game_id]), **asked)  # type: ignore[arg-type]
        assert '<html lang="he" dir="rtl">' in text(page)
        assert page.headers["Content-Language"] == "he"
        assert "מהלכים" in text(page)
        assert "Moves" not in text(page)


def test_every_text_of_the_pages_is_there_in_hebrew() -> None:
    """Of the templates and of the words."""
    texts = set()
    for file in (ROOT / "templates" / "games").glob("*.html"):
        content = file.read_text()
        texts |= set(re.findall(r'{% translate "([^"]+)"', content))
        for block in re.findall(r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", content):
            texts.add(re.sub(r"{{ (\w+) }}", r"%(\1)s", block))
    for file in (ROOT / "pages").glob("*.py"):
        texts |= set(re.findall(r'\b(?:_|later|N_|ngettext)\(\s*"((?:[^"\\]|\\.)+)"\s*[,)]', file.read_text()))
    assert len(texts) > 140
    with translation.override("he"):
        missing = [one for one in sorted(texts) if translation.gettext(one) == one == translation.ngettext(one, one, 1)]
    assert missing == []


def test_the_words_of_the_scripts_keep_their_places_in_hebrew(table: Table) -> None:
    """Each {…} that a script puts in stands in both languages."""
    told = []
    for language in ("en", "he"):
        page = text(opened(table, lang=language))
        (found,) = re.findall(r'data-words="([^"]*)"', page)
        told.append(json.loads(found.replace("&quot;", '"').replace("&#x27;", "'")))
    assert told[0].keys() == told[1].keys()
    for key, english in told[0].items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", told[1][key])), key
