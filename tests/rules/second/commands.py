"""The commands of the second engine (sections 5–7, 11, 14 and 15 of the rules)."""

import copy
from collections.abc import Sequence

from tests.rules.second.cards import color_of, face_of, shuffled
from tests.rules.second.table import ANY, Table

Part = tuple[str, ...]
"""One part of a command: ``("play", "R7", "")``, ``("play", "C", "B")`` or ``("draw",)``."""


class NotAllowed(Exception):
    """Its text is the code of section 14."""


def carried_out(table: Table, seat: int | None, parts: Sequence[Part]) -> Table:
    """The table after a whole command, all or nothing; the one given is left as it was."""
    after = copy.deepcopy(table)
    for place, part in enumerate(parts):
        if place and after.winner != "-":
            break
        _part(after, seat, part)
    after.run_ended_by_plus = False
    return after


def _part(table: Table, seat: int | None, part: Part) -> None:
    excused, table.run_ended_by_plus = table.run_ended_by_plus, False
    if excused and part[0] in ("close", "end"):
        if part[0] == "close":
            table.taki = None
        return
    if table.winner != "-":
        raise NotAllowed("GAME_OVER")
    if seat is None:
        _system(table, part[0])
        return
    if seat in table.left:
        raise NotAllowed("SEAT_LEFT")
    if part[0] == "leave":
        _leave(table, seat)
    elif part[0] == "last":
        if seat not in table.last:
            raise NotAllowed("NOT_LAST_CARD")
        table.last.discard(seat)
    elif table.plus3 is not None:
        _answer(table, seat, table.plus3, part)
    else:
        _on_turn(table, seat, part)


def _on_turn(table: Table, seat: int, part: Part) -> None:
    if part[0] == "accept":
        raise NotAllowed("NO_WINDOW")
    if seat != table.turn:
        raise NotAllowed("NOT_YOUR_TURN")
    if part[0] == "play":
        _play(table, seat, part[1], part[2])
    elif part[0] == "draw":
        _draw(table)
    elif part[0] == "close":
        _close(table)
    else:
        _end(table)


def _first_of_turn(table: Table) -> bool:
    return table.run is None and table.again is None


# ---- a card on one's own turn


def _play(table: Table, seat: int, card: str, named: str) -> None:
    _held(table, seat, card)
    why = table.unplayable(card)
    if why:
        raise NotAllowed(why)
    _color_named_rightly(named, _needs_color(table, card))
    if _first_of_turn(table):
        table.call_last_cards(seat)
    _lay_on_turn(table, seat, card, named)


def _held(table: Table, seat: int, card: str) -> None:
    if card not in table.hands[seat]:
        raise NotAllowed("NOT_IN_HAND")
    if card == "X3" and seat in table.locked and table.hands[seat].count("X3") == 1:
        raise NotAllowed("BREAKER_LOCKED")


def _needs_color(table: Table, card: str) -> bool:
    if card == "ST" and not table.run:
        return table.rules["super_taki_color"] == "choose" or table.lead == ANY
    return card == "C"


def _color_named_rightly(named: str, needed: bool) -> None:
    if needed and not named:
        raise NotAllowed("COLOR_REQUIRED")
    if named and not needed:
        raise NotAllowed("COLOR_NOT_ALLOWED")


def _lay_on_turn(table: Table, seat: int, card: str, named: str) -> None:
    """T7 from the card on."""
    table.lay(seat, card)
    color = _taki_color(table, card, named)
    _set_lead(table, card, color, named)
    _touch_taki(table, card, color)
    table.again = None
    if card == "K":
        table.owe = 0
    emptied = not table.hands[seat]
    drawn = table.take(seat, 3) if card == "X3" else []
    if not emptied and not drawn:
        table.note_last_card(seat)
    if emptied and _last_card_does_not_win(table, seat, card):
        return
    table.win_or_clear(seat)
    if table.winner == "-" and not table.run:
        _effect(table, card)


def _taki_color(table: Table, card: str, named: str) -> str | None:
    if card == "ST":
        return table.run or named or table.lead[0]
    return color_of(card) if face_of(card) == "T" else None


def _set_lead(table: Table, card: str, color: str | None, named: str) -> None:
    if card == "ST":
        table.lead = (color, "T")
    elif card == "K":
        table.lead = table.lead if table.rules["king_lead"] == "under" else ANY
    elif card == "C":
        table.lead = (named, None)
    elif card not in ("+3", "X3"):
        table.lead = (color_of(card), face_of(card))


def _touch_taki(table: Table, card: str, color: str | None) -> None:
    """U1, U4, U7, U8."""
    if table.run:
        table.run = None if card == "C" else table.run
    elif table.taki and table.taki in (color, color_of(card)):
        table.run, table.taki = table.taki, None
    elif card not in ("+3", "X3"):
        table.run, table.taki = color, None


def _last_card_does_not_win(table: Table, seat: int, card: str) -> bool:
    """P3, and W7 with breaker_stops_win. True if the card's work is done."""
    if not table.at_last_stage(seat) or table.dry() or table.hands[seat]:
        return False
    if face_of(card) == "+" and not table.rules["plus_finishes"]:
        _draw_locking(table, seat)
        if table.run:
            table.run_ended_by_plus = True
            _leave_run_open(table)
        table.pass_turn()
        return True
    if card == "+3" and table.rules["breaker_stops_win"]:
        _effect(table, card)
        return True
    return False


def _effect(table: Table, card: str) -> None:
    """Section 5, outside a run or for the last card of a closed one."""
    face = face_of(card)
    alone_of_two = table.rules["two_player_direction"] == "skip" and len(table.seats_in()) == 2
    if face in ("+", "K"):
        table.again = "plus" if face == "+" else "king"
    elif face == "+3":
        table.plus3, table.answer = table.turn, set(table.seats_in()) - {table.turn}
    elif face == "S" or (face == "D" and alone_of_two):
        table.pass_turn(skip=True)
    else:
        table.owe += 2 if face == "+2" else 0
        table.direction *= -1 if face == "D" else 1
        table.pass_turn()


# ---- draw, close, end


def _draw(table: Table) -> None:
    if table.run or table.again == "king":
        raise NotAllowed("CANNOT_DRAW")
    if not table.owe and table.can_play():
        allowed = table.rules["plus_may_draw" if table.again == "plus" else "voluntary_draw"]
        if table.dry() or not allowed:
            raise NotAllowed("MUST_PLAY")
    _draw_and_pass(table)


def _draw_and_pass(table: Table) -> None:
    table.moved = not _first_of_turn(table)
    if not table.moved:
        table.call_last_cards(table.turn)
    if table.owe:
        table.take(table.turn, table.owe)
        table.owe = 0
    else:
        _draw_locking(table, table.turn)
    table.pass_turn()


def _draw_locking(table: Table, seat: int) -> None:
    if "X3" in table.take(seat, 1):
        table.locked.add(seat)


def _close(table: Table) -> None:
    if not table.run:
        raise NotAllowed("NO_RUN")
    if table.rules["taki_all"] and table.holds_color_of_run():
        raise NotAllowed("MUST_PLAY")
    if table.rules["open_taki"] and face_of(table.pile[0]) in ("T", "ST"):
        raise NotAllowed("TAKI_ON_TOP")
    _close_run(table)


def _close_run(table: Table) -> None:
    table.run = None
    _effect(table, table.pile[0])


def _end(table: Table) -> None:
    if table.run:
        if table.rules["taki_all"] and table.holds_color_of_run():
            raise NotAllowed("MUST_PLAY")
        _end_run(table)
    elif table.again == "king":
        table.pass_turn()
    else:
        raise NotAllowed("MUST_PLAY" if table.again == "plus" else "NO_RUN")


def _end_run(table: Table) -> None:
    if not table.rules["open_taki"]:
        _close_run(table)
        return
    _leave_run_open(table)
    table.pass_turn()


def _leave_run_open(table: Table) -> None:
    if table.rules["open_taki"]:
        table.taki = table.run
    table.run = None


# ---- the window


def _answer(table: Table, seat: int, owner: int, part: Part) -> None:
    table.moved = True
    king = part[:2] == ("play", "K") and seat == table.next_seat(owner) and table.rules["king_on_plus_three"]
    if part[0] != "accept" and part[:2] != ("play", "X3") and not king:
        raise NotAllowed("WINDOW_OPEN")
    if seat not in table.answer:
        raise NotAllowed("NOT_ASKED")
    if part[0] == "accept":
        table.answer.discard(seat)
        if not table.answer:
            _settle(table, owner)
        return
    _held(table, seat, part[1])
    _color_named_rightly(part[2], needed=False)
    if king:
        _king(table, seat, owner)
    else:
        _break(table, seat, owner)


def _settle(table: Table, owner: int) -> None:
    if table.winning_plus3_open():
        table.end(str(owner))
        return
    table.plus3, table.answer = None, set()
    for seat in table.turn_order(table.next_seat(owner)):
        if seat != owner:
            table.take(seat, 3)
    table.pass_turn()


def _break(table: Table, seat: int, owner: int) -> None:
    table.lay(seat, "X3")
    table.take(owner, 3)
    table.plus3, table.answer = None, set()
    table.note_last_card(seat)
    table.win_or_clear(seat)
    if table.winner == "-":
        table.pass_turn()


def _king(table: Table, seat: int, owner: int) -> None:
    if table.winning_plus3_open():
        table.lay(seat, "K")
        table.end(str(owner))
        return
    table.plus3, table.answer = None, set()
    table.begin_turn(seat)
    table.call_last_cards(seat)
    _lay_on_turn(table, seat, "K", "")
    if table.winner == "-" and table.turns >= int(table.rules["max_turns"]):
        table.end("none")


# ---- leaving, and the system


def _leave(table: Table, seat: int) -> None:
    waiting = table.waiting_but(seat)
    hand, table.hands[seat] = table.hands[seat], []
    if hand:
        table.draw += shuffled(table.seed, table.shuffles, hand)
        table.shuffles += 1
    table.left.append(seat)
    for seats in (table.last, table.locked, table.answer):
        seats.discard(seat)
    for other in waiting:
        table.take(other, table.stages[other])
    table.card_moved()
    if len(table.seats_in()) == 1:
        table.end(str(table.seats_in()[0]))
    elif table.turn == seat:
        table.plus3, table.answer, table.owe = None, set(), 0
        if table.run:
            _leave_run_open(table)
        table.pass_turn()
    elif table.plus3 is not None and not table.answer:
        _settle(table, table.plus3)


def _system(table: Table, word: str) -> None:
    if word == "stop":
        table.end("none")
    elif table.plus3 is not None:
        table.moved = True
        _settle(table, table.plus3)
    elif table.run:
        _end_run(table)
    elif table.again == "king":
        table.pass_turn()
    else:
        _draw_and_pass(table)
