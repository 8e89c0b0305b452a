"""The night's audit by a real worker, in the application's role."""

from games.audit.runs import run_begin
from games.audit.scope import Scope
from games.models import AuditEntry, AuditKind, AuditRun, GameCheck
from games.tasks import audit_slice, audit_sweep
from players.publishing import publish
from tests.audit.tampering import alter_event
from tests.builders import QUICK, given_bots
from tests.celery.conftest import Celery, eventually


def test_a_worker_audits_the_games_and_freezes_the_one_that_was_altered(celery: Celery) -> None:
    """Slice after slice until it is done, though two messages ask for it; the night is not audited twice."""
    tables = [given_bots(("greedy", "random"), rules=QUICK) for _ in range(4)]
    alter_event(tables[2].game_id, 4, "actor = 'nobody'")
    celery.start("worker")
    publish(audit_sweep)
    publish(audit_sweep)
    eventually(lambda: AuditRun.objects.exclude(finished_at=None).exists(), "the audit never came to its end")
    run = AuditRun.objects.get()
    assert (run.checked, run.failed, run.night is not None) == (4, 1, True)
    assert {*GameCheck.objects.filter(ok=True).values_list("game_id", flat=True)} == {
        table.game_id for table in tables if table is not tables[2]
    }
    frozen = AuditEntry.objects.get(kind=AuditKind.FROZEN)
    assert frozen.game_id == tables[2].game_id
    assert (tables[2].game.frozen_at is not None, tables[1].game.frozen_at) == (True, None)

    another = run_begin(scope=Scope())
    for _ in range(3):
        publish(audit_slice, another.pk)
    eventually(lambda: AuditRun.objects.filter(finished_at=None).count() == 0, "the second audit never ended")
    another.refresh_from_db()
    assert another.checked == 4
