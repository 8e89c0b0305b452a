"""What the application's own database role may do to a tournament's log."""

import psycopg
import pytest

from tests.tournaments.given import KNOCKOUT, given_tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_tournamentevent SET actor = 'x'",
        "DELETE FROM tournaments_tournamentevent",
        "TRUNCATE tournaments_tournamentevent",
    ],
)
def test_the_application_may_read_and_add_but_change_nothing(
    application_connection: psycopg.Connection, statement: str
) -> None:
    """Not even with the trigger gone."""
    given_tournament(KNOCKOUT, start=False)
    found = application_connection.execute("SELECT count(*) FROM tournaments_tournamentevent").fetchone()
    assert found == (2,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        application_connection.execute(statement)
