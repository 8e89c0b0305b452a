"""Hooks of schemathesis: real ids most of the time, and nothing that would lock the fuzzer out."""

import json
import os
import random
from pathlib import Path
from typing import Any

import schemathesis

CHOICES: dict[str, list[Any]] = json.loads(Path(os.environ["FUZZ_CHOICES"]).read_text())
MADE_UP = 0.15
"""How often a made-up id stays."""
OWN = {*CHOICES["own_token"]}


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Ids of what there is."""
    if not path_parameters:
        return path_parameters
    chance = random.Random(repr(sorted(path_parameters.items(), key=repr)))
    return {
        name: chance.choice(CHOICES[name]) if name in CHOICES and chance.random() > MADE_UP else value
        for name, value in path_parameters.items()
    }


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """The token that the fuzzer itself comes with is not revoked: every later call would be a 401."""
    if case.path_parameters.get("token") in OWN:
        case.path_parameters["token"] = CHOICES["token"][0]


# What no schema can say, so that a request that fits it may still be wrong: how fields go together, the clock, who
# there is, and texts of characters that show nothing.
BEYOND_SCHEMAS = {
    "already",
    "bad_command",
    "bad_cursor",
    "bad_email",
    "bad_etag",
    "bad_name",
    "bad_password",
    "bad_result",
    "bad_seeding",
    "bad_text",
    "email_taken",
    "fixed",
    "in_the_past",
    "ladder_is_one_table",
    "name_taken",
    "no_such_player",
    "not_a_card",
    "not_an_instant",
    "not_a_uuid",  # where fields are combined, schemathesis sends "0" in a header whatever its pattern
    "not_an_integer",
    "not_together",
    "out_of_range",
    "password_too_common",
    "password_too_short",
    "password_too_similar",
    "repeated",
    "scope_beyond",
    "required",
    "times_not_in_order",
    "too_many_go_on",
    "unknown",
}


@schemathesis.check
def a_good_request_is_wrong_only_by_what_no_schema_says(context: Any, response: Any, case: Any) -> bool | None:
    """A 422 to a request that fits its schema names a reason that the schema could not have told."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 422:
        return True
    told = response.json()
    if told["code"] in ("refused", "idempotency_key_reused"):
        return True
    codes = {entry["code"] for entry in told["errors"]}
    assert codes <= BEYOND_SCHEMAS, f"the schema could say this: {told['errors']}"
    return None
