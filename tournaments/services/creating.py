"""A tournament comes to be, and is changed before it begins."""

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.db import transaction

from games.rules.ruleset import Mode
from games.rules.shuffle import SEED_BYTES
from games.services import GameSettings
from players.models import Player
from tournaments import hooks, store
from tournaments.errors import AccountNeeded, ActRefused, BadSettings
from tournaments.models import MOST_NAME, Phase, Tournament, TournamentSecret, Visibility, new_id
from tournaments.roles import may_create
from tournaments.rules import ChangeTerms, Logged, Refusal, Refused, Terms, commitment, create
from tournaments.services.acting import Acted, carry_out, commit, digest_of, lock_for, require_runs, told_again
from tournaments.settings import BOT_LEVELS, DEFAULT_TABLES, read_tables, write_tables
from tournaments.store import Locked

CODE_LENGTH: Final = 8
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another


def tournament_create(
    *,
    owner: Player,
    name: str,
    terms: Terms,
    tables: GameSettings = DEFAULT_TABLES,
    visibility: str = Visibility.PUBLIC,
    bot_level: str = "greedy",
) -> Tournament:
    """A new tournament, a draft, its commitment published. ``tables``: what each game is created with; its name,
    seats, visibility and mode are not used, as each table has its own.

    AccountNeeded, BadSettings, ActRefused (BAD_TERMS, TIME_PAST).
    """
    if not may_create(owner):
        raise AccountNeeded
    seed = secrets.token_bytes(SEED_BYTES)
    tournament = Tournament(
        name=_sound_name(name),
        owner=owner,
        visibility=_sound(visibility, Visibility.values, "visibility"),
        invite_code=_code(visibility),
        tables=write_tables(_sound_tables(tables)),
        bot_level=_sound(bot_level, BOT_LEVELS, "bot_level"),
        commitment=commitment(seed),
        format=terms.format.value,
        capacity=terms.capacity,
    )
    with transaction.atomic():
        locked = Locked.created(tournament)
        try:
            locked.add((create(terms, commitment=commitment(seed), by=str(owner.pk), at=locked.now()),))
        except Refused as refused:
            raise ActRefused(refused.refusal, refused.detail, 0) from refused
        tournament.save(force_insert=True)
        TournamentSecret.objects.create(tournament=tournament, seed=seed)
        store.write(locked)
        transaction.on_commit(lambda: hooks.tell(tournament.pk))
    return tournament


def tournament_edit(
    *,
    tournament_id: UUID,
    actor: Player,
    name: str | None = None,
    visibility: str | None = None,
    terms: Terms | Callable[[Terms], Terms] | None = None,
    tables: GameSettings | Callable[[GameSettings], GameSettings] | None = None,
    bot_level: str | None = None,
    reason: str = "",
    command_id: UUID | None = None,
) -> Acted:
    """Change what is given (None: as it is), all or nothing. What changes nothing is no error.

    ``terms`` and ``tables`` may also be what makes the new of the present ones, so that two who change different
    fields at once lose neither. Terms follow the rules; ``tables`` may be changed in the draft only, the rest until
    it is over.
    TournamentNotFound, NotOrganiser, BadSettings, ActRefused (also TERMS_FIXED with ``tables``, TOURNAMENT_OVER).
    """
    with transaction.atomic():
        locked = lock_for(tournament_id, actor, command_id)
        tournament, state = locked.tournament, locked.state
        require_runs(actor, tournament)
        new_terms = terms(state.terms) if callable(terms) else terms
        new_tables = tables(read_tables(tournament.tables)) if callable(tables) else tables
        key = digest_of(actor, (name, visibility, new_terms, new_tables, bot_level), reason)
        if (before := told_again(locked, key)) is not None:
            return before
        if state.over:
            raise ActRefused(Refusal.TOURNAMENT_OVER, "", state.version)
        _change_rest(locked, name=name, visibility=visibility, tables=new_tables, bot_level=bot_level)
        lines: tuple[Logged, ...] = ()
        if new_terms is not None and new_terms != state.terms:
            lines = carry_out(locked, ChangeTerms(new_terms), actor, reason)
            commit(locked, command_id or new_id(), key)
        return Acted(tournament, locked.state, lines)


def _change_rest(
    locked: Locked, *, name: str | None, visibility: str | None, tables: GameSettings | None, bot_level: str | None
) -> None:
    tournament = locked.tournament
    before = {field: getattr(tournament, field) for field in _REST}
    if name is not None:
        tournament.name = _sound_name(name)
    if visibility is not None and visibility != tournament.visibility:
        tournament.visibility = _sound(visibility, Visibility.values, "visibility")
        tournament.invite_code = _code(visibility)
    if bot_level is not None:
        tournament.bot_level = _sound(bot_level, BOT_LEVELS, "bot_level")
    if tables is not None:
        tournament.tables = write_tables(_sound_tables(tables))
    if tournament.tables != before["tables"] and tournament.phase != Phase.DRAFT:
        raise ActRefused(Refusal.TERMS_FIXED, "tables", locked.state.version)
    if any(getattr(tournament, field) != value for field, value in before.items()):
        tournament.revision += 1
        tournament.save(update_fields=[*_REST, "revision"])


_REST: Final = ("name", "visibility", "invite_code", "tables", "bot_level")


def _sound_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name).strip()
    if not 2 <= len(name) <= MOST_NAME or not name.isprintable():
        raise BadSettings("name", "bad_text")
    return name


def _sound(value: str, choices: list[str] | tuple[str, ...], field: str) -> str:
    if value not in choices:
        raise BadSettings(field, "not_a_choice")
    return str(value)


def _sound_tables(tables: GameSettings) -> GameSettings:
    """The mode is the terms' to say (`Terms.table_kind`), and there is no host to begin."""
    if tables.first_player == "host":
        raise BadSettings("first_player", "not_a_choice")
    return replace(tables, house_rules=replace(tables.house_rules, mode=Mode.SINGLE))


def _code(visibility: str) -> str:
    if visibility != Visibility.PRIVATE:
        return ""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(CODE_LENGTH))
