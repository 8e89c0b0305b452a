"""The sentence for each way in which a field can be wrong."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIELD_TEXTS: Final[Mapping[str, str | Promise]] = {
    "required": _("This is required."),
    "null": _("This may not be null."),
    "unknown": _("There is no such field here."),
    "not_an_object": _("This must be a JSON object."),
    "not_a_list": _("This must be a list."),
    "not_an_integer": _("This must be a whole number, written without quotes or fraction."),
    "not_a_query_number": _("This must be a whole number in digits."),
    "not_a_boolean": _("This must be true or false."),
    "not_a_string": _("This must be a string."),
    "out_of_range": _("This must be from %(least)s to %(most)s."),
    "not_a_choice": _("This must be one of: %(choices)s."),
    "bad_name": _("A name has 2 to 24 letters, digits, single spaces, “_”, “-” or “.”."),
    "name_taken": _("This name is taken."),
    "not_hex": _("This must be hexadecimal digits, two for each of at most %(most)s bytes."),
    "bad_text": _("This must be ordinary text of at most %(most)s characters."),
    "not_a_uuid": _("This must be a UUID."),
    "bad_cursor": _("This cursor is not one of ours; begin again without it."),
    "bad_etag": _('This must be an entity tag as we gave it, such as "41".'),
    "repeated": _("This is given more than once."),
    "bad_length": _("This must have from %(least)s to %(most)s entries."),
    "not_a_card": _("This is not the code of a card."),
    "bad_command": _("This is not a command; an example: play RT R3 R+2 close."),
    "system_command": _("This command comes from the server only."),
    "not_an_instant": _("This must be a time with its offset, such as 2026-05-01T12:00:00Z."),
    "in_the_past": _("This time lies in the past."),
    "times_not_in_order": _("Registration must open before it closes, and close no later than the start."),
    "too_many_go_on": _("Fewer must go on from a table than sit at it."),
    "ladder_is_one_table": _("A ladder is one table: table_size is its capacity, go_on is 1, its game a ladder."),
    "no_such_player": _("There is no player of this name."),
    "fixed": _("Players rely on this since registration opened; it can no longer be changed."),
    "bad_seeding": _("The list of seeds names an entry twice, or one that is out."),
    "bad_result": _("This is no result of that table: each entry once, with ranks such as 1, 2, 2, 4."),
    "bad_email": _("This is not an e-mail address."),
    "bad_password": _("A password has from 8 to %(most)s characters, and is not a common one."),
    "password_too_short": _("This password is too short: at least 8 characters."),
    "password_too_common": _("This password is one of those that everybody tries first."),
    "password_too_similar": _("This password is too much like the name or the address."),
    "password_wrong": _("This is not the password."),
    "bot_for_good": _("Who has said to be a program stays one."),
    "scope_beyond": _("You may give only these scopes: %(choices)s."),
    "beyond_own_expiry": _("A token cannot make one that lasts longer than itself: until %(most)s at most."),
    "not_together": _("This does not go together with “%(other)s”."),
}
"""Codes in `errors[]`. A code never changes its meaning."""
